"""Crazy Stone's urgencies: the test vector, variances, external and internal nodes, ataris."""

from __future__ import annotations

import math
import random

import pytest

from ponder import MCTS, InputError, position
from ponder.core.parts import canonical
from ponder.core.rng import new_rng
from ponder.select import Urgency
from reference.hinted_tictactoe import BEST, HintedTicTacToe
from reference.sapling import Sapling, best_moves_found


def sapling(rule, children, game="tictactoe", bounds=None, actions=None):
    """A root with children given as (visits, mean, sum of squares)."""
    made = Sapling(f"select={rule}", game, bounds)
    grown = made.grow(0, actions or range(len(children)), 0)
    for child, (n, mean, squares) in zip(grown, children, strict=True):
        made.set(child, visits=n, value=n * mean, squares=squares)
    made.set(0, visits=1 + sum(n for n, _, _ in children))
    made.walk()
    return made


def urgencies(mu, variances, urgent=(), floor=1, k=2.4):
    """The formula, for moves in any order."""
    ranks = sorted(range(len(mu)), key=lambda i: -mu[i])
    best = ranks[0]
    u = [
        math.exp(-k * (mu[best] - mu[i]) / math.sqrt(2 * (variances[best] + variances[i])))
        + floor * (0.1 + 2.0 ** -ranks.index(i) + (1 if i in urgent else 0)) / len(mu)
        for i in range(len(mu))
    ]
    return [x / sum(u) for x in u]


def test_the_published_formula_gives_the_known_numbers():
    # sigma^2 = (squares - S mu^2 + R^2) / (S + 1) = 1 with S = 3, R = 2: squares = 3 mu^2
    made = sapling("urgency(points=100)", [(3, 1.0, 3.0), (3, 0.0, 0.0), (3, -1.0, 3.0)])
    wanted = (1.366667, 0.501194, 0.207385)
    probabilities = (0.658557, 0.241511, 0.099933)
    assert made.weights() == pytest.approx(probabilities, abs=1e-6)
    assert made.plain_weights() == pytest.approx(probabilities, abs=1e-6)
    assert [u / sum(wanted) for u in wanted] == pytest.approx(probabilities, abs=1e-6)
    assert urgencies((1, 0, -1), (1, 1, 1)) == pytest.approx(probabilities, abs=1e-6)


@pytest.mark.parametrize("k", [0, 1.2, 4.8])
def test_the_steepness_is_a_parameter(k):
    made = sapling(f"urgency(points=100, k={k})", [(3, 1.0, 3.0), (3, 0.0, 0.0), (3, -1.0, 3.0)])
    wanted = urgencies((1, 0, -1), (1, 1, 1), k=k)
    assert made.weights() == pytest.approx(wanted)
    assert made.plain_weights() == pytest.approx(wanted)
    if k == 0:  # only the floor tells moves apart: 1 + (0.1 + 2^-i) / 3
        floors = [1 + (0.1 + 2.0**-i) / 3 for i in range(3)]
        assert wanted == pytest.approx([u / sum(floors) for u in floors])


def test_the_prior_of_the_variance_is_one_game_of_the_whole_range():
    # utilities -10 .. 30: R^2 = 1600, which is 4 P^2 for points from -20 to 20
    given = [(4, 5.0, 150.0), (9, 8.0, 700.0)]
    made = sapling("urgency(points=100)", given, bounds=(-10.0, 30.0))
    variances = [(150 - 4 * 25 + 1600) / 5, (700 - 9 * 64 + 1600) / 10]
    assert made.weights() == pytest.approx(urgencies((5, 8), variances))


def test_without_its_floor_only_the_value_counts():
    given = [(3, 0.0, 0.0), (3, -0.5, 0.75), (3, 0.25, 0.1875)]
    made = sapling("urgency(points=100, floor=False)", given, HintedTicTacToe(), actions=[3, 4, 5])
    wanted = urgencies((0.0, -0.5, 0.25), (1, 1, 1), urgent={1}, floor=0)
    assert made.weights() == pytest.approx(wanted)
    assert made.plain_weights() == pytest.approx(wanted)


def test_the_prior_of_the_variance_may_be_that_of_the_paper_in_points_of_the_board():
    given = [(4, 0.5, 2.0), (0, 0.0, 0.0)]
    made = sapling("urgency(points=81, in_points=True)", given)
    variances = [(2 - 4 * 0.25 + 4 * 81**2) / 5, 4 * 81**2]  # 4 P^2
    assert made.weights() == pytest.approx(urgencies((0.5, 0.5), variances))
    assert made.plain_weights() == pytest.approx(urgencies((0.5, 0.5), variances))


@pytest.mark.parametrize(("continuous", "external"), [(False, 1), (True, 4)])
def test_the_variance_of_internal_children_is_divided_by_up_to_500_games(continuous, external):
    # points = 10: the first child is external, the others internal
    given = [(4, 0.5, 2.0), (100, 0.25, 50.0), (2000, 0.3, 1000.0)]
    made = sapling(f"urgency(points=10, continuous={continuous})", given)
    variances = [
        (2 - 4 * 0.25 + 4) / 5 / external,
        (50 - 100 * 0.0625 + 4) / 101 / 100,
        (1000 - 2000 * 0.09 + 4) / 2001 / 500,
    ]
    assert made.weights() == pytest.approx(urgencies((0.5, 0.25, 0.3), variances))
    assert made.plain_weights() == pytest.approx(made.weights())


def test_a_child_without_a_visit_takes_the_mean_of_the_others_and_the_prior_variance():
    made = sapling("urgency(points=100)", [(6, 0.5, 6.0), (0, 0.0, 0.0), (2, -0.5, 2.0)])
    mean = (6 * 0.5 - 2 * 0.5) / 8
    variances = [(6 - 6 * 0.25 + 4) / 7, 4, (2 - 2 * 0.25 + 4) / 3]
    assert made.weights() == pytest.approx(urgencies((0.5, mean, -0.5), variances))


def test_urgent_moves_have_a_higher_floor():
    # of the actions 3, 4 and 5 the game calls 4 urgent
    given = [(3, 0.0, 0.0), (3, -0.5, 0.75), (3, 0.25, 0.1875)]
    made = sapling("urgency(points=100)", given, HintedTicTacToe(), actions=[3, 4, 5])
    wanted = urgencies((0.0, -0.5, 0.25), (1, 1, 1), urgent={1})
    assert made.weights() == pytest.approx(wanted)


def test_moves_are_drawn_in_proportion_to_their_urgency():
    made = sapling("urgency(points=1)", [(3, 1.0, 3.0), (3, 0.0, 0.0), (3, -1.0, 3.0)])
    expected, rng, draws = made.weights(), new_rng(5), 4000
    counts = [0, 0, 0]
    for _ in range(draws):
        counts[made.choose(rng) - 1] += 1
    for count, p in zip(counts, expected, strict=True):
        assert abs(count - draws * p) < 5 * math.sqrt(draws * p * (1 - p))


def test_external_nodes_follow_the_games_own_policy():
    # nine moves, all hopeless but one; tic-tac-toe has no policy of its own: uniform
    given = [(100, 0.9, 90.0)] + [(100, -0.9, 90.0)] * 8
    made = sapling("urgency(points=1000000)", given)
    rng, counts = new_rng(2), [0] * 9
    for _ in range(1800):
        counts[made.choose(rng) - 1] += 1
    assert min(counts) > 120  # 200 of each are expected, with a deviation of 13


def test_the_threshold_is_the_number_of_moves_at_the_root_unless_told():
    start = position("tictactoe").play("b2")
    assert Urgency().fitted(start) == Urgency(points=8)
    assert Urgency(points=81).fitted(start) == Urgency(points=81)


def test_the_squares_are_those_of_each_nodes_owner():
    result = MCTS(select=Urgency()).search(position("tictactoe"), simulations=300, seed=1)
    nodes = result.tree._store.nodes
    visited = nodes[nodes.visits > 0]
    assert (visited.squares <= visited.visits).all()  # utilities are -1, 0 and 1
    assert (visited.squares >= abs(visited.value)).all()
    assert nodes[0].squares == sum(c.squares for c in result.tree._store.children(0))


def test_bad_thresholds_are_refused():
    with pytest.raises(InputError, match="points of urgency must be 0"):
        canonical(Urgency(points=-1))
    with pytest.raises(InputError, match=r"k of urgency must be 0 .* or more, not -1"):
        canonical(Urgency(k=-1))


def test_the_best_moves_of_tictactoe_are_found_in_3000_simulations():
    assert best_moves_found("select=urgency()", "tictactoe", BEST, 3000) is True


# ------------------------------------------------------------------ atari in Go


def test_urgent_moves_of_go_leave_an_enemy_string_one_liberty():
    draw, seen = random.Random(4), 0
    for _ in range(3):
        at = position("go(size=5)")
        while not at.is_terminal and len(at.history) < 40:
            for action in at.legal_actions[:-1]:
                wanted = is_atari(at, action)
                assert bool(at.rules.part.urgent(at.raw_state[0], action)) == wanted
                seen += wanted
            at = at.play(draw.choice(at.legal_actions[:-1] or at.legal_actions))
        assert not at.rules.part.urgent(at.raw_state[0], 25)  # the pass
    assert seen > 50


def is_atari(at, action):
    """Play the move, then count the liberties of the enemy strings beside it."""
    stones, mover = board(at.play(action)), at.current_player
    return any(
        stones.get(near) == 1 - mover and liberties(stones, near) == 1
        for near in beside(action % 5, action // 5)
    )


def board(at):
    """The players of the stones, by column and row."""
    colours = at.raw_state[0].colour
    points = {(a % 5, a // 5): int(colours[at.rules.part.point(a)]) for a in range(25)}
    return {point: colour - 1 for point, colour in points.items() if colour in (1, 2)}


def beside(x, y):
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def liberties(stones, stone):
    """Of the string of this stone, by flooding it."""
    string, waiting, free = {stone}, [stone], set()
    while waiting:
        for near in beside(*waiting.pop()):
            if near not in stones and min(near) >= 0 and max(near) < 5:
                free.add(near)
            elif stones.get(near) == stones[stone] and near not in string:
                string.add(near)
                waiting.append(near)
    return len(free)
