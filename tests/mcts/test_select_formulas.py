"""The formulas of the bandit rules against arithmetic written out here, plain and compiled."""

from __future__ import annotations

import math
from statistics import fmean, pvariance

import pytest

from ponder import InputError, position
from ponder.core.parts import canonical
from ponder.core.registry import parse_engine, part_text
from ponder.core.rng import new_rng
from ponder.mcts.select.ucb import UCTDecaying as Decaying
from ponder.select import (
    KLUCB,
    MOSS,
    UCBV,
    Boltzmann,
    EpsilonGreedy,
    UCB1Spread,
    UCB1Tuned,
    UCBSampled,
    UCTDecaying,
)
from reference.node_family import Family

pytestmark = pytest.mark.plain

SEEN = ((1.0, -1.0, 1.0, 0.0, 1.0), (-1.0, -0.5), (0.25, 0.25, 0.5, -0.25, 0.0, 0.5, 1.0))
"""What each of three children has seen, in -1 .. 1."""
N = 1 + sum(map(len, SEEN))
LOG = math.log(N)


def tuned(seen, width):
    n = len(seen)
    v = pvariance(seen) / width**2 + math.sqrt(2 * LOG / n)
    return fmean(seen), 0.7 * width * math.sqrt(LOG / n * min(0.25, v))


def ucb_v(seen, width):
    n = len(seen)
    return (
        fmean(seen),
        math.sqrt(2 * pvariance(seen) * 1.5 * LOG / n),
        3 * 0.1 * width * 1.5 * LOG / n,
    )


def moss(seen, width):
    n = len(seen)
    return fmean(seen), width * math.sqrt(max(math.log(N / (3 * n)), 0) / n)


def decaying(seen, width):
    return fmean(seen), width * math.sqrt(LOG / len(seen))  # the root: exponent 1/2


FORMULAS = [
    (UCB1Tuned(c=0.7), tuned),
    (UCBV(zeta=1.5, c=0.1), ucb_v),
    (MOSS(), moss),
    (UCTDecaying(length=9), decaying),
]


@pytest.mark.parametrize(("rule", "formula"), FORMULAS)
@pytest.mark.parametrize("bounds", [(-1.0, 1.0), (-2.0, 10.0)])
def test_terms_are_those_of_the_formula(rule, formula, bounds):
    family = Family(rule, SEEN, bounds)
    wanted = [pytest.approx(formula(seen, bounds[1] - bounds[0]), abs=1e-12) for seen in SEEN]
    assert family.plain_terms() == wanted
    assert family.compiled_terms() == wanted
    scores = [sum(formula(seen, bounds[1] - bounds[0])) for seen in SEEN]
    assert family.choose(new_rng(1)) == scores.index(max(scores))


def test_ucb1_tuned_is_bounded_by_the_variance_where_there_is_little():
    # 100 equal results: V = sqrt(2 ln N / n) = 0.34 > 1/4; 10,000 of them: V = 0.04 < 1/4
    for n in (100, 10_000):
        family = Family(UCB1Tuned(), [[0.5] * n, [0.0] * n], (0.0, 1.0))
        rate = math.log(2 * n + 1) / n
        wanted = math.sqrt(rate * min(0.25, math.sqrt(2 * rate)))
        assert family.plain_terms()[0][1] == pytest.approx(wanted)
        assert family.compiled_terms()[0][1] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("depth", "exponent"), [(0, 1 / 2), (4, 10 / 16), (9, 10 / 11), (12, 13 / 14)]
)
def test_the_exponent_of_decaying_uct_grows_with_the_depth(depth, exponent):
    # (D + d) / (2 D + d), D = 10 - d and at least 1
    family = Family(UCTDecaying(length=10), SEEN)
    log, found = family.rule.shared(None, family.parts, family.tree, family.work, depth, N, LOG)
    assert (log, found) == (LOG, pytest.approx(exponent))
    terms = family.rule.terms((log, found), family.tree, 1, 5, 0.2, 0.2**0.5, 0.4)
    assert terms == pytest.approx((0.4, 2 * (LOG / 5) ** exponent))


def test_decaying_uct_takes_the_length_of_the_game_unless_told():
    s = position("pgame(branching=2, depth=11)")
    assert Decaying().fitted(s) == Decaying(length=11)
    assert Decaying(length=5).fitted(s) == Decaying(length=5)


# ------------------------------------------------------------------ KL-UCB


def test_kl_ucb_is_the_highest_chance_that_is_still_plausible():
    seen = ([1.0] * 3 + [0.0] * 7, [1.0] * 20, [0.0] * 5)
    log = math.log(36)
    family = Family(KLUCB(c=3.0), seen, (0.0, 1.0))
    limit = log + 3 * math.log(log)
    assert family.plain_terms() == [pytest.approx(t) for t in family.compiled_terms()]
    for outcomes, (mean, bonus) in zip(seen, family.compiled_terms(), strict=True):
        p, q, n = fmean(outcomes), mean + bonus, len(outcomes)
        assert mean == pytest.approx(p)
        if p == 1:
            assert q == 1
            continue
        kl = (p * math.log(p / q) if p else 0) + (1 - p) * math.log((1 - p) / (1 - q))
        assert n * kl == pytest.approx(limit, abs=1e-4)
    # nothing won in n: 1 - exp(-limit / n)
    assert sum(family.compiled_terms()[2]) == pytest.approx(1 - math.exp(-limit / 5), abs=1e-6)


def test_kl_ucb_rescales_utilities_by_their_range():
    unit = Family(KLUCB(), [[1.0, 0.0, 0.0], [1.0, 0.0]], (0.0, 1.0)).compiled_terms()
    wide = Family(KLUCB(), [[30.0, 10.0, 10.0], [30.0, 10.0]], (10.0, 30.0)).compiled_terms()
    assert wide == [pytest.approx((10 + 20 * mean, 20 * bonus)) for mean, bonus in unit]


# ------------------------------------------------------------------ the spread


def test_the_unit_of_ucb1_spread_is_the_deviation_of_all_that_was_seen_at_the_parent():
    family = Family(UCB1Spread(c=1.5), SEEN)
    seen = family.work.memory.select.seen
    seen[:] = [[-1.0, -1.0], [1.0, 1.0]]
    sigma = math.sqrt(pvariance([u for child in SEEN for u in child]))
    wanted = [
        pytest.approx((fmean(child), 1.5 * sigma * math.sqrt(LOG / len(child)))) for child in SEEN
    ]
    assert family.plain_terms() == wanted
    assert family.compiled_terms() == wanted


def test_ucb1_spread_keeps_the_greatest_deviation_that_a_node_has_had():
    family = Family(UCB1Spread(c=1.0), [[0.5] * 4, [0.5] * 6])
    family.work.memory.select.seen[:] = [[0.0, 0.0], [0.5, 0.5]]
    family.tree.nodes[0].spread = 0.3
    wanted = [pytest.approx((0.5, 0.3 * math.sqrt(math.log(11) / n))) for n in (4, 6)]
    assert family.plain_terms() == wanted
    assert family.compiled_terms() == wanted


def test_ucb1_spread_reckons_with_a_twentieth_of_the_range_seen_at_least():
    family = Family(UCB1Spread(c=1.0), [[0.5] * 4, [0.5] * 6])
    family.work.memory.select.seen[:] = [[0.0, 0.0], [0.5, 0.5]]
    wanted = [pytest.approx((0.5, 0.025 * math.sqrt(math.log(11) / n))) for n in (4, 6)]
    assert family.plain_terms() == wanted
    assert family.compiled_terms() == wanted
    family.work.memory.select.seen[:] = 0.5  # nothing but one utility so far
    assert 0 < family.plain_terms()[0][1] < 1e-5


# ------------------------------------------------------------------ rules that draw


def test_epsilon_greedy_shares_epsilon_and_gives_the_rest_to_the_best():
    family = Family(EpsilonGreedy(epsilon=0.3), SEEN)
    wanted = pytest.approx([0.1 + 0.7, 0.1, 0.1])  # means 0.4, -0.75, 0.32
    assert family.plain_weights() == wanted
    assert family.compiled_weights() == wanted


def test_epsilon_may_be_shared_by_the_others_alone():
    family = Family(EpsilonGreedy(epsilon=0.3, others=True), SEEN)
    wanted = pytest.approx([0.7, 0.15, 0.15])  # means 0.4, -0.75, 0.32
    assert family.plain_weights() == wanted
    assert family.compiled_weights() == wanted
    tied = Family(EpsilonGreedy(epsilon=0.3, others=True), [[0.5], [1.0, 0.0], [0.2]])
    assert tied.plain_weights() == pytest.approx([0.35, 0.35, 0.3])
    # where no child is worse there are no others
    alike = Family(EpsilonGreedy(epsilon=0.3, others=True), [[0.5], [1.0, 0.0]])
    assert alike.plain_weights() == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(("epsilon", "decay"), [(3.0, 1.0), (2.0, 0.5), (100.0, 1.0)])
def test_a_decaying_epsilon_falls_with_a_power_of_the_visits(epsilon, decay):
    e = min(1.0, epsilon / N**decay)
    family = Family(EpsilonGreedy(epsilon, decay), SEEN)
    assert family.compiled_weights() == pytest.approx([e / 3 + 1 - e, e / 3, e / 3])


def test_children_of_equal_mean_share_the_greedy_choice():
    family = Family(EpsilonGreedy(epsilon=0.0), [[0.5], [1.0, 0.0], [0.2]])
    assert family.compiled_weights() == [0.5, 0.5, 0.0]
    rng = new_rng(5)
    picks = [family.choose(rng) for _ in range(1000)]
    assert set(picks) == {0, 1}
    assert 420 < picks.count(0) < 580  # five standard deviations


@pytest.mark.parametrize("decay", [False, True])
def test_boltzmann_weighs_by_the_exponential_of_the_rescaled_mean(decay):
    tau = 0.5 / LOG if decay else 0.5
    powers = [math.exp((fmean(seen) + 1) / 2 / tau) for seen in SEEN]
    family = Family(Boltzmann(temperature=0.5, decay=decay), SEEN)
    wanted = pytest.approx([power / sum(powers) for power in powers])
    assert family.plain_weights() == wanted
    assert family.compiled_weights() == wanted


def test_a_very_cold_boltzmann_is_greedy_and_does_not_overflow():
    assert Family(Boltzmann(temperature=1e-9), SEEN).compiled_weights() == [1.0, 0.0, 0.0]


def test_the_sampled_ucb_is_proportional_to_the_ucb_value():
    values = [(fmean(seen) + 1) / 2 + 0.8 * math.sqrt(LOG / len(seen)) for seen in SEEN]
    family = Family(UCBSampled(c=0.8), SEEN)
    wanted = pytest.approx([value / sum(values) for value in values])
    assert family.plain_weights() == wanted
    assert family.compiled_weights() == wanted


def test_children_are_drawn_as_often_as_their_weights_say():
    family = Family(UCBSampled(c=0.8), SEEN)
    rng, counts = new_rng(3), [0, 0, 0]
    for _ in range(4000):
        counts[family.choose(rng)] += 1
    for count, p in zip(counts, family.compiled_weights(), strict=True):
        assert abs(count - 4000 * p) < 5 * math.sqrt(4000 * p * (1 - p))


# ------------------------------------------------------------------ texts and refusals


@pytest.mark.parametrize(
    "text",
    [
        "ucb1_tuned(c=0.5)",
        "ucb_v(zeta=1.5, c=0.5)",
        "ucb1_spread(c=1.0)",
        "uct_decaying(length=20)",
        "moss(c=0.5)",
        "kl_ucb(c=3.0)",
        "epsilon_greedy(epsilon=5.0, decay=1.0)",
        "boltzmann(temperature=0.5, decay=True)",
        "thompson()",
        "ucb_sampled(c=1.0)",
        "progressive_pruning(z=1.0, least=100)",
        "sequential_halving(select=ucb1_tuned())",
    ],
)
def test_rules_are_read_and_printed_back(text):
    whole = f"mcts(select={text})"
    assert part_text(parse_engine(whole)) == whole


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("ucb1_tuned(c=-1)", "c of ucb1_tuned must be 0 or more"),
        ("ucb_v(zeta=0)", "zeta above 0"),
        ("ucb1_spread(c=-1)", "c of ucb1_spread must be 0 or more"),
        ("moss(c=-1)", "c of moss must be 0 or more"),
        ("kl_ucb(c=-1)", "c of kl_ucb must be 0 or more"),
        ("uct_decaying(length=-1)", "length of uct_decaying must be 0 or more"),
        ("epsilon_greedy(epsilon=1.5)", "epsilon must be from 0 to 1"),
        ("epsilon_greedy(decay=2)", "from 0 .constant. to 1"),
        ("boltzmann(temperature=0)", "above 0"),
        ("ucb_sampled(c=-1)", "c of ucb_sampled must be 0 or more"),
        ("progressive_pruning(z=-1)", "z of progressive_pruning must be 0 or more"),
        ("progressive_pruning(least=1)", "least of progressive_pruning must be 2 or more"),
        ("sequential_halving(select=sequential_halving())", "a rule for the root"),
    ],
)
def test_parameters_out_of_range_are_refused(rule, says):
    with pytest.raises(InputError, match=says):
        parse_engine(f"mcts(select={rule})")


def test_whole_numbers_are_taken_for_the_length():
    assert canonical(UCTDecaying(length=20.0)) == UCTDecaying(length=20)
