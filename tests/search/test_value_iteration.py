"""Value iteration against published exact values, the reference search, and its own contract."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings

from ponder import InputError, Position, Spec, position, record, value_iteration
from ponder.games.backgammon.game import Backgammon
from ponder.games.tree import tree_game
from ponder.games.twenty48 import Twenty48
from ponder.jit import take_methods
from ponder.search import reference
from reference.nested_tree import nested_trees


def win_chance(solved, where=None):
    value = solved.value if where is None else solved.value_of(where)
    return (value + 1) / 2


# ------------------------------------------------------------------ pig: positions come back


@pytest.mark.parametrize(
    ("target", "first_player_wins"),
    [(2, 6 / 7), (3, 0.837209302), (5, 0.797047970), (10, 0.709424323), (20, 0.615558550)],
)
def test_pig_has_its_known_values(target, first_player_wins):
    solved = value_iteration(position(f"pig(target={target})"), hold=("decisions",))
    assert win_chance(solved) == pytest.approx(first_player_wins, abs=1e-9)
    assert solved.gap <= 1e-12


def test_pig_target_3_as_a_fraction():
    # 36/43, from the equations of its 92 positions
    solved = value_iteration(position("pig(target=3)"), hold=("decisions",))
    assert win_chance(solved) == pytest.approx(36 / 43, abs=1e-12)


def test_pig_to_100_near_its_end():
    # two points win: P = (5 + 1 - P) / 6, whoever is at 99
    name = "pig(target=100)"
    solved = value_iteration(
        position(name, "99-99 player 0 total 0 after 500"), hold=("decisions",)
    )
    assert win_chance(solved) == pytest.approx(6 / 7, abs=1e-12)


def test_the_policy_of_pig_holds_when_that_wins_and_rolls_with_nothing():
    start = position("pig(target=10)")
    solved = value_iteration(start, hold=("decisions",))
    assert solved.best_actions(start) == (0,)  # to hold nothing only loses the turn
    sure = start.play_all("roll 6 roll 4")
    assert solved.best_actions(sure) == (1,)
    assert solved.value_of(sure) == 1
    assert solved.best_actions(start.play("roll")) == ()  # the die decides


# ------------------------------------------------------------------ 2048


class ReachTile(NamedTuple):
    """2048 for the chance of a tile 2^goal."""

    goal: int
    columns: int = 2
    rows: int = 2

    def spec(self):
        return Twenty48(self.columns, self.rows).spec()._replace(lowest=0.0, highest=1.0)

    def returns(self, s, out):
        out[0] = 0.0
        for cell in range(self.columns * self.rows):
            if s.cells[cell] >= self.goal:
                out[0] = 1.0


take_methods(ReachTile, Twenty48)


def test_small_2048_has_its_known_score():
    solved = value_iteration(position("twenty48(2, 2)"))
    assert solved.value == pytest.approx(66.964149457, abs=1e-9)


@pytest.mark.parametrize(
    ("goal", "chance"), [(3, 1.0), (4, 0.96251125375), (5, 0.08288728907), (6, 0.0)]
)
def test_small_2048_has_its_known_chances_of_a_tile(goal, chance):
    solved = value_iteration(Position(ReachTile(goal)), hold=("score",))
    assert solved.value == pytest.approx(chance, abs=1e-9)


# ------------------------------------------------------------------ falling blocks


def test_small_falling_blocks_has_its_known_value():
    # by plain recursion over other rules: tests/games/test_falling_blocks.py
    solved = value_iteration(position("falling_blocks(columns=4, rows=4, pieces=4)"))
    assert solved.value == pytest.approx(2.553935860058308, abs=1e-9)


# ------------------------------------------------------------------ property trading


def test_the_village_has_its_known_value():
    # by plain recursion over another program: tests/games/test_property_trading.py
    solved = value_iteration(position("property_trading(board=village, turns=3)"))
    assert solved.value == pytest.approx(-39 / 4480, abs=1e-9)


# ------------------------------------------------------------------ backgammon: bearing off


@pytest.mark.parametrize(
    ("text", "mover_wins"),
    [
        ("x 6:1 / o 1:1 / x", 3 / 4),
        ("x 6:2 / o 1:1 / x", 1 / 9),
        ("x 6:1 5:1 / o 6:1 5:1 / x", 0.7720022146),
        ("x 6:1 2:1 / o 6:1 2:1 / x", 79945 / 104976),
        ("x 6:1 4:1 / o 1:2 2:1 / x", 2101 / 2592),
    ],
)
def test_both_bearing_off(text, mover_wins):
    for name, hold in (("backgammon(scoring=1)", ()), ("backgammon(scoring=1)", ("turns",))):
        solved = value_iteration(position(name, text), hold=hold)
        assert win_chance(solved) == pytest.approx(mover_wins, abs=1e-9)


class RollsToBearOff(Backgammon):
    """Backgammon for x alone: as few rolls as possible."""

    roll_or_play = Backgammon.apply_action

    def spec(self):
        return Backgammon.spec(self)._replace(players=1, lowest=-100.0, highest=0.0)

    def apply_action(self, s, a):
        turns = s.turns
        self.roll_or_play(s, a)
        if s.turns > turns:
            s.player = 0  # o never moves

    def returns(self, s, out):
        out[0] = -float(s.turns)


@pytest.mark.parametrize(
    ("points", "rolls"),
    [
        ("6:1", 1.25),
        ("6:1 2:1", 1.6512345679),
        ("6:1 5:1", 1.9600480110),
        ("6:2", 2.1096107682),
        ("1:3", 11 / 6),
        ("6:1 5:1 4:1 3:1 2:1 1:1", 3.4636484316),
    ],
)
def test_one_side_bearing_off(points, rolls):
    solved = value_iteration(Position.parse(RollsToBearOff(1), f"x {points} / o 1:15 / x"))
    assert -solved.value == pytest.approx(rolls, abs=1e-9)


# ------------------------------------------------------------------ any tree, and refusals


@settings(max_examples=200)
@given(nested_trees(2, chance=True, any_turns=True))
def test_on_trees_it_is_expectiminimax(nested):
    s = Position(tree_game(nested, 2))
    wanted = reference.expectiminimax(s, player=0).value
    solved = value_iteration(s)
    assert solved.value == pytest.approx(wanted, abs=1e-9)
    if not (s.is_terminal or s.is_chance):
        # values that differ by rounding alone are one value here, and two there
        assert reference.expectiminimax(s).action in solved.best_actions(s)


class Endless(NamedTuple):
    """One player walks between two places and may stop in neither."""

    def spec(self):
        return Spec(players=1, max_actions=1, max_length=100, state=record(place="i4"))

    def start(self, s):
        s.place = 0

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        out[0] = 0
        return 1

    def apply_action(self, s, a):
        s.place = 1 - s.place

    def is_terminal(self, s):
        return s.place > 1

    def returns(self, s, out):
        out[0] = 0.0


def test_endless_play_has_no_value():
    with pytest.raises(InputError, match="forever"):
        value_iteration(Position(Endless()))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: value_iteration(position("pig(players=3)")), "one player, or two"),
        (lambda: value_iteration(position("pig"), hold=("ply",)), "no field 'ply'.*decisions"),
        (lambda: value_iteration(position("pig(target=9)"), most_states=9), "more than 9 pos"),
    ],
)
def test_what_it_cannot_solve_it_says(call, complaint):
    with pytest.raises(InputError, match=complaint):
        call()


def test_a_position_that_cannot_be_reached_has_no_value():
    start = position("nim(heaps=(1, 2))")
    solved = value_iteration(start.play("2:2"))
    assert solved.states == 2  # one counter, then none
    with pytest.raises(InputError, match="cannot be reached"):
        solved.value_of(start)
