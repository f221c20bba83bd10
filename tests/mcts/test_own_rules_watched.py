"""Rules of somebody's own that break their contract end a search with one line; sound ones do not
notice that they are looked after."""

from __future__ import annotations

import math
import pickle
from typing import NamedTuple

import pytest

from ponder import MCTS, position
from ponder.backup import Solver
from ponder.errors import GameError
from ponder.mcts.backup.mean import Mean
from ponder.mcts.parts import parts_of
from ponder.mcts.select.ucb import UCB1
from ponder.rules import constants


class TooMuch(NamedTuple):
    """What was found in the wild: 14.97 in a game of -1 to 1."""

    value: float = 14.97

    def estimate(self, game, s, work, rng, longest):
        work.utilities[0] = self.value
        work.utilities[1] = -self.value
        return True


class HalfDone(NamedTuple):
    """Leaves the second player's value out."""

    def estimate(self, game, s, work, rng, longest):
        work.utilities[0] = 0.5
        return True


class NoNumber(NamedTuple):
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, math.nan


class EndlessScore(NamedTuple):
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, 0.0

    def score(self, shared, tree, child, visits, inverse, root, mean):
        return math.inf


class Elsewhere(NamedTuple):
    def choose(self, game, parts, tree, work, depth, rng):
        return tree.nodes[work.path[depth]].first + tree.nodes[work.path[depth]].count


class CountsNothing(NamedTuple):
    def update(self, tree, work, depth):
        for d in range(depth + 1):
            tree.nodes[work.path[d]].value += work.utilities[0]


class CountsTheLeaf(NamedTuple):
    def update(self, tree, work, depth):
        tree.nodes[work.path[depth]].visits += 1


class NoValue(NamedTuple):
    def update(self, tree, work, depth):
        for d in range(depth + 1):
            tree.nodes[work.path[d]].visits += 1

    def worth(self, tree, child, inverse):
        return math.nan


class OpensTooMany(NamedTuple):
    def wants(self, tree, node, visits):
        return visits > 0

    def prepare(self, game, s, tree, node, first, count, work, rng):
        return count + 50


class OpensNone(OpensTooMany):
    def prepare(self, game, s, tree, node, first, count, work, rng):
        return 0


RANGE = "a value that is not a number from -1 to 1"
BREACHES = [
    ({"evaluate": TooMuch()}, "TooMuch", RANGE),
    ({"evaluate": HalfDone()}, "HalfDone", RANGE),
    ({"select": NoNumber()}, "select=.*NoNumber", "a score that is not a finite number"),
    ({"select": EndlessScore()}, "select=.*EndlessScore", "a score that is not a finite number"),
    ({"select": Elsewhere()}, "select=.*Elsewhere", "not a child of the node"),
    ({"backup": CountsNothing()}, "backup=.*CountsNothing", "one visit of every node on the path"),
    ({"backup": CountsTheLeaf()}, "backup=.*CountsTheLeaf", "one visit of every node on the path"),
    ({"backup": NoValue()}, "backup=.*NoValue", "a value that is not a finite number"),
    ({"backup": Solver(backup=CountsNothing())}, "backup=solver.*CountsNothing", "one visit"),
    ({"expand": OpensTooMany()}, "expand=.*OpensTooMany", "more than there are"),
    ({"expand": OpensNone()}, "expand=.*OpensNone", "no child of a node"),
]
FEW = BREACHES[0], BREACHES[2], BREACHES[5]
"""One of each kind; the rest is the same code, and is compiled for nobody."""


@pytest.mark.parametrize(("parts", "name", "fault"), FEW)
def test_a_rule_that_breaks_its_contract_ends_the_search_in_one_line(parts, name, fault):
    assert_refused(parts, name, fault)


@pytest.mark.plain
@pytest.mark.parametrize(("parts", "name", "fault"), BREACHES)
def test_every_breach_ends_the_search_in_one_line(parts, name, fault):
    assert_refused(parts, name, fault)


def assert_refused(parts, name, fault):
    with pytest.raises(GameError, match=f"{name}.*{fault}") as told:
        MCTS(**parts).search(position("tictactoe"), simulations=200, seed=1)
    assert "\n" not in str(told.value)


class Outside(NamedTuple):
    def best(self, rows, seed):
        return len(rows)


class NoChoice(NamedTuple):
    def best(self, rows, seed):
        return None


class Misspelt(NamedTuple):
    def best(self, rows, seed):
        return rows[0].visit


class NeverSure(NamedTuple):
    extra: float = 0.5

    def best(self, rows, seed):
        return 0

    def agreed(self, rows):
        return rows.sure


@pytest.mark.plain
@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (Outside(), "best of decide=.*Outside.* gave 9, expected the number of a row, 0 to 8"),
        (NoChoice(), "best of decide=.*NoChoice.* gave None"),
        (Misspelt(), "best of decide=.*Misspelt.* raised AttributeError.*own_rules_watched.py"),
        (NeverSure(), "agreed of decide=.*NeverSure.* raised AttributeError"),
    ],
)
def test_a_decide_rule_that_fails_is_told_in_one_line(rule, fault):
    with pytest.raises(GameError, match=fault) as told:
        MCTS(decide=rule).search(position("tictactoe"), simulations=50, seed=1)
    assert "\n" not in str(told.value)


class NotAsked(NamedTuple):
    """Plainly wrong at the end of a game: it must not count there."""

    def estimate(self, game, s, work, rng, longest):
        work.utilities[0] = -0.9
        work.utilities[1] = 0.9
        return True


def test_an_estimate_is_not_asked_about_finished_games():
    won = position("tictactoe").play("a1").play("a2").play("b1").play("b2")
    result = MCTS(evaluate=NotAsked()).search(won, simulations=300, seed=1)
    assert result.best_move.name == "c1"
    (move,) = (row for row in result.moves if row.name == "c1")
    assert move.value == 1.0


class OwnUCB1(NamedTuple):
    """UCB1 once more."""

    c: float = 2.0

    def shared(self, game, parts, tree, work, depth, n, log):
        return self.c * math.sqrt(log)

    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * root


@constants(NEEDS=())
class OwnMean(NamedTuple):
    """The mean once more."""

    def update(self, tree, work, depth):
        for d in range(depth + 1):
            node = work.path[d]
            tree.nodes[node].visits += 1
            tree.nodes[node].value += work.utilities[max(tree.nodes[node].player, 0)]


def test_a_sound_rule_searches_as_ours_does():
    here = position("tictactoe")
    own = MCTS(select=OwnUCB1(), backup=OwnMean()).search(here, simulations=150, seed=3)
    ours = MCTS(select=UCB1(2.0), backup=Mean()).search(here, simulations=150, seed=3)
    assert [(row.name, row.visits) for row in own.moves] == [
        (row.name, row.visits) for row in ours.moves
    ]
    assert str(own.engine).startswith("mcts(select=")
    assert pickle.loads(pickle.dumps(own)).moves == own.moves


def test_ours_are_not_looked_after():
    parts = parts_of(MCTS(), position("tictactoe"))
    for part in parts:
        assert not [name for name in dir(type(part)) if name.startswith("own_")]


class CountsItself(NamedTuple):
    """Right for one thread; where threads share a tree, visits are counted on the way down."""

    def update(self, tree, work, depth):
        for d in range(depth + 1):
            node = work.path[d]
            tree.nodes[node].visits += 1
            tree.nodes[node].value += work.utilities[max(tree.nodes[node].player, 0)]


@pytest.mark.plain
def test_a_backup_that_counts_visits_again_is_refused_with_threads():
    start = position("tictactoe")
    assert MCTS(backup=CountsItself()).search(start, simulations=50, seed=1).simulations == 50
    with pytest.raises(GameError, match="counts visits that were counted when threads entered"):
        MCTS(backup=CountsItself(), threads=2).search(start, simulations=50, seed=1)
    assert MCTS(threads=2).search(start, simulations=50, seed=1).simulations == 50
