"""Implicit minimax backups: the formula, the second value along the path, best moves."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, InputError, position
from ponder.core.game import CHANCE
from ponder.core.parts import canonical
from ponder.core.rng import new_rng
from ponder.select import ImplicitMinimax
from reference.hinted_tictactoe import BEST, HintedTicTacToe
from reference.sapling import Sapling, best_moves_found


def sapling():
    return Sapling("select=implicit_minimax(alpha=0.4, c=0.5)", HintedTicTacToe())


def test_terms_are_those_of_the_formula():
    made = sapling()
    visits, values, static = (4, 2), (2.0, -1.0), (0.25, 0.875)
    for child, n, value, v in zip(made.grow(0, [0, 1], 1), visits, values, static, strict=True):
        made.set(child, visits=n, value=value, static=(-9.0, v))  # player 1 chooses
    made.set(0, visits=7)
    made.walk()
    wanted = [
        [0.6 * value / n, 0.4 * v, 0.5 * math.sqrt(math.log(7) / n)]
        for n, value, v in zip(visits, values, static, strict=True)
    ]
    assert made.plain_terms() == [pytest.approx(terms) for terms in wanted]
    assert made.compiled_terms() == [pytest.approx(terms) for terms in wanted]
    # 0.3 + 0.1 + 0.35 and -0.3 + 0.35 + 0.49
    assert made.choose(new_rng(1)) == 1


def test_the_second_value_is_the_best_visited_childs_for_the_player_to_move():
    made = sapling()
    top = made.grow(0, [0, 1, 2], 0)
    replies = made.grow(top[0], [1, 2, 3], 1)
    for child, values in zip(replies, ((0.5, -0.5), (0.1, -0.1), (-9, 9)), strict=True):
        made.set(child, static=values, visits=1)
    made.set(replies[2], visits=0)  # never visited: it has no value
    made.set(top[1], static=(-0.3, 0.3), visits=1)
    made.set(top[0], visits=2)
    made.after([1.0, -1.0], made.walk(top[0], replies[0]))
    # player 1 takes the second reply, then player 0 prefers 0.1 to -0.3
    assert made.nodes[top[0]].static.tolist() == pytest.approx([0.1, -0.1])
    assert made.nodes[0].static.tolist() == pytest.approx([0.1, -0.1])


def test_at_dice_the_second_value_is_the_mean_by_visits():
    made = sapling()
    rolls = made.grow(0, [0, 1, 2], CHANCE)
    for child, n, v in zip(rolls, (3, 1, 0), (0.2, -0.6, 9.0), strict=True):
        made.set(child, visits=n, static=(v, -v))
    made.after([0.0, 0.0], made.walk(rolls[0]))
    # (3 * 0.2 - 0.6) / 4
    assert made.nodes[0].static.tolist() == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.plain
def test_in_a_search_the_values_are_minimax_of_evaluations_and_results():
    result = MCTS(select=ImplicitMinimax()).search(
        position(HintedTicTacToe(), "xx./oo./..."), simulations=300, seed=1
    )
    store = result.tree._store
    for node in range(store.size):
        children = [c for c in store.children(node) if c.visits]
        if children:
            mover = children[0].player
            best = max(float(c.static[mover]) for c in children)
            assert float(store.nodes[node].static[mover]) == best
    # x wins with c1: the true result stands there, and at the root
    won = [c for c in store.children(0) if c.action == 2]
    assert won[0].static.tolist() == [1.0, -1.0]
    assert store.nodes[0].static.tolist() == [1.0, -1.0]


def test_it_needs_a_game_that_evaluates_and_an_alpha_between_0_and_1():
    with pytest.raises(InputError, match="with evaluate, which TicTacToe lacks"):
        MCTS(select=ImplicitMinimax()).search(position("tictactoe"), simulations=1)
    with pytest.raises(InputError, match="alpha of implicit_minimax must be from 0 to 1"):
        canonical(ImplicitMinimax(alpha=1.5))


def test_the_best_moves_of_tictactoe_are_found_in_2000_simulations():
    engine = "select=implicit_minimax()"
    assert best_moves_found(engine, HintedTicTacToe(), BEST, 2000) is True
