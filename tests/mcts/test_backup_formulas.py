"""Every backup rule on trees made by hand, against arithmetic written out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from ponder import CHANCE, InputError, position
from ponder.backup import Discounted, Max, Mean, Mix, PowerMean, RobustMax, TreeMinimax
from ponder.core.registry import parse_engine, part_text
from ponder.jit import kernel
from ponder.mcts.backup.operators import mean_weight, mixed
from ponder.mcts.backup.vectors import Opponents
from ponder.mcts.parts import completed
from ponder.mcts.tree import TreeStore, node_type

pytestmark = pytest.mark.plain

NEEDS = ("backed", "sums", "low", "high", "total")


class Kept(NamedTuple):
    backup: Any


class Length(NamedTuple):
    length: Any


class HandWork(NamedTuple):
    utilities: Any
    path: Any
    trace: Any
    memory: Any


@kernel
def compiled_update(rule, tree, work, depth):
    rule.update(tree, work, depth)


@kernel
def compiled_worth(rule, tree, child, inverse):
    return rule.worth(tree, child, inverse)


def plain_update(rule, tree, work, depth):
    rule.update(tree, work, depth)


class HandTree:
    """Nodes are added with their statistics; then a simulation is backed up along a path."""

    def __init__(self, players=2, lowest=-1.0, highest=1.0):
        self.store = TreeStore(1, node_type(NEEDS, players), utilities=(lowest, highest))
        self.players = players
        self.nodes = self.store.tree.nodes

    def add(self, parent, player, *children):
        """Children as (visits, backed vector); returns the index of the first."""
        first = self.store.size
        for i, (visits, backed) in enumerate(children):
            self.nodes[first + i] = self.store.blank[0]
            node = self.nodes[first + i]
            node.visits, node.player = visits, player
            node.backed[:] = backed
        self.store.info[0] += len(children)
        self.nodes[parent].first, self.nodes[parent].count = first, len(children)
        return first

    def back_up(self, rule, path, utilities, update=compiled_update, length=0, opposed=True):
        work = HandWork(
            np.array(utilities, float),
            np.array(path, np.int64),
            Length(np.array([length], np.int64)),
            Kept(Opponents(opposed)),
        )
        update(completed("backup", rule), self.store.tree, work, len(path) - 1)


both_ways = pytest.mark.parametrize("update", [compiled_update, plain_update])


def three_replies(update, rule, **options):
    """Node 1, chosen by player 0, has three replies of player 1; the third gets its first visit.

    Values of the replies for player 1: 0.5 (4 visits), 0.2 (6 visits), and now 0.9 (1 visit).
    """
    tree = HandTree()
    tree.nodes[0].visits, tree.nodes[0].player = 12, 0
    tree.add(0, 0, (11, (0, 0)))
    replies = tree.add(1, 1, (4, (-0.5, 0.5)), (6, (-0.2, 0.2)), (0, (0, 0)))
    tree.nodes[1].sums[:] = -4.0, 4.0
    tree.back_up(rule, [0, 1, replies + 2], (-0.9, 0.9), update, **options)
    return tree, replies


@both_ways
def test_every_rule_counts_visits_and_utilities_of_the_owner(update):
    for rule in (Max(), RobustMax(), TreeMinimax(), Mix(81), PowerMean(2.0), Discounted(0.5)):
        tree, replies = three_replies(update, rule)
        assert [tree.nodes[i].visits for i in (0, 1, replies + 2)] == [13, 12, 1]
        # player 0 chose the edge to node 1 (and owns the root), player 1 that to the reply
        assert [tree.nodes[i].value for i in (0, 1, replies + 2)] == [-0.9, -0.9, 0.9]


@both_ways
def test_max_takes_the_best_visited_child_of_the_mover(update):
    tree, replies = three_replies(update, Max())
    assert tuple(tree.nodes[replies + 2].backed) == (-0.9, 0.9)
    assert tuple(tree.nodes[1].backed) == (-0.9, 0.9)
    assert tuple(tree.nodes[0].backed) == (-0.9, 0.9)  # the only move at the root
    assert compiled_worth(Max(), tree.store.tree, 1, 1 / 12) == -0.9
    assert compiled_worth(Max(), tree.store.tree, replies + 2, 1.0) == 0.9


def test_max_does_not_look_at_children_without_a_visit():
    tree = HandTree()
    tree.nodes[0].player = 0
    first = tree.add(0, 0, (0, (0, 0)), (0, (0, 0)))
    tree.back_up(Max(), [0, first], (-0.7, 0.7))
    assert tuple(tree.nodes[0].backed) == (-0.7, 0.7)  # not the 0 of the other


@both_ways
def test_robust_max_takes_the_most_visited_child(update):
    tree, _ = three_replies(update, RobustMax())
    assert tuple(tree.nodes[1].backed) == (-0.2, 0.2)  # 6 visits against 4 and 1


def test_robust_max_prefers_the_better_of_two_children_visited_as_often():
    tree = HandTree()
    tree.nodes[0].player = 0
    first = tree.add(0, 0, (2, (0.1, -0.1)), (1, (0.3, -0.3)))
    tree.back_up(RobustMax(), [0, first + 1], (0.3, -0.3))
    assert tree.nodes[0].backed[0] == pytest.approx(0.3)


@both_ways
@pytest.mark.parametrize("rule", [Max, RobustMax, Mix])
def test_a_node_with_fewer_evaluations_than_points_is_worth_their_mean(rule, update):
    # node 1 then has 12 evaluations, which add up to 4.9 for player 1
    external, _ = three_replies(update, rule(points=13))
    assert tuple(external.nodes[1].backed) == pytest.approx((-4.9 / 12, 4.9 / 12))
    internal, _ = three_replies(update, rule(points=12))
    without, _ = three_replies(update, rule(points=1))
    if rule is Mix:  # its points are the weight of the mean, too: robust 0.2 < mean < best 0.9
        assert internal.nodes[1].backed[1] == pytest.approx(4.9 / 12)
    else:
        assert tuple(internal.nodes[1].backed) == tuple(without.nodes[1].backed)
        assert internal.nodes[1].backed[1] == (0.9 if rule is Max else 0.2)


def test_the_mean_of_an_external_root_leaves_its_first_visit_out():
    # the root counts a visit for being made, which brought no evaluation
    tree = HandTree()
    tree.nodes[0].player, tree.nodes[0].visits = 0, 1
    first = tree.add(0, 0, (0, (0, 0)), (0, (0, 0)))
    tree.back_up(Max(points=3), [0, first], (1, -1))
    tree.back_up(Max(points=3), [0, first + 1], (-0.5, 0.5))
    assert tuple(tree.nodes[0].backed) == (0.25, -0.25)
    tree.back_up(Max(points=3), [0, first + 1], (-0.5, 0.5))  # the third: internal from now on
    assert tuple(tree.nodes[0].backed) == (1, -1)


@both_ways
def test_minimax_is_the_mean_until_every_child_is_visited(update):
    tree = HandTree()
    tree.nodes[0].player = 0
    first = tree.add(0, 0, (0, (0, 0)), (0, (0, 0)), (0, (0, 0)))
    tree.back_up(TreeMinimax(), [0, first], (0.5, -0.5), update)
    tree.back_up(TreeMinimax(), [0, first + 1], (-0.3, 0.3), update)
    assert tree.nodes[0].backed[0] == pytest.approx((0.5 - 0.3) / 2)  # the root's own mean
    tree.back_up(TreeMinimax(), [0, first + 2], (-1, 1), update)
    assert tuple(tree.nodes[0].backed) == (0.5, -0.5)


@both_ways
def test_minimax_may_be_asked_for_more_evaluations(update):
    external, _ = three_replies(update, TreeMinimax(points=13))
    assert tuple(external.nodes[1].backed) == pytest.approx((-4.9 / 12, 4.9 / 12))
    internal, _ = three_replies(update, TreeMinimax(points=12))
    assert tuple(internal.nodes[1].backed) == (-0.9, 0.9)


@both_ways
def test_a_leaf_visited_again_is_worth_the_mean_of_its_evaluations(update):
    for rule in (Max(), RobustMax(), TreeMinimax(), Mix(9), PowerMean(3.0)):
        tree = HandTree()
        tree.nodes[0].player = 0
        first = tree.add(0, 0, (0, (0, 0)))
        for u in (1.0, 0.0, -0.5):
            tree.back_up(rule, [0, first], (u, -u), update)
        assert tuple(tree.nodes[first].backed) == pytest.approx((0.5 / 3, -0.5 / 3))


@both_ways
def test_chance_is_the_mean_of_its_outcomes_by_visits(update):
    for rule in (Max(), RobustMax(), TreeMinimax(), Mix(9), PowerMean(3.0)):
        tree = HandTree(players=1)
        tree.nodes[0].player = 0
        tree.add(0, 0, (9, (0,)))
        dice = tree.add(1, CHANCE, (5, (0.4,)), (3, (-0.2,)), (0, (0,)))
        tree.back_up(rule, [0, 1, dice + 2], (0.8,), update, opposed=False)
        # (5 * 0.4 - 3 * 0.2 + 1 * 0.8) / 9
        assert tree.nodes[1].backed[0] == pytest.approx(2.2 / 9)
        assert tree.nodes[1].value == tree.nodes[dice + 2].value == 0.8  # the owner above


def test_three_players_get_the_whole_vector_of_the_chosen_child():
    tree = HandTree(players=3, lowest=0.0)
    tree.nodes[0].player = 0
    tree.add(0, 0, (5, (0, 0, 0)))
    replies = tree.add(1, 1, (2, (0.1, 0.6, 0.3)), (0, (0, 0, 0)))
    tree.back_up(Max(), [0, 1, replies + 1], (0.4, 0.4, 0.2), opposed=False)
    assert tuple(tree.nodes[1].backed) == (0.1, 0.6, 0.3)  # the best for player 1


# ------------------------------------------------------------------ mix

VECTORS = [
    # S, mean, games, values, result: Coulom's formula on 9x9
    (1000, 2.0, (600, 300), (5, 3), 4.3622047),
    (1000, 2.0, (100, 700), (5, 3), 2.8120650),
    (1000, 4.0, (100, 700), (5, 3), 4.0),
    (1000, 6.0, (100, 700), (5, 3), 5.6183206),
    (10000, 4.5, (8000, 1000), (5, 3), 4.9324324),
    (1000, 2.0, (600, 0), (5, 3), 5.0),
]


@pytest.mark.parametrize(("simulations", "mean", "games", "values", "result"), VECTORS)
def test_mix_gives_the_values_of_coulom(simulations, mean, games, values, result):
    w = mean_weight(81, simulations, 2.0, 16.0)
    best, second, middle = mixed(w, mean, *games, *map(float, values))
    assert best + second + middle == pytest.approx(1)
    assert best * values[0] + second * values[1] + middle * mean == pytest.approx(result, abs=1e-6)


@pytest.mark.parametrize(("simulations", "mean", "games", "values", "result"), VECTORS)
def test_mix_gives_the_same_values_in_a_tree(simulations, mean, games, values, result):
    tree = HandTree(lowest=-100.0, highest=100.0)
    tree.nodes[0].visits, tree.nodes[0].player = simulations, 0
    tree.add(0, 0, (simulations - 1, (0, 0)))
    pairs = [(g, (-v, v)) for g, v in zip(games, values, strict=True)]
    pairs[0] = (games[0] - 1, pairs[0][1])
    replies = tree.add(1, 1, *pairs)
    # the simulation that is backed up brings the best child's own value, and the sums to S * mean
    tree.nodes[1].sums[:] = -(simulations * mean - values[0]), simulations * mean - values[0]
    tree.back_up(Mix(81), [0, 1, replies], (-values[0], values[0]))
    assert tuple(tree.nodes[1].backed) == pytest.approx((-result, result), abs=1e-6)


def test_the_weight_of_the_mean_grows_after_sixteen_times_the_points():
    weights = [mean_weight(81, n, 2.0, 16.0) for n in (1, 1296, 1297)]
    assert weights == [162, 162, 162.125]
    assert [mean_weight(10, n, 3.0, 4.0) for n in (1, 40, 80)] == [30, 30, 60]


def test_mix_compares_the_best_with_the_most_visited_of_all():
    # values 0.6, 0.5, 0.3 with 2, 3, 40 visits: move 1 is the third, neither of the best two
    tree = HandTree()
    tree.nodes[0].visits, tree.nodes[0].player = 46, 0
    first = tree.add(0, 0, (1, (0.6, -0.6)), (3, (0.5, -0.5)), (40, (0.3, -0.3)))
    tree.nodes[0].sums[:] = 8.4, -8.4
    tree.back_up(Mix(5), [0, first], (0.6, -0.6))
    # S = 46 (the root's first visit brought nothing), m = 9.0 / 46, w = 10; 0.3 > m: A_1
    mean = 9.0 / 46
    assert tree.nodes[0].backed[0] == pytest.approx((40 * 0.3 + 10 * mean) / 50)


@both_ways
@pytest.mark.parametrize("visits", [(3, 40), (40, 3)])
@pytest.mark.parametrize("mean", [0.4, 0.7])
def test_of_equal_children_mix_takes_the_first_as_the_best(update, visits, mean):
    # both are worth 0.5; S = 44, w = 10
    tree = HandTree()
    tree.nodes[0].visits, tree.nodes[0].player = 44, 0
    first = tree.add(0, 0, *((n, (0.5, -0.5)) for n in visits))
    tree.nodes[first].visits -= 1  # the simulation that is backed up is its last one
    tree.nodes[0].sums[:] = 44 * mean - 0.5, 0.5 - 44 * mean
    tree.back_up(Mix(5), [0, first], (0.5, -0.5), update)
    games = max(visits) if mean < 0.5 else visits[0]
    value = (games * 0.5 + 10 * mean) / (games + 10)
    assert tree.nodes[0].backed[0] == pytest.approx(value)


@pytest.mark.parametrize("rule", [Max, RobustMax, Mix])
def test_points_are_the_legal_moves_of_the_root_unless_given(rule):
    assert rule().fitted(position("connect4")) == rule(7)
    assert rule(81).fitted(position("connect4")) == rule(81)


# ------------------------------------------------------------------ power mean


@both_ways
def test_power_mean_of_the_mover_and_what_is_left_for_the_opponent(update):
    tree, _ = three_replies(update, PowerMean(2.0))
    # shifted to [0, 1]: 0.75, 0.6, 0.95 with 4, 6, 1 of 11 visits
    shifted = ((4 * 0.75**2 + 6 * 0.6**2 + 0.95**2) / 11) ** 0.5
    value = 2 * shifted - 1
    assert tuple(tree.nodes[1].backed) == pytest.approx((-value, value))


def test_power_mean_with_power_one_is_the_mean_of_the_children():
    tree, _ = three_replies(compiled_update, PowerMean(1.0))
    assert tree.nodes[1].backed[1] == pytest.approx((4 * 0.5 + 6 * 0.2 + 0.9) / 11)


def test_a_large_power_comes_close_to_the_best_child_and_does_not_vanish():
    tree, _ = three_replies(compiled_update, PowerMean(5000.0))
    # (1 / 11)^(1 / 5000) = 0.99952
    assert tree.nodes[1].backed[1] == pytest.approx(2 * 0.95 * (1 / 11) ** (1 / 5000) - 1)


def test_without_a_constant_sum_the_others_get_their_mean():
    tree, _ = three_replies(compiled_update, PowerMean(2.0), opposed=False)
    assert tree.nodes[1].backed[0] == pytest.approx(-(4 * 0.5 + 6 * 0.2 + 0.9) / 11)


def test_power_mean_of_nothing_but_losses_is_a_loss():
    tree = HandTree()
    tree.nodes[0].player = 0
    first = tree.add(0, 0, (0, (0, 0)))
    tree.back_up(PowerMean(2.0), [0, first], (-1, 1))
    assert tuple(tree.nodes[0].backed) == (-1, 1)


# ------------------------------------------------------------------ discounted


@both_ways
def test_discounted_results_count_less_the_longer_the_game(update):
    tree = HandTree()
    tree.nodes[0].player = 0
    tree.add(0, 0, (1, (0.5, -0.5)))
    dice = tree.add(1, CHANCE, (0, (0, 0)))
    reply = tree.add(dice, 1, (0, (0, 0)))
    # five moves of players in all: two of them in the tree, chance does not count
    tree.back_up(Discounted(0.9), [0, 1, dice, reply], (1, -1), update, length=5)
    assert tree.nodes[0].backed[0] == pytest.approx(0.9**5)
    assert tree.nodes[1].backed[0] == pytest.approx((0.5 + 0.9**4) / 2)
    assert tree.nodes[dice].backed[0] == pytest.approx(0.9**4)
    assert tuple(tree.nodes[reply].backed) == pytest.approx((0.9**3, -(0.9**3)))
    assert compiled_worth(Discounted(0.9), tree.store.tree, reply, 1.0) == pytest.approx(-(0.9**3))


# ------------------------------------------------------------------ texts and parameters


@pytest.mark.parametrize(
    "text",
    [
        "mcts(backup=max())",
        "mcts(backup=robust_max())",
        "mcts(backup=max(points=9))",
        "mcts(backup=minimax())",
        "mcts(backup=minimax(points=9))",
        "mcts(backup=mix(points=81))",
        "mcts(backup=power_mean(p=4.0))",
        "mcts(backup=discounted(gamma=0.9))",
        "mcts(backup=solver(backup=mix(points=81)))",
        "mcts(backup=solver(wins='tried'))",
    ],
)
def test_backup_rules_print_and_parse_back_to_themselves(text):
    assert part_text(parse_engine(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mix(points=-1)", "points of mix must not be negative"),
        ("max(points=-1)", "points of max must not be negative"),
        ("robust_max(points=-1)", "points of robust_max must not be negative"),
        ("minimax(points=-1)", "points of minimax must not be negative"),
        ("mix(weight=-1)", "mix needs a weight of 0 or more and until above 0, not -1 and 16"),
        ("power_mean(p=0.5)", "p of power_mean is 1 or more, not 0.5"),
        ("discounted(gamma=0)", "gamma of discounted is above 0 and at most 1, not 0"),
        ("solver(backup=solver())", "solver has no solver inside"),
        ("solver(wins='all')", "wins of solver is 'known', 'tried' or 'none', not 'all'"),
    ],
)
def test_parameters_out_of_range_are_refused(text, said):
    with pytest.raises(InputError, match=said):
        parse_engine(f"mcts(backup={text})")


def test_the_mean_is_unchanged():
    tree, _ = three_replies(compiled_update, Mean())
    assert tree.nodes[1].value == -0.9
    assert tuple(tree.nodes[1].backed) == (0, 0)
