"""The numbered examples of the sources: their figures, from the sources' own numbers."""

from __future__ import annotations

import math

import pytest

from ponder import InputError, engine, position
from ponder.core.parts import canonical
from ponder.mcts.why import why
from ponder.select import Boltzmann

pytestmark = pytest.mark.plain
ELEVEN = "tree([50, 49, 0, 0, 0, 0, 0, 0, 0, 0, 0], players=1)"
SWING = (
    "gem(plies=2, values=(0.6, 0.3, 0.7, 0.2), noises=(0.05, 0.2, 0.5, 0.2), gaps=(0, 0.2, 1, 0.2))"
)
"""A is steady at 60 %, C is worth 70 % and swings, and 30 % under random play."""


def chances(rule, seed=1):
    """How likely the rule draws each of the eleven children, by name."""
    found = engine(f"mcts(select={rule})").search(position(ELEVEN), simulations=60, seed=seed)
    return {reason.name: reason.terms["probability"] for reason in why(found.tree)}


def test_epsilon_of_a_fifth_leaves_two_hundredths_to_each_of_the_ten_others():
    found = chances("epsilon_greedy(epsilon=0.2, others=True)")
    assert found.pop("1") == pytest.approx(0.8)
    assert list(found.values()) == pytest.approx([0.02] * 10)


@pytest.mark.parametrize(
    "rule", ["boltzmann(temperature=10, in_utilities=True)", "boltzmann(temperature=0.2)"]
)
def test_a_temperature_of_ten_gives_half_and_a_little_less(rule):
    found = chances(rule)
    assert (round(found["1"], 2), round(found["2"], 2)) == (0.51, 0.46)
    weights = [math.exp(v / 10) for v in (50, 49, *[0] * 9)]
    assert [found[str(i)] for i in range(1, 12)] == pytest.approx(
        [w / sum(weights) for w in weights]
    )


@pytest.mark.parametrize("decay", [False, True])
def test_temperatures_in_utilities_and_in_shares_of_the_range_are_the_same_search(decay):
    start = position("tree")  # utilities from -14 to 14
    shares, utilities = (
        engine(f"mcts(select=boltzmann(temperature={text}, decay={decay}))").search(
            start, simulations=200, seed=5
        )
        for text in ("0.25", "7.0, in_utilities=True")
    )
    assert [(r.name, r.visits) for r in shares.moves] == [
        (r.name, r.visits) for r in utilities.moves
    ]


def test_temperature_is_above_zero_in_utilities_too():
    with pytest.raises(InputError, match="temperature of boltzmann must be above 0"):
        canonical(Boltzmann(temperature=0, in_utilities=True))


# ------------------------------------------------------------------ 60 %, 30 %, 70 %


def worth_of(here, best):
    """The value of a position of `SWING`: of the best line below it, or of random play."""
    if here.is_terminal:
        return here.returns[0]
    below = [worth_of(here.play(a), best) for a in here.facts.actions]
    if here.is_chance:
        return sum(p * v for p, v in zip(here.facts.chances, below, strict=True))
    return max(below) if best else sum(below) / len(below)


def test_what_looks_like_thirty_is_worth_seventy():
    start = position(SWING)
    assert worth_of(start.play_all("A"), best=False) == pytest.approx(0.6)
    assert worth_of(start.play_all("C"), best=False) == pytest.approx(0.3, abs=0.01)
    assert worth_of(start.play_all("C"), best=True) == pytest.approx(0.7)


def test_ten_playouts_say_sixty_and_thirty_and_the_search_climbs_to_seventy():
    start = position(SWING)
    few = {r.name: r for r in engine("flat()").search(start, simulations=40, seed=12).moves}
    assert [few[name].visits for name in "AC"] == [10, 10]
    assert [round(few[name].value, 1) for name in "AC"] == [0.6, 0.3]
    assert few["C"].spread > 5 * few["A"].spread
    for seed in (3, 4):
        found = engine("crazy_stone()").search(start, simulations=1500, seed=seed)
        rows = {row.name: row for row in found.moves}
        assert start.action_name(found.action) == "C"
        assert rows["C"].value == pytest.approx(0.7, abs=0.05)
        assert rows["A"].value == pytest.approx(0.6, abs=0.03)
