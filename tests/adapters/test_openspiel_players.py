"""OpenSpiel's search as a player of its own games and of ours."""

from __future__ import annotations

import random
import sys

import pytest

from oracle_openspiel import compare_with_openspiel
from outside import missing
from ponder import AlphaBeta, InputError, Limit, position
from ponder.adapters.openspiel_bots import OpenSpielAlphaBeta, OpenSpielMCTS
from ponder.adapters.openspiel_twins import state_of, twin_of
from ponder.arena import match

try:
    import pyspiel
except ImportError:
    missing("OpenSpiel")

EQUAL_NUMBERS = (
    "tictactoe",
    "connect4(columns=5, rows=4, run=3)",
    "othello",
    "breakthrough(columns=5, rows=6)",
    "hex(size=4)",
    "hex(size=3, swap=True)",
    "checkers",
    "nim(heaps=(2, 3, 4), misere=True)",
    "nim(heaps=(12,))",
    "pig(target=20)",
)


@pytest.mark.parametrize("game", EQUAL_NUMBERS)
def test_the_twin_has_the_same_moves_at_every_step(game):
    start = position(game)
    twin = twin_of(start.game)
    assert compare_with_openspiel(start, twin.name, 10, to_spiel=twin.to_spiel, seed=1) > 30


def test_the_twin_of_chess_has_the_same_moves_with_white_as_player_1():
    start = position("chess")
    twin = twin_of(start.game)
    steps = compare_with_openspiel(
        start,
        twin.name,
        2,
        to_spiel=twin.to_spiel,
        returns=lambda theirs: (theirs[1], theirs[0]),
        player=lambda theirs: 1 - theirs,
        seed=3,
    )
    assert steps > 100


def random_game(start, seed):
    rng, here = random.Random(seed), start
    while not here.is_terminal:
        if here.is_chance:
            here = here.play(rng.choices(*zip(*here.chance_outcomes, strict=True))[0])
        else:
            here = here.play(rng.choice(here.legal_actions))
    return here


@pytest.mark.parametrize("game", ["backgammon", "go(size=5, komi=0.5)", "connect4"])
def test_openspiels_state_follows_a_game_to_the_same_end(game):
    start = position(game)
    twin = twin_of(start.game)
    for seed in range(3):
        here = random_game(start, seed)
        state = state_of(here, twin)
        assert state.is_terminal()
        assert state.returns() == list(here.returns)
        before = here.undo()
        while before.is_chance:
            before = before.undo()
        state = state_of(before, twin)
        assert state.current_player() == before.current_player
        listed = twin.actions(before, state)
        assert set(listed.values()) == set(before.legal_actions)
        assert set(listed) <= set(state.legal_actions())


PLAYED = (
    "tictactoe",
    "connect4",
    "othello",
    "breakthrough(columns=5, rows=5)",
    "hex(size=4)",
    "go(size=3, komi=0.5)",
    "checkers",
    'openspiel("connect_four")',
    'openspiel("pig(winscore=15)")',
)


@pytest.mark.parametrize("game", PLAYED)
def test_it_plays_whole_games_from_both_seats_and_beats_random_moves(game):
    result = match(game, "openspiel_mcts(simulations=30)", "random()", games=12, seed=1)
    assert result.forfeits == (0, 0)
    assert {p.ended for p in result.records} == {"rules"}
    assert [sum(row) for row in result.by_seat()] == [6, 6]
    assert result.wins > result.losses
    assert result.effort(0)["simulations_per_move"] <= 30


@pytest.mark.parametrize("game", ["backgammon(scoring=1)", "chess"])
def test_it_finds_a_legal_move_in_the_larger_games(game):
    here = position(game)
    rng = random.Random(1)
    for _ in range(6):
        if here.is_chance:
            here = here.play(rng.choice(here.legal_actions))
        result = OpenSpielMCTS(simulations=3).search(here, seed=1)
        assert result.action in here.legal_actions
        here = here.play(result.action)


def test_it_finds_the_winning_move_of_either_side():
    for moves, winning in (("a1 b1 a2 b2", "a3"), ("a1 b1 a2 b2 c1", "b3")):
        here = position("tictactoe").play_all(moves)
        result = OpenSpielMCTS(simulations=300).search(here, seed=1)
        assert result.best_move.name == winning
        assert result.value > 0.5
        assert result.moves[0].name == winning


def test_the_same_seed_gives_the_same_search():
    here = position("connect4").play_all("4 4")
    one, two = (OpenSpielMCTS(simulations=200).search(here, seed=5) for _ in range(2))
    assert one.moves == two.moves
    assert one.simulations == 200
    assert one.stopped_by == "simulations"


def test_seconds_are_used_up():
    here = position("connect4")
    for limit in (Limit(seconds=0.05), None):
        result = OpenSpielMCTS(seconds=0.05).search(here, limit, seed=1)
        assert result.seconds >= 0.05
        assert result.stopped_by == "seconds"
        assert result.simulations > 1


def test_a_proven_root_needs_no_more():
    here = position("tictactoe").play_all("a1 b1 a2 b2")
    result = OpenSpielMCTS(simulations=100_000, solve=True).search(here, seed=1)
    assert result.stopped_by == "solved"
    assert result.simulations < 100_000


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        ("gem", "OpenSpiel's players do not know Gem"),
        ("othello(columns=6, rows=6)", "OpenSpiel has no Othello with these parameters"),
        ("connect4(players=3)", "OpenSpiel has no ConnectFour with these parameters"),
        ("chess(chess960=True)", "OpenSpiel has no Chess with these parameters"),
        ("go(size=5, simple_ko=True)", "OpenSpiel has no Go with these parameters"),
    ],
)
def test_a_game_that_openspiel_does_not_have_is_refused(game, complaint):
    with pytest.raises(InputError, match=complaint):
        OpenSpielMCTS(simulations=5).search(position(game))


def test_a_position_from_a_text_is_refused_and_moves_are_not():
    text = position("connect4").play_all("4 4").text()
    with pytest.raises(InputError, match="follow a game from its start"):
        OpenSpielMCTS(simulations=5).search(position("connect4", text))
    assert OpenSpielMCTS(simulations=5).search(position("connect4").play_all("4 4")).action >= 0


@pytest.mark.parametrize(
    ("limit", "complaint"),
    [(Limit(depth=3), "limited by seconds, simulations and memory")],
)
def test_limits_that_it_does_not_have_are_refused(limit, complaint):
    with pytest.raises(InputError, match=complaint):
        OpenSpielMCTS().search(position("tictactoe"), limit)


def test_an_openspiel_without_a_clock_says_so(monkeypatch):
    class Old:
        RandomRolloutEvaluator = pyspiel.RandomRolloutEvaluator

        @staticmethod
        def MCTSBot(*given):
            return pyspiel.MCTSBot(*given)

    monkeypatch.setattr("ponder.adapters.openspiel_bots.load_pyspiel", lambda: Old)
    with pytest.raises(InputError, match="has no limit of seconds for its search"):
        OpenSpielMCTS(seconds=1.0).search(position("tictactoe"))
    assert OpenSpielMCTS(simulations=5).search(position("tictactoe")).simulations == 5


def test_without_the_package_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InputError, match="pip install open_spiel"):
        match("tictactoe", "openspiel_mcts(simulations=5)", "random()", games=2)


# ---------------------------------------------------------------- alpha-beta


def test_alpha_beta_agrees_with_ours_on_a_small_game():
    for moves in ("", "a1", "a1 b2 c3", "a1 b1 a2 b2", "a1 b1 c3 a3"):
        here = position("tictactoe").play_all(moves) if moves else position("tictactoe")
        here = here if moves else here.play("b2")
        theirs = OpenSpielAlphaBeta(depth=9).search(here)
        assert theirs.value == AlphaBeta().search(here, depth=9).value
        assert theirs.action in here.legal_actions


def test_alpha_beta_plays_whole_games_of_ours_from_both_seats():
    result = match("tictactoe", "openspiel_alphabeta(depth=4)", "random()", games=12, seed=1)
    assert result.forfeits == (0, 0)
    assert result.wins > result.losses


def test_alpha_beta_refuses_dice_in_one_line():
    with pytest.raises(InputError, match="openspiel_alphabeta is for two players, without dice"):
        OpenSpielAlphaBeta().search(position("pig"))


def test_a_game_is_followed_move_by_move_and_branches_do_not_mix():
    start = position("connect4")
    twin = twin_of(start.game)
    line = start.play_all("4 4 3")
    state_of(line, twin)
    one, two = line.play("5"), line.play("6")
    assert state_of(one, twin).history() == [3, 3, 2, 4]
    assert state_of(two, twin).history() == [3, 3, 2, 5]
    assert state_of(one.play("1"), twin).history() == [3, 3, 2, 4, 0]
    assert state_of(line, twin).history() == [3, 3, 2]
    assert state_of(start, twin).history() == []


@pytest.mark.parametrize("heaps", ["(9,)", "(1,)"])
def test_nim_with_a_single_heap_is_played(heaps):
    """Taking all of it wins at once: the search wins every game that it begins."""
    game = f"nim(heaps={heaps})"
    result = match(game, "openspiel_mcts(simulations=200)", "random()", games=4, openings=0, seed=1)
    assert all(p.ended == "rules" for p in result.records)
    assert all(p.points() == 1.0 for p in result.records if p.first_seat == 0)
