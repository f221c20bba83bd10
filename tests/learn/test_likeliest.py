"""The likeliest moves of many positions at once are those of a search's priors."""

from __future__ import annotations

import random

import pytest

from ponder import position
from ponder.learn.likeliest import likeliest_moves
from ponder.learn.presets import alphazero

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("network", "game"),
    [
        ("tictactoe", "tictactoe"),
        ("breakthrough6", "breakthrough(columns=6, rows=6)"),
        ("hex7", "hex(size=7)"),
    ],
)
def test_they_are_those_with_the_highest_prior_whoever_moves(network, game):
    """In breakthrough and Hex the second player sees the board, and its moves, turned."""
    rng, here, met = random.Random(3), position(game), []
    while not here.is_terminal and len(met) < 7:
        met.append(here)
        here = here.play(rng.choice(here.legal_actions))
    assert {one.current_player for one in met} == {0, 1}
    player = alphazero(net=network, simulations=2)
    rows = [player.search(one, seed=0).moves for one in met]
    wanted = [max(moves, key=lambda row: row.prior).action for moves in rows]
    assert likeliest_moves(network, met) == wanted
    # and not just the first legal moves
    assert wanted != [one.legal_actions[0] for one in met]


def test_of_no_position_there_is_none():
    assert likeliest_moves("tictactoe", []) == []
