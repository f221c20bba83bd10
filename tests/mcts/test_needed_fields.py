"""A rule of one's own gets the fields that it asks for, or is refused where nobody writes them."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

import ponder.rules
from ponder import MCTS, InputError, position
from ponder.check.rules import check_rule
from ponder.core.start import engine
from ponder.rules import add_amaf, add_squares, add_to_sums, constants, variance, variance_below

pytestmark = pytest.mark.plain


class Optimist(NamedTuple):
    """Counts with a field that somebody has to write."""

    c: float = 0.5

    def shared(self, game, parts, tree, work, depth, n, log):
        return self.c * math.sqrt(n)

    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * inverse


@constants(NEEDS=("squares",))
class Zeros(Optimist):
    pass


@constants(NEEDS=("squares",))
class Filled(Optimist):
    def shared(self, game, parts, tree, work, depth, n, log):
        return self.c * math.sqrt(n) * (1.0 + variance_below(tree, work.path[depth]))

    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * inverse * (1.0 + variance(tree, child, inverse))

    def after(self, tree, work, depth):
        add_squares(tree, work, depth)


@constants(NEEDS=("sums",))
class Sums(Optimist):
    def after(self, tree, work, depth):
        add_to_sums(tree, work, depth)


@constants(NEEDS=("amaf_value", "amaf_visits"), TRACE=True)
class Amaf(Optimist):
    def after(self, tree, work, depth):
        add_amaf(tree, work, depth)


@constants(NEEDS=("prior",))
class Prior(Optimist):
    pass


@constants(NEEDS=("squarez",))
class Misspelt(Optimist):
    pass


@constants(NEEDS=("backed",))
class Empty(NamedTuple):
    def update(self, tree, work, depth):
        for d in range(depth + 1):
            tree.nodes[work.path[d]].visits += 1

    def worth(self, tree, child, inverse):
        return tree.nodes[child].backed[tree.nodes[child].player]


REFUSED = [
    (Zeros(), "select", r"asks for squares \(NEEDS\), which nobody writes: .* add_squares\(tree"),
    (Prior(), "select", r"asks for prior .*all_children\(priors=uniform\(\)\)"),
    (Misspelt(), "select", "asks for 'squarez' .* nodes do not have; available: squares,"),
    (Empty(), "backup", "asks for backed .* write it yourself"),
]


@pytest.mark.parametrize(("rule", "kind", "said"), REFUSED)
def test_a_field_that_nobody_writes_is_refused_before_a_search(rule, kind, said):
    for _ in range(2):  # the second time, too
        with pytest.raises(InputError, match=said):
            MCTS(**{kind: rule}).search(position("tictactoe"), simulations=10)


@pytest.mark.parametrize("rule", [Zeros(), Misspelt(), Empty()])
def test_the_check_of_a_rule_finds_it(rule):
    (found,) = check_rule(rule).findings
    assert "(NEEDS)" in str(found)


@pytest.mark.parametrize("rule", [Filled(), Sums(), Amaf(), Prior()])
def test_a_field_that_somebody_writes_is_there(rule):
    expand = (
        engine("mcts(expand=all_children())").expand if isinstance(rule, Prior) else MCTS().expand
    )
    made = MCTS(select=rule, expand=expand)
    result = made.search(position("tictactoe"), simulations=200, seed=1)
    written = result.tree._store.nodes
    for field in type(rule).NEEDS:
        assert len({value.tobytes() for value in written[field]}) > 1
    if not isinstance(rule, Amaf):  # which is not for the game with dice
        assert check_rule(rule).ok


def test_squares_are_the_sums_of_squared_utilities():
    """Of tic-tac-toe every utility is -1, 0 or 1: a square counts the games that were not drawn."""
    tree = MCTS(select=Filled()).search(position("tictactoe"), simulations=300, seed=2).tree
    for node in tree._store.nodes[1:]:
        assert 0 <= node.squares <= node.visits
        assert node.squares >= abs(node.value)
        assert node.squares == int(node.squares)


def test_what_shipped_rules_are_made_of_is_public():
    for name in ("add_squares", "add_to_sums", "add_amaf", "variance", "variance_below"):
        assert name in ponder.rules.__all__
