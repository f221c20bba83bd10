"""Df-pn against plain minimax, with tables of every size, and known results."""

from __future__ import annotations

import random

import pytest

from ponder import InputError, position
from ponder.search.proof_number import ProofSearch, can_force


def walked(game, seed, plies):
    """A position after random moves; none if the game ended before."""
    rng = random.Random(seed)
    here = position(game)
    for _ in range(plies):
        here = here.play(rng.choice(here.legal_actions))
        if here.is_terminal:
            return None
    return here


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("tictactoe", 3),
        ("connect4(columns=4, rows=4, run=3)", 6),
        ("othello(columns=4, rows=4)", 4),  # passes: the same player moves twice
        ("nim(heaps=(1, 2, 3))", 0),
        ("nim(heaps=(1, 2, 3), misere=True)", 1),
    ],
)
@pytest.mark.parametrize("memory", [0.0001, 1.0])
def test_the_value_is_that_of_minimax_whatever_the_table(game, plies, memory):
    values = set()
    for seed in range(12):
        here = walked(game, seed, plies)
        if here is None:
            continue
        found = ProofSearch(here, memory).value_of(here, here.current_player)
        assert found == naive_value(here, here.current_player)
        values.add(found)
    assert values


def naive_value(here, me):
    """The utility of `me`, by visiting everything."""
    if here.is_terminal:
        return here.returns[me]
    values = [naive_value(here._after(a), me) for a in here.legal_actions]
    return max(values) if here.current_player == me else min(values)


def test_each_player_is_asked_for_separately():
    lost = position("nim(heaps=(1, 1))")  # whoever moves loses
    assert can_force(lost, 0) is False
    assert can_force(lost, 1) is True
    drawn = position("tictactoe")
    for player in (0, 1):
        assert can_force(drawn, player, "win") is False
        assert can_force(drawn, player, "draw") is True


def test_hex_is_won_by_the_first_player_and_by_five_of_the_nine_first_stones():
    start = position("hex(size=3)")
    search = ProofSearch(start, 4.0)
    winning = {
        start.action_name(a)
        for a in start.legal_actions
        if search.value_of(start._after(a), 0) == 1.0
    }
    assert winning == {"c1", "a2", "b2", "c2", "a3"}


def test_what_it_cannot_answer_is_refused():
    with pytest.raises(InputError, match="two players"):
        ProofSearch(position("connect4(players=3)"), 1.0)
    with pytest.raises(InputError, match="chance"):
        ProofSearch(position("pig"), 1.0)
    with pytest.raises(InputError, match="between win, draw and loss"):
        can_force(position("othello(columns=4, rows=4, scores=True)"), 0)
    with pytest.raises(InputError, match="win or draw"):
        can_force(position("tictactoe"), 0, "lose")


def test_a_short_time_gives_no_answer():
    assert can_force(position("hex(size=11)"), 0, seconds=0.05) is None
