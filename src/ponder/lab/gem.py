"""The hidden gem: who finds a move that looks bad at first, who loses it, who overrates it.

Move C of the game `gem` is the best one. In the scenarios `gem` and `pruning` random play below it
is worth less than below A, and noisy; in `noise`, as in the lesson, it is only noisy. Every run is
another tree (which replies are right) and another search.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.games.gem import Gem
from ponder.lab.plan import Above, Between, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Share
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.operators import Max
from ponder.mcts.engine import MCTS
from ponder.mcts.presets import crazy_stone
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.select.urgency import Urgency
from ponder.mcts.select.variance import ProgressivePruning
from ponder.mcts.tree import ROOT

C = 2
GAPS, NOISE = ("gem", "pruning"), "noise"
STEPS = (100, 1_000, 10_000)
FEW = 10
"""Playouts that are "a few"."""
MIX, NO_FLOOR, MAX, MEAN = "urgency, mix", "no floor, mix", "urgency, max", "urgency, mean"
CUTTING, HASTY, UCB = "pruning", "hasty pruning", "ucb1, mean"
ENGINES: dict[str, MCTS] = {
    MIX: crazy_stone(),
    NO_FLOOR: crazy_stone(select=Urgency(floor=False)),
    CUTTING: MCTS(select=ProgressivePruning()),
    MAX: crazy_stone(backup=Max()),
    MEAN: crazy_stone(backup=Mean()),
    UCB: MCTS(select=UCB1()),
    HASTY: MCTS(select=ProgressivePruning(z=1.0, least=4)),
}
LONG = (MIX, NO_FLOOR, CUTTING)
"""These are searched to the last of STEPS, the others to the second."""
PLAYS, CUT, OFF = "share that plays C", "share that has cut C", "root value less true value"
JUMP = "root value, max less mix"

PLAN = Plan(
    claim="a search that never gives a move up finds the gem, and the floor under its urgencies is "
    "what keeps it alive; progressive pruning cuts it off after a few unlucky playouts and never "
    "looks again; max backup makes the root look better than it is, at once when it is switched on",
    source="Coulom 2006, sections 3 and 4; the tree of the lesson PhD for Dummies on it",
    clauses=(
        Clause(
            "finds",
            "urgency with mix plays the gem in nine trees of ten",
            f"{PLAYS} after 10,000 simulations (gem, pruning), after 1,000 (noise)",
            Above(0.9),
        ),
        Clause(
            "floor-gaps",
            "the floor is what keeps a gem with gaps alive",
            f"{PLAYS} after 10,000, with less without the floor, tree by tree",
            Above(0.02),
        ),
        Clause(
            "floor-noise",
            "the floor is what keeps a gem alive that is only noisy",
            f"{PLAYS} after 1,000, with less without the floor, tree by tree",
            Above(0.02),
        ),
        Clause("cuts", "progressive pruning cuts off a gem with gaps", CUT, Above(0.5)),
        Clause(
            "few",
            "pruning on few playouts loses a gem that is only noisy, too",
            f"share whose C is cut after at most {FEW} playouts; z = 1, least = 4",
            Above(0.05),
        ),
        Clause(
            "never",
            "what was cut is never looked at again",
            "visits of C after it was cut, all trees together",
            Between(0, 0),
        ),
        Clause("max", "max overrates the root", f"{OFF} after 100", Above(0.0)),
        Clause(
            "mix",
            "mix overrates it less than max",
            "root value of max less that of mix after 100, tree by tree",
            Above(0.0),
        ),
        Clause(
            "switch",
            "switching from mix to max in mid-run makes the root's value jump",
            f"{JUMP}, the same search at the same moment",
            Above(0.0),
        ),
        Clause("too-high", "it jumps too high", f"{OFF} after the switch", Above(0.0)),
    ),
    sizes={
        "trees": Size(60, 1_000, 1_000, "trees a row, one search each"),
        "seeds": Size(60, 1_000, 1_000, "searches that switch"),
        "moment": Size(200, 200, 200, "simulations before the switch"),
    },
    notes=(
        "C is worth 0.6, A 0.35; plays: the move visited most",
        "UCB1 counts its exploration in utilities, not in half the range declared, which is far "
        "wider than what is ever paid",
    ),
    figures=(
        Figure(PLAYS, "simulations", log_x=True),
        Figure(OFF, "simulations", log_x=True),
    ),
    own="select",
)


def in_utilities(engine: MCTS, scenario: str) -> MCTS:
    if not isinstance(engine.select, UCB1):
        return engine
    return engine._replace(select=UCB1(c=engine.select.c / Gem(scenario).spec().highest))


def watch(start: Position, engine: MCTS, steps: tuple[int, ...], seed: int) -> list[list[Any]]:
    """One search, looked at after each of `steps`: the move visited most, the root's value, whether
    C is cut, and its visits."""
    run = CompiledRun(start, engine, seed, 64.0).prepare()
    seen = []
    for step in steps:
        run.advance(step - run.done)
        moves = run.store.children(ROOT)
        best = moves[moves.visits.argmax()]
        if isinstance(engine.backup, Mean):
            value = float(run.work.totals[0]) / run.done
        else:
            value = float(run.store.nodes[ROOT].backed[0])
        gem = moves[moves.action == C][0]
        cut = bool(gem.cut) if "cut" in moves.dtype.names else False
        seen.append([int(best.action), value, cut, int(gem.visits)])
    return seen


def search(lab: Lab, scenario: str, engine: MCTS, steps: tuple[int, ...]) -> list[Any]:
    """Every tree, searched once."""
    engine = in_utilities(engine, scenario)
    return [
        watch(Position(Gem(scenario, seed=i)), engine, steps, i)
        for i in range(lab.seed * 1_000_003, lab.seed * 1_000_003 + lab["trees"])
    ]


def switched(lab: Lab, start: Position) -> list[list[float]]:
    """Searches by mix, and the same ones after switching to max: what the root is worth."""
    found = []
    for i in range(lab["seeds"]):
        session = crazy_stone().start(start, seed=lab.seed * 1_000_003 + i)
        session.run(simulations=lab["moment"])
        before = session.result().root_value or 0.0
        session.change(backup=Max())
        found.append([before, session.result().root_value or 0.0])
    return found


def run(lab: Lab) -> None:
    engines = ENGINES | {part_text(rule): MCTS(select=rule) for rule in lab.own}
    for scenario in (*GAPS, NOISE):
        seen: dict[str, list[Any]] = {}
        true = max(Gem(scenario).true_values())
        for name, engine in engines.items():
            long = scenario != NOISE and (name in LONG or name not in ENGINES)
            steps = STEPS if long else STEPS[:2]

            series = f"{scenario}: {name}"
            found = seen[name] = lab.step(series, search, lab, scenario, engine, steps)
            for k, n in enumerate(steps):
                plays = Share([tree[k][0] == C for tree in found])
                last = name == MIX and k == len(steps) - 1
                lab.observe(series, n, PLAYS, plays, "finds" if last else "")
                error = Average([tree[k][1] - true for tree in found])
                lab.observe(series, n, OFF, error, "max" if name == MAX and k == 0 else "")
            if name in (CUTTING, HASTY):
                observe_cuts(lab, scenario, name, found, steps)
        compare(lab, scenario, seen)
    switch(lab)


def observe_cuts(
    lab: Lab, scenario: str, name: str, found: list[Any], steps: tuple[int, ...]
) -> None:
    series = f"{scenario}: {name}"
    cuts = name == CUTTING and scenario in GAPS
    lab.observe(series, steps[-1], CUT, Share([t[-1][2] for t in found]), "cuts" if cuts else "")
    if name == HASTY:
        early = Share([t[-1][2] and t[-1][3] <= FEW for t in found])
        unit = f"share that has cut C after at most {FEW} playouts"
        lab.observe(series, steps[-1], unit, early, "few" if scenario == NOISE else "")
    more = sum(later[3] - now[3] for tree in found for now, later in pairwise(tree) if now[2])
    lab.observe(series, steps[-1], "visits of C after the cut", Exact(more), "never")


def compare(lab: Lab, scenario: str, seen: dict[str, list[Any]]) -> None:
    """Tree by tree: with the floor and without, max and mix."""
    pairs = list(zip(seen[MIX], seen[NO_FLOOR], strict=True))
    gain = [float(a[-1][0] == C) - float(b[-1][0] == C) for a, b in pairs]
    clause = "floor-noise" if scenario == NOISE else "floor-gaps"
    unit = f"{PLAYS}, floor less no floor"
    lab.observe(scenario, None, unit, Average(gain, bounds=(-1.0, 1.0)), clause)
    above = [a[0][1] - b[0][1] for a, b in zip(seen[MAX], seen[MIX], strict=True)]
    lab.observe(scenario, None, "root value after 100, max less mix", Average(above), "mix")


def switch(lab: Lab) -> None:
    start = Position(Gem(NOISE))
    true = max(start.rules.game.true_values())
    found = lab.step(f"{NOISE}: switching to max", switched, lab, start)
    jumps = Average([after - before for before, after in found])
    lab.observe(f"{NOISE}: switch", lab["moment"], JUMP, jumps, "switch")
    for i, (name, clause) in enumerate((("before", ""), ("after", "too-high"))):
        series = f"{NOISE}: {name} the switch"
        lab.observe(series, lab["moment"], OFF, Average([f[i] - true for f in found]), clause)
