"""How far the backup operators are off: mean, max, robust max and mix on the same searches.

Coulom's Table 1. A position is searched once, by Crazy Stone's rules. After S simulations each
operator gives the root a value from the same data: the root's mean, and the simulations and values
(backed up by mix) of its children. After 2S simulations the search itself, by mix, gives the value
that they are compared with. Values are points of Go for the player to move. Every position is from
a game of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.lab.estimates import Root, self_play, watch
from ponder.lab.plan import OURS, Above, Below, Clause, Figure, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Jackknife
from ponder.mcts.engine import MCTS
from ponder.mcts.presets import crazy_stone
from ponder.mcts.select.urgency import Urgency

POINTS = 81
PLIES = 60
"""Positions are from the first 60 plies of a game: after them little is left to be decided."""
SELF_PLAY = 128
"""Simulations a move in the games that the positions are from."""
PART = 20
"""Positions that are searched as one step."""
OPERATORS: dict[str, Callable[[Root], float]] = {
    "mean": lambda root: root.mean,
    "max": lambda root: root.value0,
    "robust": lambda root: root.robust,
    "mix": lambda root: root.backed,
}
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
RMS, BIAS, APART = "RMS error, points", "bias, points", "RMS, difference"
PRIOR, ROLLOUTS = "ponder, prior 4P^2", "ponder, Coulom's simulations"
DIVIDED, EARLY = "ponder, variances divided", "ponder, urgency from the first visit on"
"""Ours, with two parts of the paper's, and two tests of why ours errs less. A node with fewer than
81 visits is external: its own moves follow the rollout policy, and as a child it keeps an undivided
variance. What if variances are divided from the first game on; and what if the first moves are, in
addition, drawn by urgency?"""


def published(unit: str, place: int) -> tuple[Published, ...]:
    """The paper's columns: RMS at the even places, bias at the odd ones."""
    return tuple(
        Published(
            "Coulom 2006",
            f"{OURS}: {name}",
            unit,
            {s: row[2 * i + place] for s, row in PAPER.items()},
        )
        for i, name in enumerate(OPERATORS)
    )


PLAN = Plan(
    claim="the mean underestimates, the maximum overestimates; with few simulations the mean is "
    "the better of the two, with many the maximum; mix is better than both",
    source="Coulom 2006, Table 1 (1,500 positions, up to 262,144 simulations)",
    clauses=(
        Clause("mean-low", "the mean underestimates, at every S", f"{BIAS}, mean", Below(0.0)),
        Clause("max-high", "the maximum overestimates, at every S", f"{BIAS}, max", Above(0.0)),
        Clause("early", "early the mean is better", f"{APART}, max less mean, S = 128", Above(0.0)),
        Clause(
            "late",
            "late the maximum is better",
            f"{APART}, mean less max, S = 65,536 and above",
            Above(0.0),
        ),
        Clause(
            "mix-max", "mix is better than max, at every S", f"{APART}, max less mix", Above(0.0)
        ),
        Clause(
            "mix-mean",
            "mix is better than the mean, from S = 256 on",
            f"{APART}, mean less mix",
            Above(0.0),
        ),
    ),
    sizes={
        "positions": Size(20, 900, 1_000, "of 9x9 Go, each from another game"),
        "simulations": Size(512, 4_096, 131_072, "the last S", least=128),
        "variants": Size(
            0,
            60,
            200,
            "positions with the paper's variance prior, with its simulations, and by urgency early",
            least=0,
        ),
    },
    notes=(
        f"positions from the first {PLIES} plies of games of the engine with itself, {SELF_PLAY} "
        "simulations a move; komi 7.5; points, for the player to move",
        "error: what the operator says after S simulations less what the search, by mix, says "
        "after 2S; differences of operators are of the same positions",
        "ponder: the library's own rollouts (captures, escapes, patterns); in its variances the "
        "whole range of utilities, komi included, stands where the paper has 2 P",
        "in the paper max overtakes the mean between 32,768 and 65,536 simulations",
    ),
    published=published(RMS, 0) + published(BIAS, 1),
    figures=(
        Figure(RMS, "simulations S", log_x=True, log_y=True, of=OURS),
        Figure(BIAS, "simulations S", log_x=True, of=OURS),
    ),
)


def searched(game: str, engine: MCTS, numbers: range, steps: list[int], seed: int) -> list[Any]:
    """The roots of positions number `numbers`, after each of `steps`; a game that ended before its
    ply came has none."""
    start, playing = Position(parse_game(game)), engine._replace(simulations=SELF_PLAY)
    found = []
    for i in numbers:
        for here in self_play(start, playing, PLIES, 1, seed * 10_007 + i):
            found.append(watch(here, engine, steps, seed * 1_000_003 + i))
    return found


def roots(lab: Lab, who: str, game: str, engine: MCTS, count: int, last: int) -> list[list[Root]]:
    steps = [128]
    while steps[-1] <= last:
        steps.append(2 * steps[-1])
    found: list[Any] = []
    for first in range(0, count, PART):
        numbers = range(first, min(first + PART, count))
        what = f"{who}: positions {numbers[0] + 1} to {numbers[-1] + 1} of {count}"
        found += lab.step(what, searched, game, engine, numbers, steps, lab.seed)
    return [[Root(*root) for root in seen] for seen in found]


def errors(watched: list[list[Root]], step: int) -> dict[str, Any]:
    """What each operator says at this step less mix at the next one, position by position."""
    return {
        name: np.array([operator(r[step]) - r[step + 1].backed for r in watched])
        for name, operator in OPERATORS.items()
    }


def rms(off: Any) -> Jackknife:
    return Jackknife(lambda s: np.sqrt(s[..., 0] / s[..., 1]), np.column_stack([off**2, off**0]))


def apart(one: Any, two: Any) -> Jackknife:
    """How much larger the RMS of the first is."""
    rows = np.column_stack([one**2, two**2, one**0])
    return Jackknife(
        lambda s: np.sqrt(s[..., 0] / s[..., 2]) - np.sqrt(s[..., 1] / s[..., 2]), rows
    )


def observe(lab: Lab, who: str, watched: list[list[Root]]) -> None:
    ours = who == OURS
    for k, root in enumerate(watched[0][:-1]):
        s, off = root.simulations, errors(watched, k)
        for name, found in off.items():
            lab.observe(f"{who}: {name}", s, RMS, rms(found))
            clause = {"mean": "mean-low", "max": "max-high"}.get(name, "") if ours else ""
            lab.observe(f"{who}: {name}", s, BIAS, Average(found.tolist()), clause)
        pairs = {("max", "mix"): "mix-max"}
        if s >= 256:
            pairs["mean", "mix"] = "mix-mean"
        if s == 128:
            pairs["max", "mean"] = "early"
        if s >= 65_536:
            pairs["mean", "max"] = "late"
        for (one, two), clause in pairs.items():
            sample = apart(off[one], off[two])
            lab.observe(f"{who}: {one} less {two}", s, APART, sample, clause if ours else "")


def run(lab: Lab) -> None:
    engine = crazy_stone(points=POINTS)
    last = lab["simulations"]
    ours = roots(lab, OURS, "go(points=True)", engine, lab["positions"], last)
    observe(lab, OURS, ours)
    if not lab["variants"]:
        return
    prior = engine._replace(select=Urgency(points=POINTS, in_points=True))
    for who, game, other in (
        (PRIOR, "go(points=True)", prior),
        (ROLLOUTS, "go(points=True, urgencies=True)", engine),
        (DIVIDED, "go(points=True)", engine._replace(select=Urgency(POINTS, continuous=True))),
        (EARLY, "go(points=True)", engine._replace(select=Urgency(points=1))),
    ):
        observe(lab, who, roots(lab, who, game, other, lab["variants"], min(last, 4_096)))
