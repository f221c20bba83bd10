"""`strong()` takes the parts that suit the game, and pure Monte Carlo has no tree."""

from __future__ import annotations

import pytest

from ponder import MCTS, InputError, Position, Strong, engine, position
from ponder.core.registry import parse_engine, part_text
from ponder.presets import flat

CHOICES = {
    "hex(size=5)": "mcts(select=rave())",
    "go(size=5)": "mcts(select=ucb1(c=1.0), evaluate=game_rollout(), backup=solver())",
    "connect4(columns=6)": "mcts(select=ucb1(c=1.0), expand=enough_children(), "
    "evaluate=game_rollout(), backup=solver())",
    "tictactoe": "mcts(select=ucb1(c=1.0), evaluate=decisive(), backup=solver())",
    "nim": "mcts(select=ucb1(c=1.0), backup=solver())",
    "pig": "mcts(select=ucb1(c=1.0))",
    "twenty48": "mcts(select=ucb1_spread())",
}


def first_decision(game):
    here = position(game)
    while here.is_chance:
        here = here.play(here.legal_actions[0])
    return here


@pytest.mark.parametrize(("game", "spec"), CHOICES.items())
def test_the_parts_follow_from_what_the_game_offers(game, spec):
    assert part_text(Strong().fitted(first_decision(game))) == spec


def test_the_choice_is_the_same_in_all_positions_of_a_game():
    start = position("hex(size=4)")
    late = start.play_all("a1 b1 a2 b2 a3 b3 c1")
    assert Strong().fitted(start) == Strong().fitted(late)


def test_it_proves_a_win_and_says_which_engine_searched():
    found = Strong().search(position("tictactoe").play_all("a1 b1 a2 b2"), seed=1)
    assert (found.best_move.name, found.value, found.stopped_by) == ("a3", 1.0, "solved")
    assert parse_engine(found.engine).backup == engine("mcts(backup=solver())").backup


def test_its_limits_are_its_own():
    assert Strong(simulations=70).search(position("pig"), seed=1).simulations == 70
    assert engine("strong(simulations=70)") == Strong(simulations=70)
    with pytest.raises(InputError, match="threads must be"):
        engine("strong(threads=-1)")


def test_flat_search_plays_every_move_equally_often_and_keeps_no_tree():
    start = position("tictactoe").play_all("b2")
    found = flat().search(start, simulations=800, seed=1)
    assert {row.visits for row in found.moves} == {100}
    assert found.tree.size == 1 + 8
    bandit = flat(select=MCTS().select).search(start, simulations=800, seed=1)
    assert bandit.tree.size == 1 + 8
    assert max(row.visits for row in bandit.moves) > 100


def test_flat_search_plays_the_move_that_did_best():
    start = position("tictactoe")
    for seed in range(5):
        found = flat().search(start, simulations=300, seed=seed)  # 33 or 34 games a move
        assert found.moves[0].value == max(row.value for row in found.moves)
    assert flat(select=MCTS().select).decide == MCTS().decide
    assert flat(decide=MCTS().decide).decide == MCTS().decide


def test_go_can_be_played_for_points():
    text = "XX.OO/XX.OO/XX.OO/XX.OO/X.XO. X pass"  # column C but its lowest point is nobody's
    points = Position.parse(engine_game("go(size=5, komi=2.5, points=True)"), text).play("pass")
    won = Position.parse(engine_game("go(size=5, komi=2.5)"), text).play("pass")
    black, white = 10, 9  # stones; B1 is Black's too, E1 White's
    score = (black + 1) - (white + 1) - 2.5
    assert points.returns == (score, -score)
    assert won.returns == (-1.0, 1.0)
    assert points.rules.spec.highest == 27.5


def engine_game(text):
    return position(text).game
