"""Random games of Go at once: the very games that single moves would make."""

import numpy as np
import pytest

from ponder import position
from ponder.core.rng import new_rng
from ponder.core.twin import twin
from ponder.jit import kernel


def by_moves(rules, states, out, rng):
    s = states[0]
    while not rules.is_terminal(s):
        rules.apply_action(s, rules.random_action(s, out, rng))
    return rules.score(s)


def at_once(rules, states, out, rng):
    s = states[0]
    rules.random_rollout(s, out, rng)
    return rules.score(s)


def compare(start, rules, moves, whole, games):
    """Scores of random games, made both ways with the same random numbers."""
    out = np.zeros(start.rules.spec.max_actions, np.int32)
    one, other = new_rng(5), new_rng(5)
    scores = []
    for _ in range(games):
        scores.append(moves(rules, start.raw_state.copy(), out, one))
        assert whole(rules, start.raw_state.copy(), out, other) == scores[-1]
        assert one[0] == other[0]
    return scores


# All of these share one compiled form. Small boards repeat positions, take and retake.
@pytest.mark.parametrize(
    ("game", "moves", "games"),
    [
        ("go", 0, 2000),
        ("go", 30, 2000),
        ("go(max_length=60)", 0, 500),
        ("go(size=5)", 0, 5000),
        ("go(size=3)", 0, 5000),
        ("go(size=2, columns=5)", 3, 2000),
        ("go(size=4, suicide=True)", 0, 200),
    ],
)
def test_a_random_game_at_once_is_the_game_that_moves_would_make(game, moves, games):
    start = position(game)
    for i in range(moves):
        start = start.play(start.legal_actions[7 * i % len(start.legal_actions)])
    scores = compare(start, start.rules.part, kernel(by_moves), kernel(at_once), games)
    assert len(set(scores)) > 1


@pytest.mark.plain
@pytest.mark.parametrize(
    "game",
    ["go(size=3)", "go(size=5)", "go(size=4, simple_ko=True)", "go(size=4, suicide=True)"],
)
def test_plain_python_makes_the_same_random_game_at_once(game):
    start = position(game)
    compare(start, twin(start.rules.part), by_moves, at_once, 15)


@pytest.mark.plain
def test_a_random_game_minds_a_ko_and_a_pass_before_it():
    for text in (
        "X.OO/.XO./XO../.... O -",
        ".XO./X.XO/.XO./.... O B3",
        "XX../OO../..../.... X pass",
    ):
        start = position("go(size=4)", text)
        compare(start, twin(start.rules.part), by_moves, at_once, 15)
