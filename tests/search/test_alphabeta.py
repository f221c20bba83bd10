"""Alpha-beta against the reference search and exact values; every part on and off."""

from __future__ import annotations

import itertools
import random

import pytest

from ponder import AlphaBeta, InputError, position

PARTS = ("table", "hints", "killers", "history", "scout", "aspiration", "deepen")


@pytest.mark.parametrize(
    ("game", "value", "plies"),
    [
        ("tictactoe", 0, None),
        ("connect4(4, 4)", 0, None),
        ("connect4(5, 4)", 0, None),
        ("connect4(4, 5)", 0, None),
        ("connect4(6, 4)", -1, 24),
        ("nim", -1, None),
        ("nim(heaps=(1, 3, 5))", 1, None),
    ],
)
def test_small_games_have_their_known_values(game, value, plies):
    result = AlphaBeta().search(position(game), depth=99)
    assert result.value == value
    assert result.stopped_by == "solved"
    if plies is not None:
        assert f"in {plies} plies" in result.notes[0]


@pytest.mark.parametrize("off", [*PARTS, "all"])
def test_no_part_changes_the_value(off):
    rng = random.Random(5)
    plain = AlphaBeta(**dict.fromkeys(PARTS, False), quiescence=False)
    changed = plain if off == "all" else AlphaBeta(**{off: False})
    for game, _ in itertools.product(("connect4(5, 4)", "tictactoe"), range(3)):
        here = position(game)
        for _ in range(rng.randrange(6)):
            here = here.play(rng.choice(here.legal_actions))
            if here.is_terminal:
                here = position(game)
        wanted = AlphaBeta(quiescence=False).search(here, depth=99).value
        assert changed._replace(quiescence=False).search(here, depth=99).value == wanted


def test_games_that_alphabeta_cannot_search_are_refused_with_what_can():
    with pytest.raises(InputError, match="no chance"):
        AlphaBeta().search(position("pig"), depth=3)
    with pytest.raises(InputError, match="one or two players"):
        AlphaBeta().search(position("connect4(players=3)"), depth=3)
    with pytest.raises(InputError, match="has no evaluate"):
        AlphaBeta().search(position("tictactoe"), depth=3)
