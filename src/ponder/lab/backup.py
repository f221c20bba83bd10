"""How far the backup operators are off: mean, max, robust max and mix on the same searches.

Coulom's Table 1. A position is searched once, by Crazy Stone's rules. After S simulations each
operator gives the root a value from the same data: the root's mean, and the simulations and values
(backed up by mix) of its children. After 2S simulations the search itself, by mix, gives the value
that they are compared with. Values are points of Go for the player to move.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ponder.core.start import position
from ponder.lab.estimates import Root, sample_positions, watch
from ponder.lab.old_report import Report, Tell
from ponder.mcts.presets import crazy_stone

POINTS = 81
PLIES = 60
"""Positions are from the first 60 plies of a game: after them little is left to be decided."""
EACH = 8
"""Positions a game."""
SELF_PLAY = 128
"""Simulations a move in the games that the positions are from."""
OPERATORS: tuple[Callable[[Root], float], ...] = (
    lambda root: root.mean,
    lambda root: root.value0,
    lambda root: root.robust,
    lambda root: root.backed,
)
MEAN, MAX, ROBUST, MIX = range(4)
PAPER = {
    # S: RMS and bias of mean, max, robust max, mix
    128: (6.44, -3.32, 41.70, 37.00, 39.60, 35.30, 5.29, -1.43),
    256: (7.17, -4.78, 25.00, 22.00, 23.60, 20.90, 4.72, -1.89),
    512: (7.56, -5.84, 14.90, 12.70, 13.90, 11.90, 4.08, -1.70),
    1_024: (6.26, -4.86, 9.48, 7.91, 8.82, 7.41, 3.06, 0.13),
    2_048: (4.38, -3.15, 6.72, 5.37, 6.11, 4.91, 2.63, 0.77),
    4_096: (2.84, -1.55, 4.48, 3.33, 3.94, 2.91, 2.05, 0.69),
    8_192: (2.23, -0.62, 2.78, 1.47, 2.42, 1.07, 1.85, 0.32),
    16_384: (2.34, -0.57, 2.45, 0.01, 2.40, -0.30, 2.10, -0.19),
    32_768: (2.15, -0.52, 2.19, 0.10, 2.26, -0.12, 1.93, -0.02),
    65_536: (2.03, -0.50, 1.83, 0.23, 1.88, 0.01, 1.70, 0.01),
}
COLUMNS = (
    "simulations S",
    "who",
    *(f"{name} {of}" for name in ("mean", "max", "robust", "mix") for of in ("RMS", "bias")),
)


def errors(watched: list[list[Root]], step: int) -> tuple[float, ...]:
    """RMS and bias of each operator at this step, against mix at the next one."""
    found: list[float] = []
    for operator in OPERATORS:
        off = [operator(roots[step]) - roots[step + 1].backed for roots in watched]
        rms = math.sqrt(sum(d * d for d in off) / len(off))
        found += [rms, sum(off) / len(off)]
    return tuple(found)


def measure(game: str, count: int, last: int, seed: int, tell: Tell) -> dict[int, tuple[Any, ...]]:
    """RMS and bias at S = 128, 256 ... `last`."""
    start, engine = position(game), crazy_stone(points=POINTS)
    tell(f"{game}: {count} positions from self-play")
    playing = engine._replace(simulations=SELF_PLAY)
    starts = sample_positions(start, playing, PLIES, EACH, count, seed)
    steps = [128]
    while steps[-1] <= last:
        steps.append(2 * steps[-1])
    watched = []
    for i, found in enumerate(starts):
        if i % 50 == 0:
            tell(f"{game}: position {i + 1} of {count}, {steps[-1]:,} simulations each")
        watched.append(watch(found, engine, steps, seed * 1_000_003 + i))
    return {step: errors(watched, i) for i, step in enumerate(steps[:-1])}


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count, last = (40, 1_024) if quick else (200, 16_384)
    ours = measure("go(points=True)", count, last, seed, tell)
    theirs: dict[int, tuple[Any, ...]] = {}
    if not quick:
        theirs = measure("go(points=True, urgencies=True)", 64, 4_096, seed, tell)
    return judged(ours, theirs, count)


def run_full(seed: int, tell: Tell) -> Report:
    """More positions, and as many simulations as it took max to overtake the mean in the paper."""
    return judged(measure("go(points=True)", 240, 65_536, seed, tell), {}, 240)


def judged(
    ours: dict[int, tuple[Any, ...]], theirs: dict[int, tuple[Any, ...]], count: int
) -> Report:
    """The table beside the paper's and what follows; `theirs`: with Coulom's simulations."""
    last = max(ours)
    rows: list[tuple[Any, ...]] = []
    for step, row in ours.items():
        rows.append((step, "ponder", *row))
        if step in theirs:
            rows.append((step, "ponder, Coulom's simulations", *theirs[step]))
        rows.append((step, "Coulom 2006", *PAPER[step]))
    rms = {step: row[::2] for step, row in ours.items()}
    bias = {step: row[1::2] for step, row in ours.items()}
    signs = all(b[MEAN] < 0 < b[MAX] for b in bias.values())
    leads = [step for step, r in rms.items() if r[MIX] == min(r)]
    early = rms[128][MEAN] < rms[128][MAX]
    closing = [r[MAX] / r[MEAN] for r in rms.values()]
    crossed = next((step for step, r in rms.items() if r[MAX] < r[MEAN]), None)
    return Report(
        claim="the mean underestimates, the maximum overestimates; with few simulations the mean "
        "is much the better of the two, with more they draw level; mix is better than both",
        source="Coulom 2006, Table 1 (1,500 positions, up to 262,144 simulations)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=signs and early and len(leads) == len(rms) and closing[-1] < closing[0] / 2,
        conclusion=(
            f"biases of mean and max have the paper's signs {'at every S' if signs else 'NOT'}; "
            f"mix has the least RMS at {len(leads)} of {len(rms)} values of S; max's RMS falls "
            f"from {closing[0]:.1f} to {closing[-1]:.1f} times the mean's "
            + (
                f"and is lower at {crossed:,} simulations"
                if crossed
                else f"and is not lower at any S up to {last:,}"
            )
        ),
        notes=(
            f"{count} positions from the first {PLIES} plies of games of the engine with itself, "
            f"{SELF_PLAY} simulations a move; 9x9, komi 7.5; points, for the player to move",
            "error: what the operator says after S simulations less what the search, by mix, says "
            "after 2S; RMS: the root of the mean of its square; bias: its mean",
            "ponder: the library's own rollouts (captures, escapes, patterns)"
            + ("; with Coulom's simulations: his urgencies, 64 positions" if theirs else ""),
            "in the paper max overtakes the mean between 32,768 and 65,536 simulations",
        ),
    )
