"""Df-pn against plain minimax, with tables of every size, and known results."""

from __future__ import annotations

import random

import pytest

from ponder import InputError, position, solve
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


LATE = 'tree(\'[-1, [1, {"chance": {"a": [0.5, 1], "b": [0.5, -1]}}]]\')'


@pytest.mark.plain
def test_a_tree_without_dice_is_proven():
    """Trees may have dice; whether this one has any is asked of its positions."""
    rng = random.Random(3)

    def drawn(depth):
        return rng.choice((-1, 0, 1)) if not depth else [drawn(depth - 1) for _ in range(2)]

    seen = set()
    for _ in range(8):
        here = position(f"tree('{drawn(4)}')")
        value = naive_value(here, 0)
        assert can_force(here, 0, "win") is (value == 1)
        assert can_force(here, 0, "draw") is (value >= 0)
        assert can_force(here, 1, "win") is (value == -1)
        seen.add(value)
        for method in ("proof-number", "alphabeta", "minimax"):
            assert solve(here, method=method).value == value
    assert len(seen) > 1


@pytest.mark.plain
@pytest.mark.parametrize("looked", [1, 500])
@pytest.mark.parametrize("method", ["proof-number", "alphabeta"])
def test_a_tree_with_dice_is_refused_also_where_they_come_late(method, looked, monkeypatch):
    monkeypatch.setattr("ponder.core.position.LOOKED_AT", looked)
    with pytest.raises(InputError, match="cannot handle chance"):
        solve(position(LATE), method=method)
    with pytest.raises(InputError, match="cannot handle chance"):
        can_force(position(LATE), 1, "draw")
