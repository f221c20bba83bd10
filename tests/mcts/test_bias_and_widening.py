"""Progressive bias and progressive widening, the two ways to bring in the game's `order`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ponder import MCTS, InputError, position
from ponder.core.parts import canonical
from ponder.core.registry import parse_engine
from ponder.core.rng import new_rng
from ponder.expand import Progressive
from ponder.jit import kernel
from ponder.select import ProgressiveBias
from reference.hinted_tictactoe import BEST, HintedTicTacToe
from reference.sapling import Sapling, best_moves_found

# ------------------------------------------------------------------ progressive bias


def test_terms_of_progressive_bias_are_those_of_the_formula():
    made = Sapling("select=progressive_bias(c=0.7, weight=3)", HintedTicTacToe())
    visits, values, hints = (9, 2, 1), (4.5, -1.0, 0.0), (0.0, 0.25, 1.0)
    for child, n, value, hint in zip(
        made.grow(0, [0, 1, 2], 0), visits, values, hints, strict=True
    ):
        made.set(child, visits=n, value=value, hint=hint)
    made.set(0, visits=13)
    made.walk()
    wanted = [
        [value / n, 0.7 * math.sqrt(math.log(13) / n), 3 * hint / (n + 1)]
        for n, value, hint in zip(visits, values, hints, strict=True)
    ]
    assert made.plain_terms() == [pytest.approx(terms) for terms in wanted]
    assert made.compiled_terms() == [pytest.approx(terms) for terms in wanted]
    # 0.87, 0.04 and 2.62
    assert made.choose(new_rng(1)) == 3


def test_untried_children_are_tried_by_their_hints_and_equal_ones_at_random():
    made = Sapling("select=progressive_bias()", HintedTicTacToe())
    children = made.grow(0, [0, 1, 2, 3], 0)
    for child, n, hint in zip(children, (1, 0, 0, 0), (1.0, 0.5, 0.2, 0.5), strict=True):
        made.set(child, visits=n, hint=hint)
    made.set(0, visits=2)
    made.walk()
    assert {made.choose(new_rng(seed)) for seed in range(20)} == {children[1], children[3]}


def test_hints_are_the_order_scores_rescaled_within_the_node():
    result = MCTS(select=ProgressiveBias()).search(
        position(HintedTicTacToe()), simulations=9, seed=1
    )
    hints = {row.action: row.hint for row in result.tree._store.children(0)}
    # edges 10, corners 20, the centre 30
    assert hints == {a: 1.0 if a == 4 else 0.5 if a % 2 == 0 else 0.0 for a in range(9)}


def test_progressive_bias_needs_the_hook_order():
    with pytest.raises(InputError, match="needs a game with order, which TicTacToe lacks"):
        MCTS(select=ProgressiveBias()).search(position("tictactoe"), simulations=1)
    with pytest.raises(InputError, match="c and weight of 0 or more"):
        canonical(ProgressiveBias(weight=-1))


def test_progressive_bias_finds_the_best_moves_in_2000_simulations():
    engine = "select=progressive_bias(c=1.4), expand=progressive(3, 10, 1.3)"
    assert best_moves_found(engine, HintedTicTacToe(), BEST, 2000) is True


# ------------------------------------------------------------------ progressive widening


@kernel
def _widen(rule, tree, node):
    rule.widen(tree, node)


def opened(rule, total, visits):
    """How many of `total` children are open after so many visits of their parent."""
    made = Sapling(f"expand={rule}", HintedTicTacToe())
    made.grow(0, range(total), 0)
    made.set(0, count=min(made.parts.expand.first, total), total=total)
    counts = []
    for n in visits:
        made.set(0, visits=n)
        _widen(made.parts.expand, made.tree, np.int64(0))
        counts.append(int(made.nodes[0].count))
    return counts


def test_the_kth_child_opens_at_a_times_b_to_the_k_visits():
    # 50 * 1.3 = 65, 50 * 1.69 = 84.5, 50 * 2.197 = 109.85
    visits = [1, 64, 65, 84, 85, 109, 110]
    assert opened("progressive()", 20, visits) == [5, 5, 6, 6, 7, 7, 8]
    assert opened("progressive()", 7, [1000]) == [7]
    assert opened("progressive()", 3, [1, 1000]) == [3, 3]


def test_crazy_stones_schedule_is_one_of_these():
    # t_0 = 0, t_(n+1) = t_n + 40 * 1.4^n: the second move at 40, then 96, 174.4, 284.16
    t = [0.0]
    for n in range(4):
        t.append(t[-1] + 40 * 1.4**n)
    assert t[1:] == pytest.approx([40, 96, 174.4, 284.16])
    visits = [1, 39, 41, 95, 97, 174, 175, 284, 285]
    schedule = "progressive(first=1, a=100, b=1.4, offset=100)"
    assert opened(schedule, 20, visits) == [1, 1, 2, 2, 3, 3, 4, 4, 5]


@pytest.mark.plain
def test_the_best_children_by_order_open_first():
    result = MCTS(expand=Progressive(first=1, a=100, b=1.4, offset=100)).search(
        position(HintedTicTacToe()), simulations=95, seed=1
    )
    opened = result.tree._store.children(0).action.tolist()
    # the root counts a visit for being made: the 96th visit opens the third child for the next one
    assert len(opened) == len(result.moves) == 2
    assert opened[0] == 4
    assert opened[1] in (0, 2, 6, 8)


@pytest.mark.plain
def test_a_game_without_order_opens_children_in_random_order():
    start = position("tictactoe")
    firsts = set()
    for seed in range(12):
        engine = MCTS(expand=Progressive(first=1, a=1000, b=2))
        firsts.add(engine.search(start, simulations=5, seed=seed).action)
    assert len(firsts) > 3


def test_widening_works_under_other_rules_and_finds_the_best_moves():
    assert best_moves_found("expand=progressive(2, 5, 1.3)", "tictactoe", BEST, 3000) is True


def test_widening_asked_for_as_a_select_rule_is_explained():
    with pytest.raises(InputError, match=r"an expand rule, .*expand=progressive\(\.\.\.\)"):
        parse_engine("mcts(select=progressive_widening(c=1.4))")


def test_schedules_that_never_open_a_child_are_refused():
    with pytest.raises(InputError, match="first of progressive must be 1 or more"):
        canonical(Progressive(first=0))
    with pytest.raises(InputError, match="b above 1"):
        canonical(Progressive(b=1))
