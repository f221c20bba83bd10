"""The weights of mix, fitted as Coulom fitted his: the estimate after S is to match that after 2S.

Mix trusts the mean like w simulations of a move: w = weight * b up to until * b simulations,
weight / until of them all after that (2 and 16 in the paper, b = 81 points). Positions from
self-play are searched, and each root is written down after every doubling. The fit takes, from a
grid, the pair with the least RMS of (the formula's value after S) - (the search's value after 2S).
Then the positions are searched again with the new weights, and so on. The first search is by the
mean, as the paper's was: nothing of the result is put in. Each half of the positions judges what is
fitted to the other half.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.errors import InputError
from ponder.lab.estimates import Root, self_play, watch
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact, Interval, Jackknife
from ponder.mcts.backup.operators import Mix, mean_weight, mixed
from ponder.mcts.presets import crazy_stone

COULOM = (2.0, 16.0)
THE_MEAN = (1e9, 1e9)
"""So much trust in the mean that nothing else counts: where the fit begins."""
STEP = 0.5
"""Of the grid, as a power of 2."""
WEIGHTS = tuple(2.0 ** (STEP * k) for k in range(-8, 13))
UNTIL = tuple(2.0 ** (STEP * k) for k in range(-2, 17))
PAIRS = sorted(
    product(WEIGHTS, UNTIL),
    key=lambda pair: sum(abs(math.log2(a / b)) for a, b in zip(pair, COULOM, strict=True)),
)
"""The grid; of pairs that fit alike the first is taken, which is the nearest to the paper's."""
SELF_PLAY = 128
"""Simulations a move in the games that the positions are from."""

RESAMPLED = 4_000
"""So often the fit is made anew, each time to positions drawn from them with replacement."""
FOLLOWS = 0.5
"""How far the fit moves, as a share of how far the weights of the search have moved, on the scale
of log2: an assumption, from an older run on 7x7 (docs/lab/tune.md)."""

Watched = list[tuple[Root, float]]
"""The roots of one position after S, each with what the search says after 2S."""


class TuneCase(NamedTuple):
    """A game and how it is searched."""

    game: str
    points: int
    """b: the points of the board, or about as many as there are moves."""
    plies: int
    """Positions are from so many plies."""


CASES = (
    TuneCase("go(size=7, points=True)", 49, 36),
    TuneCase("go(points=True)", 81, 60),
    TuneCase("othello(scores=True)", 10, 50),
)
OFF, GAIN = "RMS, points", "RMS of the mean less RMS fitted"
NEAR = "log2 of the fitted weight over the paper's 2"

PLAN = Plan(
    claim="the weights of mix can be learned from searches alone, by making the estimate after S "
    "simulations match that after 2S; in Go that leads to about the paper's: 2, until 16",
    source="Coulom 2006, section 4 (1,500 positions of 9x9 Go, 2^19 simulations, some rounds)",
    clauses=(
        Clause(
            "better",
            "in the last round the fitted weights match better than the mean",
            f"{GAIN}, on positions that the fit has not seen",
            Above(0.0),
        ),
        Clause("weight", "in Go the weight is about the paper's", NEAR, Between(-1.0, 1.0)),
        Clause(
            "until",
            "in Go until is about the paper's",
            "log2 of the fitted until over the paper's 16",
            Between(-1.0, 1.0),
        ),
    ),
    sizes={
        "cases": Size(1, 3, 3, "go(size=7), go, othello", True),
        "positions": Size(16, 120, 200, "each from another game", least=16),
        "simulations": Size(4_096, 4_096, 16_384, "the last S", least=128),
        "rounds": Size(5, 5, 6, "each searches with the weights of the one before"),
    },
    notes=(
        "weight, until: w = weight * b up to until * b simulations, weight / until of them all "
        f"after; both from a grid of powers of 2 in steps of {STEP}; the first round searches by "
        "the mean",
        "RMS fitted: of each half of the positions with the weights that are fitted to the other",
        f"intervals of the weights: {RESAMPLED:,} fits to positions drawn from them with "
        "replacement (bootstrap, percentiles), twice as wide, since all rounds are fitted to the "
        "same positions, and half a step of the grid",
        "RMS of different rounds do not compare: each has another search to match",
    ),
    any_game=True,
)


def estimate(root: Root, points: int, weight: float, until: float) -> float:
    """What mix with these weights says of the root."""
    w = mean_weight(points, root.simulations, weight, until)
    best, second, middle = mixed(w, root.mean, root.games0, root.games1, root.value0, root.value1)
    return float(best * root.value0 + second * root.value1 + middle * root.mean)


def squares(found: list[Watched], points: int) -> Any:
    """How far the formula is from what the search says with twice the simulations: the sum of
    squares of each position (row) by each pair of the grid (column)."""
    return np.array([[off_by(one, points, pair) for pair in PAIRS] for one in found])


def off_by(watched: Watched, points: int, pair: tuple[float, float]) -> float:
    return sum((estimate(root, points, *pair) - later) ** 2 for root, later in watched)


def best_of(sums: Any) -> Any:
    """Which pair has the least sum (the last axis): the place of the first one."""
    least = sums.min(axis=-1, keepdims=True)
    # pairs that are the same in this range add up to the same, but for the order of additions
    return np.argmax(sums <= least * (1.0 + 1e-9) + 1e-9, axis=-1)


def fit(table: Any) -> tuple[float, float]:
    """The pair of the grid with the least RMS on these positions (`squares`)."""
    return PAIRS[int(best_of(table.sum(axis=0)))]


def refits(table: Any, seed: int) -> list[tuple[float, float]]:
    """What is fitted to positions drawn from these with replacement, again and again."""
    count = len(table)
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), RESAMPLED)
    return [PAIRS[place] for place in best_of(drawn @ table)]


def searched(
    starts: list[Position], case: TuneCase, weights: tuple[float, float], last: int, seed: int
) -> list[Watched]:
    """For each position: its root after S, and the search's value after 2S, for every S."""
    engine = crazy_stone(points=case.points, backup=Mix(case.points, *weights))
    steps = [128]
    while steps[-1] <= last:
        steps.append(2 * steps[-1])
    found = []
    for i, start in enumerate(starts):
        roots = watch(start, engine, steps, seed * 1_000_003 + i)
        found.append([(a, b.backed) for a, b in pairwise(roots)])
    return found


def case_of(game: str, seed: int) -> TuneCase:
    """A case for any game: b is the number of moves at the start; positions are from the first
    three quarters of its games, as long as one game of the engine with itself."""
    start = Position(parse_game(game))
    if not start.rules.compiled or start.rules.has_dice:
        raise InputError("tune is for compiled games without dice")
    points = len(start.legal_actions)
    engine = crazy_stone(points=points, simulations=SELF_PLAY)
    here, length = start, 0
    while not here.is_terminal:
        here = here.play(engine.search(here, seed=seed * 1_000 + length).best_move)
        length += 1
    plies = max(1, 3 * length // 4)  # near the end of a game there is nothing to estimate
    return TuneCase(game, points, plies)


def sampled(case: TuneCase, count: int, seed: int) -> list[list[str]]:
    """The moves to each position, each of another game."""
    playing = crazy_stone(points=case.points, simulations=SELF_PLAY)
    start, found = Position(parse_game(case.game)), list[list[str]]()
    game = 0
    while len(found) < count:
        here = self_play(start, playing, case.plies, 1, seed * 10_007 + game)
        found += [list(one.history_names) for one in here]
        game += 1
    return found[:count]


def root_mean(sums: Any) -> Any:
    return np.sqrt(sums[..., 0] / sums[..., 1])


@dataclass(frozen=True)
class Refitted:
    """A fitted number on the scale of log2, with what resampled positions give.

    These show by how much, e, the fit to the last search may be off. But that search had weights
    which were fitted to the same positions and were off in the same direction, and so on: in all

        e + FOLLOWS * e + FOLLOWS^2 * e + ... = e / (1 - FOLLOWS)
    """

    fitted: float
    resampled: list[float]
    n: int

    def interval(self, level: float) -> Interval:
        tails = (0.5 - level / 2.0, 0.5 + level / 2.0)
        off = (np.quantile(self.resampled, tails) - self.fitted) / (1.0 - FOLLOWS)
        # the grid itself is a step wide: what it cannot tell is half of that
        low, high = min(float(off[0]), 0.0) - STEP / 2.0, max(float(off[1]), 0.0) + STEP / 2.0
        return Interval(self.fitted, self.fitted + low, self.fitted + high)


def run(lab: Lab) -> None:
    cases = (case_of(lab.game, lab.seed),) if lab.game else CASES[: lab["cases"]]
    for case in cases:
        count = lab["positions"]
        moves = lab.step(f"{case.game}: {count} positions", sampled, case, count, lab.seed)
        starts = [Position(parse_game(case.game)).play_all(line) for line in moves]
        weights = THE_MEAN
        for turn in range(1, lab["rounds"] + 1):
            what = f"{case.game}: round {turn}"
            kept = lab.step(what, searched, starts, case, weights, lab["simulations"], lab.seed)
            found = [[(Root(*root), later) for root, later in one] for one in kept]
            table = squares(found, case.points)
            weights = fit(table)
            sums = judged(found, table, case.points)
            for name, column in sums.items():
                rows = np.column_stack([column, [len(one) for one in found]])
                lab.observe(f"{case.game}: {name}", turn, OFF, Jackknife(root_mean, rows))
            for place, name in enumerate(("weight", "until")):
                lab.observe(f"{case.game}: {name}", turn, "fitted", Exact(weights[place]))
        observe_last(lab, case, found, table, sums)


def judged(found: list[Watched], table: Any, points: int) -> dict[str, Any]:
    """The sum of squares of every position: by the mean, by what is fitted to the half that it is
    not in, by the paper's weights."""
    halves = [int(best_of(table[1 - half :: 2].sum(axis=0))) for half in (0, 1)]
    return {
        "mean": [off_by(one, points, THE_MEAN) for one in found],
        "fitted": [float(table[i, halves[i % 2]]) for i in range(len(found))],
        "the paper's": table[:, PAIRS.index(COULOM)].tolist(),
    }


def observe_last(
    lab: Lab, case: TuneCase, found: list[Watched], table: Any, sums: dict[str, Any]
) -> None:
    """The verdicts hang on the last round."""
    rows = np.column_stack([sums["mean"], sums["fitted"], [len(one) for one in found]])
    gain = Jackknife(lambda s: root_mean(s[..., [0, 2]]) - root_mean(s[..., [1, 2]]), rows)
    lab.observe(case.game, None, GAIN, gain, "better")
    fitted = [fit(table), *refits(table, lab.seed)]
    for place, name in enumerate(("weight", "until")):
        first, *others = (math.log2(pair[place] / COULOM[place]) for pair in fitted)
        sample = Refitted(first, others, len(found))
        clause = name if case.game.startswith("go") else ""
        lab.observe(f"{case.game}: {name}", None, "log2 over the paper's", sample, clause)
