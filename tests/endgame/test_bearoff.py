"""Bearing off: exact values, and a recursion of its own in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from ponder import InputError, position
from ponder.endgame.tables import build, open_tables


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bearoff")
    build(position("backgammon"), classes="rolls,wins4", folder=folder)
    return open_tables("backgammon", folder)


@pytest.mark.parametrize(
    ("counts", "rolls"),
    [
        ((0, 0, 0, 0, 0, 1), 1.25),
        ((0, 1, 0, 0, 0, 1), 1.6512345679),
        ((0, 0, 0, 0, 1, 1), 1.9600480110),
        ((0, 0, 0, 0, 0, 2), 2.1096107682),
        ((3, 0, 0, 0, 0, 0), 11 / 6),
        ((1, 1, 1, 1, 1, 1), 3.4636484316),
        ((3, 3, 3, 2, 2, 2), 7.5550303331),
        ((0, 0, 0, 5, 5, 5), 10.0737589569),
    ],
)
def test_expected_rolls_are_the_exact_ones(tables, counts, rolls):
    assert tables.bearoff.rolls(counts) == pytest.approx(rolls, abs=1e-9)


@pytest.mark.parametrize(
    ("mine", "theirs", "chance"),
    [
        ((6,), (1,), 3 / 4),
        ((6, 6), (1,), 1 / 9),
        ((5, 6), (5, 6), 0.7720022146),
        ((2, 6), (2, 6), 79945 / 104976),
        ((4, 6), (1, 1, 2), 2101 / 2592),
    ],
)
def test_chances_of_both_sides_are_the_exact_ones(tables, mine, theirs, chance):
    assert tables.bearoff.win(counts(mine), counts(theirs)) == pytest.approx(chance, abs=1e-9)


def counts(points) -> list[int]:
    return [list(points).count(p) for p in range(1, 7)]


def after(points: tuple[int, ...], dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All positions after the dice in that order, by the rules as they are told."""
    if not dice or not points:
        return {points}
    found = set()
    for point in set(points):
        if point < dice[0] and point != max(points):
            continue
        rest = list(points)
        rest.remove(point)
        if point > dice[0]:
            rest.append(point - dice[0])
        found |= after(tuple(sorted(rest)), dice[1:])
    return found


@cache
def chance(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Fraction:
    total = Fraction(0)
    for a in range(1, 7):
        for b in range(1, 7):
            plays = after(mine, (a,) * 4) if a == b else after(mine, (a, b)) | after(mine, (b, a))
            total += max(Fraction(1) if not p else 1 - chance(theirs, p) for p in plays)
    return total / 36


def test_random_positions_agree_with_a_recursion_in_fractions(tables):
    rng = random.Random(7)
    for _ in range(12):
        mine = tuple(sorted(rng.choices(range(1, 5), k=rng.randint(1, 3))))
        theirs = tuple(sorted(rng.choices(range(1, 5), k=rng.randint(1, 3))))
        found = tables.bearoff.win(counts(mine), counts(theirs))
        assert found == pytest.approx(float(chance(mine, theirs)), abs=1e-12)


def test_a_position_of_the_game_is_looked_up_before_and_after_the_roll(tables):
    here = position("backgammon", "x 6:1 / o 1:1 / x")
    found = tables.probe(here)
    assert found.value == pytest.approx(0.5)
    assert found.distance == 1.25
    rolled = sum(p * tables.probe(here.play(a)).value for a, p in here.chance_outcomes)
    assert rolled == pytest.approx(0.5)
    turned = tables.probe(position("backgammon", "x 1:1 / o 6:1 / o"))
    assert turned.value == pytest.approx(-0.5)  # for player 0, as at every roll


def test_what_the_tables_do_not_hold_is_not_claimed(tables):
    assert tables.probe(position("backgammon")) is None
    assert tables.probe(position("backgammon", "x 6:5 / o 1:1 / x")) is None
    with pytest.raises(InputError, match="points 1 to 6"):
        tables.bearoff.rolls((16, 0, 0, 0, 0, 0))
    with pytest.raises(InputError, match="wins1 to wins8"):
        build(position("backgammon"), classes="wins9")
