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
from itertools import pairwise, product
from typing import Any, NamedTuple

from ponder.arena.openings import has_chance
from ponder.core.position import Position
from ponder.core.start import position
from ponder.errors import InputError
from ponder.lab.estimates import Root, sample_positions, watch
from ponder.lab.old_report import Report, Tell
from ponder.mcts.backup.mix import Mix, mean_weight, mixed
from ponder.mcts.presets import crazy_stone

COULOM = (2.0, 16.0)
THE_MEAN = (1e9, 1e9)
"""So much trust in the mean that nothing else counts: where the fit begins."""
WEIGHTS = tuple(2.0**k for k in range(-4, 7))
UNTIL = tuple(2.0**k for k in range(-1, 9))
SELF_PLAY = 128
"""Simulations a move in the games that the positions are from."""
EACH = 8
"""Positions a game."""

Pairs = list[tuple[Root, float]]


class TuneCase(NamedTuple):
    """A game and how it is searched."""

    game: str
    points: int
    """b: the points of the board, or about as many as there are moves."""
    plies: int
    """Positions are from so many plies."""
    positions: int
    last: int
    """The fit is for S up to this."""


QUICK = (TuneCase("go(size=7, points=True)", 49, 36, 48, 1_024),)
FULL = (
    TuneCase("go(size=7, points=True)", 49, 36, 48, 4_096),
    TuneCase("go(points=True)", 81, 60, 40, 4_096),
    TuneCase("othello(scores=True)", 10, 50, 48, 4_096),
)
ROUNDS = 5


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
    starts: list[Position], case: TuneCase, weights: tuple[float, float], seed: int
) -> list[Pairs]:
    """For each position: its root after S, and the search's value after 2S, for every S."""
    engine = crazy_stone(points=case.points, backup=Mix(case.points, *weights))
    steps = [128]
    while steps[-1] <= case.last:
        steps.append(2 * steps[-1])
    found = []
    for i, start in enumerate(starts):
        roots = watch(start, engine, steps, seed * 1_000_003 + i)
        found.append([(a, b.backed) for a, b in pairwise(roots)])
    return found


def weights_text(weights: tuple[float, float]) -> str:
    return "the mean" if weights == THE_MEAN else f"{weights[0]:g}, {weights[1]:g}"


def case_of(game: str, quick: bool, seed: int) -> TuneCase:
    """A case for any game: b is the number of moves at the start; positions are from the first
    three quarters of its games, as long as one game of the engine with itself."""
    start = position(game)
    if not start.rules.compiled or has_chance(start):
        raise InputError("tune is for compiled games without dice")
    points = len(start.legal_actions)
    engine = crazy_stone(points=points, simulations=SELF_PLAY)
    here, length = start, 0
    while not here.is_terminal:
        here = here.play(engine.search(here, seed=seed * 1_000 + length).action)
        length += 1
    plies = max(1, 3 * length // 4)  # near the end of a game there is nothing to estimate
    return TuneCase(game, points, plies, 48, 1_024 if quick else 4_096)


def run(quick: bool, seed: int, tell: Tell) -> Report:
    return fitted_to(QUICK if quick else FULL, seed, tell)


def run_game(game: str, quick: bool, seed: int, tell: Tell) -> Report:
    tell(f"{game}: a game of the engine with itself")
    return fitted_to((case_of(game, quick, seed),), seed, tell)


def fitted_to(cases: tuple[TuneCase, ...], seed: int, tell: Tell) -> Report:
    """The report of these cases."""
    rows: list[tuple[Any, ...]] = []
    last: dict[str, tuple[float, float]] = {}
    for case in cases:
        start = position(case.game)
        playing = crazy_stone(points=case.points, simulations=SELF_PLAY)
        tell(f"{case.game}: {case.positions} positions from self-play")
        each = min(EACH, case.plies)
        starts = sample_positions(start, playing, case.plies, each, case.positions, seed)
        weights = THE_MEAN
        for turn in range(1, ROUNDS + 1):
            tell(f"{case.game}: round {turn}, {2 * case.last:,} simulations a position")
            found = searched(starts, case, weights, seed)
            learn = [pair for pairs in found[::2] for pair in pairs]
            judge = [pair for pairs in found[1::2] for pair in pairs]
            fitted = fit(learn, case.points)
            errors = [rms(judge, case.points, *pair) for pair in (THE_MEAN, fitted, COULOM)]
            shown = weights_text(weights), weights_text(fitted), weights_text(COULOM)
            rows.append((case.game, turn, *shown, *errors))
            weights = last[case.game] = fitted
    go = [pair for game, pair in last.items() if game.startswith("go")]
    near = all(0.5 <= weight / COULOM[0] <= 2.0 for weight, _ in go)
    better = all(row[6] < row[5] for row in rows if row[1] == ROUNDS)
    return Report(
        claim="the weights of mix can be learned from searches alone, by making the estimate after "
        "S simulations match that after 2S; in Go that leads to about the paper's: 2, until 16",
        source="Coulom 2006, section 4 (1,500 positions of 9x9 Go, 2^19 simulations, some rounds)",
        columns=(
            "game",
            "round",
            "searched with",
            "fitted",
            "paper",
            "RMS of the mean",
            "RMS fitted",
            "RMS of the paper's",
        ),
        rows=tuple(rows),
        holds=near and better,
        conclusion=(
            f"weight and until after {ROUNDS} rounds that begin with the mean: "
            + "; ".join(f"{game} {weights_text(pair)}" for game, pair in last.items())
            + "; the paper's: 2, 16"
        ),
        notes=(
            "weight, until: w = weight * b up to until * b simulations, weight / until of them all "
            "after; b is " + ", ".join(f"{case.points} in {case.game}" for case in cases),
            f"S = 128 to {cases[0].last:,}, all alike; fitted to every other position, all RMS on "
            "the rest, against the value of that round's search after 2S",
            "RMS of different rounds do not compare: each has another search to match",
        ),
    )
