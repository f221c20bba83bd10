"""The hidden gem: who finds a move that looks bad at first, who loses it, who overrates it.

Move C of the game `gem` is the best one, but random play below it is worth less than below A, and
noisy. Every run is another tree (which replies are right) and another search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.games.gem import Gem
from ponder.lab.report import Report, Tell
from ponder.mcts.backup.extremes import Max
from ponder.mcts.backup.mean import Mean
from ponder.mcts.engine import MCTS
from ponder.mcts.presets import crazy_stone, uct
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.pruning import ProgressivePruning
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.tree import ROOT

C = 2
STEPS = (100, 1_000, 10_000)
ENGINES = {
    "urgency, mix": crazy_stone(),
    "urgency, max": crazy_stone(backup=Max()),
    "urgency, mean": crazy_stone(backup=Mean()),
    "pruning, mean": MCTS(select=ProgressivePruning()),
    "ucb1, mean": uct(),
}
SCENARIOS = ("gem", "pruning")


def in_utilities(engine: MCTS, scenario: str) -> MCTS:
    """The engine with UCB1's exploration of 2 in utilities, not in half the range declared: that
    is far wider than what is ever paid."""
    if not isinstance(engine.select, UCB1):
        return engine
    return engine._replace(select=UCB1(c=2.0 / Gem(scenario).spec().highest))


class SeenRoot(NamedTuple):
    """A search after some simulations."""

    recommends: int
    """The move visited most."""
    value: float
    """What the search takes the root to be worth."""
    cut: bool
    """Has the select rule given C up for good?"""


def watch(start: Position, engine: MCTS, seed: int) -> list[SeenRoot]:
    """One search, looked at after each of STEPS."""
    run = CompiledRun(start, engine, seed, 64.0)
    seen = []
    for step in STEPS:
        run.advance(step - run.done)
        moves = run.store.children(ROOT)
        best = moves[moves.visits.argmax()]
        if isinstance(engine.backup, Mean):
            value = float(run.work.totals[0]) / run.done
        else:
            value = float(run.store.nodes[ROOT].backed[0])
        gem = moves[moves.action == C][0]
        seen.append(SeenRoot(int(best.action), value, bool(gem.cut)))
    return seen


def share(items: Any) -> float:
    found = list(items)
    return float(sum(found) / len(found))


def run(quick: bool, seed: int, tell: Tell) -> Report:
    runs = 60 if quick else 1_000
    rows: list[tuple[Any, ...]] = []
    found: dict[tuple[str, str], float] = {}
    lost: dict[tuple[str, str], float] = {}
    over: dict[tuple[str, str], float] = {}
    for scenario in SCENARIOS:
        true = max(Gem(scenario).true_values())
        for name, engine in ENGINES.items():
            tell(f"{scenario}: {name}, {runs} trees, {STEPS[-1]:,} simulations each")
            seen = [
                watch(
                    Position(Gem(scenario, seed=seed * 1_000_003 + i)),
                    in_utilities(engine, scenario),
                    i,
                )
                for i in range(runs)
            ]
            hits = [share(s[k].recommends == C for s in seen) for k in range(len(STEPS))]
            errors = [share(s[k].value - true for s in seen) for k in range(len(STEPS))]
            key = scenario, name
            found[key], lost[key] = hits[-1], share(s[-1].cut for s in seen)
            over[key] = max(errors)
            rows.append((scenario, name, *hits, lost[key], *errors))
    coulom = min(found[s, "urgency, mix"] for s in SCENARIOS)
    pruned = lost["pruning", "pruning, mean"]
    too_high = [over[s, "urgency, max"] for s in SCENARIOS]
    mix_high = max(over[s, "urgency, mix"] for s in SCENARIOS)
    return Report(
        claim="a search that never gives a move up finds the gem; progressive pruning cuts it off "
        "and never looks again; with max backup the root looks better than it is",
        source="Coulom 2006, sections 3 and 4; the tree of a lesson on that paper",
        columns=(
            "scenario",
            "select, backup",
            *(f"plays C after {n:,}" for n in STEPS),
            "C cut for good",
            *(f"value - 0.6 after {n:,}" for n in STEPS),
        ),
        rows=tuple(rows),
        holds=coulom > 0.9 and pruned > 0.5 and min(too_high) > 0.0 >= mix_high,
        conclusion=(
            f"urgency with mix plays the gem in {coulom:.1%} of the trees or more after "
            f"{STEPS[-1]:,} simulations; pruning has cut it off in "
            f"{lost['gem', 'pruning, mean']:.1%} of the trees of `gem` and {pruned:.1%} of those "
            f"of `pruning`; max overrates the root by up to "
            f"{max(too_high):.2f}, mix by {max(mix_high, 0.0):.2f}"
        ),
        notes=(
            f"{runs:,} trees a row, one search each; C is worth 0.6, A 0.35, which looks better",
            "plays: the move visited most; value - 0.6: mean over the trees of what the search "
            "takes the root to be worth, less what it is worth",
        ),
    )
