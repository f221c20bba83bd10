"""Moves with names, how a game has ended, and what a result says under the names of the field."""

from __future__ import annotations

import copy

import pytest

from ponder import MCTS, AlphaBeta, IllegalAction, InputError, MaxN, Position, position
from ponder.core.moves import Move, Outcome
from ponder.core.score import Score

pytestmark = pytest.mark.plain


def test_legal_moves_have_the_names_and_actions_of_the_game():
    here = position("chess").play("e2e4")
    moves = here.legal_moves
    assert len(moves) == 20
    assert "e7e5" in {move.name for move in moves}
    assert [move.action for move in moves] == list(here.legal_actions)
    assert [str(move) for move in moves] == [here.action_name(a) for a in here.legal_actions]
    assert position("tictactoe").play_all("a1 a2 b1 b2 c1").legal_moves == ()


def test_a_move_its_action_and_its_name_are_played_alike():
    here = position("tictactoe")
    for move in here.legal_moves:
        assert here.play(move) == here.play(move.action) == here.play(move.name)
    twice = here.play_all([here.legal_moves[4], "a1", 8])
    assert twice.history == (4, 0, 8)
    with pytest.raises(IllegalAction, match="not legal here"):
        twice.play(here.legal_moves[4])


def test_moves_are_equal_if_their_actions_are():
    here = position("tictactoe")
    after = here.play("a1")
    assert here.legal_moves[5] == after.legal_moves[4]
    assert len({*here.legal_moves, *after.legal_moves}) == 9
    assert Move(0, here) != Move(1, here)
    assert repr(Move(0, here)) == "Move(action=0)"


def test_at_a_chance_node_the_outcomes_are_listed():
    here = position("pig").play("roll")
    assert here.is_chance
    assert [move.name for move in here.legal_moves] == ["1", "2", "3", "4", "5", "6"]


class Race:
    """Three players, one move; the move says what each of them gets."""

    players = 3
    utilities = (-1.0, 1.0)
    zero_sum = False

    def start(self):
        return None

    def current_player(self, state):
        return 0

    def legal_actions(self, state):
        return [(0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, -1.0, -0.5), (0.0, 0.0, 0.0)]

    def apply_action(self, state, action):
        return action

    def is_terminal(self, state):
        return state is not None

    def returns(self, state):
        return state


def test_the_winner_has_more_than_everybody_else():
    start = position(Race)
    assert start.outcome() is None
    assert start.winner is None
    assert [start.play(move).winner for move in start.legal_moves] == [1, None, 2, None]
    ended = start.play((0.0, 1.0, 0.0))
    assert ended.outcome() == Outcome((0.0, 1.0, 0.0))
    assert position("tictactoe").play_all("a1 a2 b1 b2 c1").winner == 0
    assert position("tictactoe").play_all("b2 a1 b1 b3 a2 c2 a3 c1 c3").winner is None  # a draw


def test_a_game_of_one_player_has_no_winner():
    assert Outcome((4.0,)).winner is None


def test_ply_counts_what_was_played_and_a_copy_is_the_position_itself():
    here = position("pig").play_all("roll 3 roll 4")
    assert (here.ply, here.undo().ply, position("pig").ply) == (4, 3, 0)
    set_up = Position.parse(position("chess").game, "8/8/8/8/8/8/k1K5/7R w - - 0 40")
    assert (set_up.ply, set_up.play("h1h8").ply) == (0, 1)
    assert here.copy() is here
    assert copy.deepcopy(here) == here


@pytest.fixture(scope="module")
def found():
    return AlphaBeta().search(position("tictactoe").play_all("a1 b2 a2"), depth=6)


def test_the_best_move_and_the_line_are_moves(found):
    assert found.best_move.name == "a3"  # the only one that does not lose at once
    assert found.pv[0] == found.best_move
    end = found.position.play_all(found.pv)
    assert [move.action for move in found.pv] == list(end.history[3:]) == list(found.line)
    assert [move.name for move in found.pv] == list(end.history_names[3:])
    assert found.to_json()["name"] == "a3"
    assert found.to_json()["line"] == [move.name for move in found.pv]


def test_the_score_says_whose_it_is_and_in_which_unit(found):
    assert found.position.current_player == 1
    assert found.score == Score((-0.0, 0.0), 1, -1.0, 1.0)
    won = AlphaBeta().search(position("tictactoe").play_all("a1 b1 a2 b2"), depth=5).score
    assert (won.value, won.player, won.pov(0), won.pov(1), float(won)) == (1.0, 0, 1.0, -1.0, 1.0)
    assert won.share == 1.0
    assert str(won) == "+1.000 for player 0 (from -1 to 1)"


def test_a_score_is_in_utilities_of_the_game():
    # leaves of 3 and 12 for the player to move, of 2 and 4: the textbook's 3
    result = AlphaBeta().search(position("tree"), depth=2)
    assert result.score.value == result.value == 3.0
    assert (result.score.lowest, result.score.highest) == result.position.rules.utilities
    share = (3.0 - result.score.lowest) / (result.score.highest - result.score.lowest)
    assert result.score.share == share


def test_every_player_has_a_score():
    start = position(Race)
    result = MaxN().search(start, depth=1)
    assert [result.score.pov(player) for player in range(3)] == list(result.values)


def test_where_chance_moves_there_is_no_best_move():
    result = MCTS().search(position("pig").play("roll"), simulations=50, seed=1)
    with pytest.raises(InputError, match="outcomes, but no best move"):
        _ = result.best_move
    assert result.pv == ()
    assert result.score.player == 0
    assert result.to_json()["name"] == ""


def test_speed_says_of_what(found):
    assert found.simulations_per_second is None
    assert found.nodes_per_second == pytest.approx(found.nodes / found.seconds)
    result = MCTS().search(position("tictactoe"), simulations=50, seed=1)
    assert result.nodes_per_second is None
    assert result.simulations_per_second == pytest.approx(50 / result.seconds)
