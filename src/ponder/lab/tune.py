"""The weights of mix, fitted as Coulom fitted his: the estimate after S is to match that after 2S.

Mix trusts the mean like w simulations of a move: w = weight * b up to until * b simulations,
weight / until of them all after that (2 and 16 in the paper, b = 81 points). Positions from
self-play are searched, and each root is written down after every doubling. The fit takes, from a
grid, the pair with the least RMS of (the formula's value after S) - (the search's value after
2S), over half the positions; the other half judges it. Then the positions are searched again with
the new weights, and so on. The first search is by the mean, as the paper's was: nothing of the
result is put in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.start import position
from ponder.errors import InputError
from ponder.lab.estimates import Root, self_play, watch
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact, Interval, Jackknife, student
from ponder.mcts.backup.operators import Mix, mean_weight, mixed
from ponder.mcts.presets import crazy_stone

COULOM = (2.0, 16.0)
THE_MEAN = (1e9, 1e9)
"""So much trust in the mean that nothing else counts: where the fit begins."""
WEIGHTS = tuple(2.0**k for k in range(-4, 7))
UNTIL = tuple(2.0**k for k in range(-1, 9))
SELF_PLAY = 128
"""Simulations a move in the games that the positions are from."""

FOLDS = 8
"""The fit is made anew with each eighth of its positions left out, to see how firm it is."""

Pairs = list[tuple[Root, float]]


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
        "positions": Size(
            24, 48, 200, "each from another game; half to fit, half to judge", least=16
        ),
        "simulations": Size(512, 4_096, 16_384, "the last S", least=128),
        "rounds": Size(2, 5, 6, "each searches with the weights of the one before"),
    },
    notes=(
        "weight, until: w = weight * b up to until * b simulations, weight / until of them all "
        "after; both from a grid of powers of 2; the first round searches by the mean",
        f"intervals of the weights: the fit with each of {FOLDS} parts of its positions left out "
        "(jackknife); 0 means that leaving them out changes nothing on the grid",
        "RMS of different rounds do not compare: each has another search to match",
    ),
    any_game=True,
)


def estimate(root: Root, points: int, weight: float, until: float) -> float:
    """What mix with these weights says of the root."""
    w = mean_weight(points, root.simulations, weight, until)
    best, second, middle = mixed(w, root.mean, root.games0, root.games1, root.value0, root.value1)
    return float(best * root.value0 + second * root.value1 + middle * root.mean)


def rms(pairs: Pairs, points: int, weight: float, until: float) -> float:
    """How far the formula is from what the search says with twice the simulations."""
    off = [estimate(root, points, weight, until) - later for root, later in pairs]
    return math.sqrt(sum(d * d for d in off) / len(off))


def fit(pairs: Pairs, points: int) -> tuple[float, float]:
    """The pair of the grid with the least RMS; of equals the one nearest to the paper's."""

    def merit(pair: tuple[float, float]) -> tuple[float, float]:
        distance = sum(abs(math.log2(a / b)) for a, b in zip(pair, COULOM, strict=True))
        return rms(pairs, points, *pair), distance

    return min(product(WEIGHTS, UNTIL), key=merit)


def searched(
    starts: list[Position], case: TuneCase, weights: tuple[float, float], last: int, seed: int
) -> list[Pairs]:
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
    start = position(game)
    if not start.rules.compiled or start.rules.has_dice:
        raise InputError("tune is for compiled games without dice")
    points = len(start.legal_actions)
    engine = crazy_stone(points=points, simulations=SELF_PLAY)
    here, length = start, 0
    while not here.is_terminal:
        here = here.play(engine.search(here, seed=seed * 1_000 + length).action)
        length += 1
    plies = max(1, 3 * length // 4)  # near the end of a game there is nothing to estimate
    return TuneCase(game, points, plies)


def sampled(case: TuneCase, count: int, seed: int) -> list[list[str]]:
    """The moves to each position, each of another game."""
    playing = crazy_stone(points=case.points, simulations=SELF_PLAY)
    found: list[list[str]] = []
    game = 0
    while len(found) < count:
        here = self_play(position(case.game), playing, case.plies, 1, seed * 10_007 + game)
        found += [list(one.history_names) for one in here]
        game += 1
    return found[:count]


def fits(learn: list[Pairs], points: int) -> list[tuple[float, float]]:
    """The fit to all positions, then with each of FOLDS parts left out."""
    parts: list[list[Pairs]] = [learn]
    for fold in range(FOLDS):
        parts.append([pairs for i, pairs in enumerate(learn) if i % FOLDS != fold])
    return [fit([pair for pairs in part for pair in pairs], points) for part in parts]


def off_by(judge: list[Pairs], points: int, pair: tuple[float, float]) -> list[list[float]]:
    """Sums of squared errors, and how many, of every position."""
    squares = [[(estimate(r, points, *pair) - later) ** 2 for r, later in p] for p in judge]
    return [[sum(found), len(found)] for found in squares]


def root_mean(sums: Any) -> Any:
    return np.sqrt(sums[..., 0] / sums[..., 1])


@dataclass(frozen=True)
class Refitted:
    """A fitted number on the scale of log2, by the fits with a part left out each time."""

    all: float
    without: list[float]

    @property
    def n(self) -> int:
        return len(self.without)

    def interval(self, level: float) -> Interval:
        spread = float(np.var(self.without)) * (self.n - 1)
        # the grid itself is a power of 2 wide: what it cannot tell is half a step
        half = student(level, self.n - 1) * math.sqrt(spread) + 0.5
        return Interval(self.all, self.all - half, self.all + half)


def run(lab: Lab) -> None:
    cases = (case_of(lab.game, lab.seed),) if lab.game else CASES[: lab["cases"]]
    for case in cases:
        count = lab["positions"]
        moves = lab.step(f"{case.game}: {count} positions", sampled, case, count, lab.seed)
        starts = [position(case.game).play_all(line) for line in moves]
        weights = THE_MEAN
        for turn in range(1, lab["rounds"] + 1):
            what = f"{case.game}: round {turn}"
            kept = lab.step(what, searched, starts, case, weights, lab["simulations"], lab.seed)
            found = [[(Root(*root), later) for root, later in pairs] for pairs in kept]
            made = lab.step(f"{what}, fit", fits, found[::2], case.points)
            fitted = tuple(made[0])
            judge = found[1::2]
            for name, pair in (("mean", THE_MEAN), ("fitted", fitted), ("the paper's", COULOM)):
                sums = off_by(judge, case.points, pair)
                lab.observe(f"{case.game}: {name}", turn, OFF, Jackknife(root_mean, sums))
            for place, name in enumerate(("weight", "until")):
                lab.observe(f"{case.game}: {name}", turn, "fitted", Exact(fitted[place]))
            weights = fitted
        observe_last(lab, case, judge, made)


def observe_last(lab: Lab, case: TuneCase, judge: list[Pairs], made: list[Any]) -> None:
    """The verdicts hang on the last round."""
    both = [
        [*a, *b]
        for a, b in zip(
            off_by(judge, case.points, THE_MEAN),
            off_by(judge, case.points, tuple(made[0])),
            strict=True,
        )
    ]
    gain = Jackknife(lambda s: root_mean(s[..., :2]) - root_mean(s[..., 2:]), both)
    lab.observe(case.game, None, GAIN, gain, "better")
    for place, name in enumerate(("weight", "until")):
        logs = [math.log2(pair[place] / COULOM[place]) for pair in made]
        clause = name if case.game.startswith("go") else ""
        sample = Refitted(logs[0], logs[1:])
        lab.observe(f"{case.game}: {name}", None, "log2 over the paper's", sample, clause)
