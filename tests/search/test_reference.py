"""The reference searches on trees that are checked by hand, and on random ones."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from plain_games import Countdown
from ponder import InputError, Position, position
from ponder.games.tree import tree_game
from ponder.search.reference import alpha_beta, expectimax, expectiminimax, max_n, minimax, uct
from reference.naive_tictactoe import NaiveTicTacToe
from reference.nested_tree import nested_trees, size, true_values

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
COINS = {
    "safe": 2,  # beats 0.5 * 5 + 0.5 * -3 = 1, not 0.9 * 3 = 2.7
    "even": {"chance": [[0.5, 5], [0.5, -3]]},
    "good": {"chance": [[0.9, 3], [0.1, 0]]},
}


def tree(nested, players=2):
    return Position(tree_game(nested, players))


# ------------------------------------------------------------------ minimax and alpha-beta


def test_the_textbook_tree_is_worth_3():
    found = minimax(tree(TEXTBOOK))
    assert found == (3, 0, (0, 0), 13)


def test_alpha_beta_leaves_out_two_leaves_of_the_textbook_tree():
    # after 3, the 2 of the second branch refutes it: 4 and 6 are never looked at
    assert alpha_beta(tree(TEXTBOOK)) == (3, 0, (0, 0), 13 - 2)


def test_alpha_beta_leaves_out_more_when_good_moves_come_first():
    def worst_leaf_first(s):
        return sorted(s.legal_actions, key=lambda a: s.play(a).returns or (0,))

    # now the third branch begins with its 2 as well: 14 and 5 are not looked at either
    found = alpha_beta(tree(TEXTBOOK), order=worst_leaf_first)
    assert (found.value, found.nodes) == (3, 13 - 4)


def test_a_value_outside_the_window_is_a_bound():
    low = alpha_beta(tree(TEXTBOOK), window=(5, 10))
    assert 3 <= low.value <= 5  # an upper bound
    high = alpha_beta(tree(TEXTBOOK), window=(0, 2))
    assert 2 <= high.value <= 3  # a lower bound
    assert high.nodes < 11


def test_ties_go_to_the_first_move():
    assert minimax(tree([[1], [2, 5], [2]])).action == 1
    assert alpha_beta(tree([[1], [2, 5], [2]])).action == 1
    assert max_n(tree([[1], [2, 5], [2]])).action == 1


def test_the_value_is_for_the_player_to_move_unless_told():
    s = tree(TEXTBOOK).play(0)  # player 1 moves
    assert minimax(s).value == -3
    assert minimax(s, player=0).value == 3
    assert alpha_beta(s, player=0).value == 3


def test_a_player_who_moves_twice_is_still_the_same_player():
    nested = {"player": 0, "moves": [{"player": 0, "moves": [5, -5]}, 1]}
    for search in (minimax, alpha_beta, expectiminimax):
        assert search(tree(nested))[:3] == (5, 0, (0, 0))


@settings(max_examples=300, deadline=None)
@given(nested_trees(2, any_turns=True))
def test_alpha_beta_equals_minimax_on_random_trees(nested):
    s = tree(nested)
    full, pruned = minimax(s, player=0), alpha_beta(s, player=0)
    assert full.value == true_values(nested, 2)[0]
    assert full.nodes == size(nested)
    assert pruned[:3] == full[:3]
    assert pruned.nodes <= full.nodes


@settings(max_examples=100, deadline=None)
@given(nested_trees(2))
def test_every_window_gives_the_value_or_a_bound_on_the_right_side(nested):
    s = tree(nested)
    exact = minimax(s, player=0).value
    for alpha, beta in ((-3, 3), (0, 1), (-9, -2)):
        v = alpha_beta(s, player=0, window=(alpha, beta)).value
        if v <= alpha:
            assert exact <= v
        elif v >= beta:
            assert exact >= v
        else:
            assert exact == v


# ------------------------------------------------------------------ chance


def test_expectimax_takes_the_best_average():
    found = expectimax(tree({"moves": COINS}, players=1))
    assert found.value == pytest.approx(2.7)
    assert found.action == 2
    assert found.line == (2,)  # chance decides what comes next
    assert found.nodes == 8


def test_expectimax_with_decisions_after_the_dice():
    # a die decides how good the second choice is: 1/3 * max(1, 4) + 2/3 * max(2, 0) = 8/3
    nested = {"chance": [["1/3", [1, 4]], ["2/3", [2, 0]]]}
    found = expectimax(tree(nested, players=1))
    assert found.value == pytest.approx(8 / 3)
    assert found.action is None


def test_expectiminimax_by_hand():
    # MIN answers each outcome: left 0.5 * min(2, 6) + 0.5 * min(9, 4) = 3;
    # right 0.9 * min(3, 5) + 0.1 * min(1, 0) = 2.7
    nested = [
        {"chance": [[0.5, [2, 6]], [0.5, [9, 4]]]},
        {"chance": [[0.9, [3, 5]], [0.1, [1, 0]]]},
    ]
    found = expectiminimax(tree(nested))
    assert (found.value, found.action, found.nodes) == (pytest.approx(3), 0, 15)
    after = tree(nested).play(1)
    assert expectiminimax(after).value == pytest.approx(2.7)  # for player 0, who is nobody's foe
    assert expectiminimax(after, player=1).value == pytest.approx(-2.7)


def test_only_monotone_changes_leave_minimax_alone_and_only_affine_ones_expectimax():
    risky = [[1], {"chance": [[0.5, 0], [0.5, 3]]}]
    cautious = [[1], {"chance": [[0.5, 0], [0.5, math.sqrt(3)]]}]  # the square roots
    assert expectimax(tree(risky, 1)).action == 1
    assert expectimax(tree(cautious, 1)).action == 0
    roots = [[math.sqrt(leaf) for leaf in branch] for branch in TEXTBOOK]
    assert minimax(tree(roots)).line == minimax(tree(TEXTBOOK)).line


@settings(max_examples=200, deadline=None)
@given(nested_trees(2, chance=True, any_turns=True))
def test_expectiminimax_on_random_trees(nested):
    found = expectiminimax(tree(nested), player=0)
    assert found.value == pytest.approx(true_values(nested, 2)[0])
    assert found.nodes == size(nested)


@settings(max_examples=100, deadline=None)
@given(nested_trees(1, chance=True))
def test_expectimax_on_random_trees(nested):
    assert expectimax(tree(nested, 1)).value == pytest.approx(true_values(nested, 1)[0])


# ------------------------------------------------------------------ max^n


def leaf(*utilities):
    return {"returns": list(utilities)}


def test_max_n_by_hand():
    # player 2 picks (1,2,6) over (4,3,2), and (5,1,9) over (7,4,1); player 1 then prefers
    # (1,2,6) to (5,1,9). On the other side player 2 is indifferent: the first, (2,7,5), stands;
    # player 1 prefers it to (5,4,8). Player 0 compares 1 with 2.
    nested = [
        [[leaf(1, 2, 6), leaf(4, 3, 2)], [leaf(7, 4, 1), leaf(5, 1, 9)]],
        [[leaf(2, 7, 5), leaf(6, 0, 5)], [leaf(5, 4, 8), leaf(9, 9, 3)]],
    ]
    found = max_n(tree(nested, 3))
    assert found == ((2, 7, 5), 1, (1, 0, 0), 15)


def test_how_a_tie_is_broken_decides_for_the_others():
    # player 1 does not care, player 0 does: the first move is taken
    assert max_n(tree([[leaf(0, 1, 0), leaf(9, 1, 0)], leaf(5, 0, 0)], 3)).action == 1
    assert max_n(tree([[leaf(9, 1, 0), leaf(0, 1, 0)], leaf(5, 0, 0)], 3)).action == 0


def test_max_n_is_not_minimax_where_utilities_are_not_opposed():
    nested = [[leaf(5, 5), leaf(0, 1)], leaf(3, 0)]  # both like 5
    assert max_n(tree(nested)).values == (5, 5)


@settings(max_examples=200, deadline=None)
@given(nested_trees(3, chance=True, any_turns=True))
def test_max_n_on_random_trees_of_three_players(nested):
    found = max_n(tree(nested, 3))
    assert found.nodes == size(nested)
    assert found.values == pytest.approx(true_values(nested, 3))


@settings(max_examples=100, deadline=None)
@given(nested_trees(2, any_turns=True))
def test_max_n_equals_minimax_for_two_opposed_players(nested):
    assert max_n(tree(nested)).values[0] == minimax(tree(nested), player=0).value


# ------------------------------------------------------------------ depth limits


class Estimated(Countdown):
    """The estimate says how many are left."""

    utilities = (-10, 10)

    def returns(self, state):
        return (10, -10) if state[1] else (-10, 10)

    def evaluate(self, state):
        return (state[0], -state[0])


def test_at_the_depth_limit_the_estimate_counts():
    s = Position(Estimated())
    assert minimax(s, 0) == (5, None, (), 1)
    assert minimax(s, 1) == (4, 1, (1,), 3)
    # two plies: after 1, the answers leave 3 or 2; after 2, they leave 2 or 1
    assert minimax(s, 2) == (2, 1, (1, 2), 7)
    for search in (alpha_beta, expectiminimax):
        assert search(s, 2)[:3] == (2, 1, (1, 2))
    assert max_n(s, 2).values == (2, -2)
    assert minimax(s, 9) == minimax(s)
    assert minimax(s).value == 10  # 5 is no multiple of 3: the first player wins


# ------------------------------------------------------------------ UCT


def test_uct_follows_its_formula_by_hand():
    # One player, two leaves worth 1 and 0, c = 1/sqrt(2): scores 1 + sqrt(ln N / n) and
    # 0 + sqrt(ln N / 1). The bad leaf is tried again when sqrt(ln N) > 1 + sqrt(ln N / (N - 1)):
    # at N = 9: 1.482 < 1.524, at N = 10: 1.517 > 1.506.
    def visits(simulations):
        moves = uct(tree([1, 0], 1), simulations, seed=1).moves
        return {m.action: m.visits for m in moves}

    assert visits(2) == {0: 1, 1: 1}
    assert visits(10) == {0: 9, 1: 1}
    assert visits(11) == {0: 9, 1: 2}


def test_uct_finds_the_move_of_the_textbook_tree():
    found = uct(tree(TEXTBOOK), 4000, c=4.0, seed=1)
    assert found.action == 0
    assert found.nodes == 13
    assert sum(m.visits for m in found.moves) == 4000
    assert found.values[0] == -found.values[1]
    assert found.values[0] == pytest.approx(3, abs=0.3)


def test_uct_does_not_think_that_turns_alternate():
    nested = {"player": 0, "moves": [{"player": 0, "moves": [1, -1]}, 0.2]}
    assert uct(tree(nested), 500, seed=1).action == 0


def test_uct_averages_over_chance():
    found = uct(tree({"moves": COINS}, 1), 3000, c=3.0, seed=1)
    assert found.action == 2
    means = {m.action: m.value for m in found.moves}
    assert means[0] == 2
    assert means[2] == pytest.approx(2.7, abs=0.1)


def test_uct_lets_three_players_want_different_things():
    nested = [
        [leaf(1, 0, 0), leaf(0, 1, 0)],  # player 1 takes the second: player 0 gets 0
        [leaf(0.4, 0.3, 0), leaf(0.9, 0.1, 0)],  # player 1 takes the first: 0.4
    ]
    assert uct(tree(nested, 3), 2000, seed=1).action == max_n(tree(nested, 3)).action == 1


def test_uct_plays_tic_tac_toe_on_compiled_and_plain_rules():
    compiled = position("tictactoe", "xx./oo./...")
    assert compiled.action_name(uct(compiled, 300, seed=1).action) == "c1"
    plain = Position(NaiveTicTacToe()).play_all([0, 3, 1, 4])
    assert uct(plain, 300, seed=1).action == 2


def test_the_same_seed_gives_the_same_search():
    s = position("tictactoe")
    assert uct(s, 200, seed=5) == uct(s, 200, seed=5)
    assert uct(s, 200, seed=5) != uct(s, 200, seed=6)


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("search", "complaint"),
    [
        (lambda: minimax(tree({"chance": [[1, [1, 2]]]})), "expectiminimax"),
        (lambda: alpha_beta(tree([{"chance": [[1, 1]]}])), "expectiminimax"),
        (lambda: minimax(tree([leaf(1, 2, 3)], 3)), "max_n"),
        (lambda: alpha_beta(tree([leaf(1, 2, 3)], 3)), "max_n"),
        (lambda: expectiminimax(tree([leaf(1, 2, 3)], 3)), "max_n"),
        (lambda: expectimax(tree([1, 2])), "expectiminimax"),
        (lambda: minimax(tree([1, 2]), player=2), "player must be 0 to 1"),
        (lambda: alpha_beta(tree([1, 2]), window=(1, 1)), "alpha < beta"),
        (lambda: minimax(tree([[1]]), 1), "no evaluate"),
        (lambda: uct(tree(3), 10), "a player is to move"),
        (lambda: uct(tree([1, 2]), 0), "at least 1"),
    ],
)
def test_what_a_search_cannot_do_it_says(search, complaint):
    with pytest.raises(InputError, match=complaint):
        search()
