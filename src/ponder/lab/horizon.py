"""Chess with and without quiescence search: how often a shallow search is misled."""

from __future__ import annotations

import math
import statistics
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.start import position
from ponder.games.chess.evaluation import SCALE
from ponder.lab.matches import openings
from ponder.lab.old_report import Report, Tell
from ponder.search.alphabeta import AlphaBeta

BAITS = (
    "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1",
    "4k3/1p6/p7/8/8/3B4/8/4K3 w - - 0 1",
    "3rk3/3p4/8/8/8/8/3R4/4K3 w - - 0 1",
    "4k3/5p2/4p3/3n4/8/2N2Q2/8/4K3 w - - 0 1",
    "4k3/8/8/1q6/8/3P4/2P5/4K3 b - - 0 1",
    "4k3/8/3p4/2p1p3/8/3N4/8/4K3 w - - 0 1",
    "r3k3/p7/8/8/8/8/Q7/4K3 w - - 0 1",
    "4k3/1b6/8/3p4/8/8/3R4/4K3 w - - 0 1",
)
"""A guarded man is offered: whoever takes it and counts at once seems to have won it."""
BLUNDER = 2.0
"""Pawns."""
MOST = 10.0
"""Pawns that a bad move costs at most: a mate is not worth a thousand of them."""
COLUMNS = (
    "positions",
    "depth",
    "quiescence",
    "nodes",
    "as the judge",
    "as the blunt judge",
    "loss (pawns)",
    "blunders",
    "share",
)


class Choice(NamedTuple):
    """What a shallow search chose in a position, and how good a deep one finds it."""

    nodes: int
    same: bool
    blunt: bool
    loss: float


def pawns(value: float) -> float:
    """An expected utility in pawns."""
    most = math.tanh(100 * MOST * SCALE)
    return math.atanh(max(-most, min(most, value))) / (100 * SCALE)


def judged(here: Position, engine: AlphaBeta, judge: AlphaBeta, best: Any, blunt: Any) -> Choice:
    """The engine's move against the judges'; its loss is what the judge then finds, a ply on."""
    found = engine.search(here)
    as_blunt = found.action == blunt.action
    if found.action == best.action:
        return Choice(found.nodes or 0, True, as_blunt, 0.0)
    after = here.play(found.action)
    mover = here.current_player
    if after.is_terminal:
        value = after.returns[mover]
    else:
        value = judge.search(after, depth=(judge.depth or 1) - 1).values[mover]
    return Choice(found.nodes or 0, False, as_blunt, max(0.0, pawns(best.value) - pawns(value)))


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count, deep = (12, 4) if quick else (100, 6)
    judge = AlphaBeta(depth=deep, memory=32.0)
    sets = (
        ("baits", [position("chess", text) for text in BAITS]),
        ("random play", openings("chess", 16, count, seed)),
    )
    rows: list[tuple[Any, ...]] = []
    blunders: dict[tuple[str, bool], int] = {}
    losses: dict[bool, list[float]] = {False: [], True: []}
    for name, starts in sets:
        tell(f"{name}: {len(starts)} positions to depth {deep}")
        best = [judge.search(start) for start in starts]
        blunt = [judge._replace(quiescence=False).search(start) for start in starts]
        for depth in (1, 2, 3):
            for calm in (False, True):
                engine = AlphaBeta(depth=depth, memory=1.0, quiescence=calm)
                seen = [
                    judged(start, engine, judge, *found)
                    for start, *found in zip(starts, best, blunt, strict=True)
                ]
                bad = sum(choice.loss >= BLUNDER for choice in seen)
                blunders[name, calm] = blunders.get((name, calm), 0) + bad
                losses[calm] += [choice.loss for choice in seen]
                rows.append(
                    (
                        name,
                        depth,
                        calm,
                        round(statistics.mean(choice.nodes for choice in seen)),
                        sum(choice.same for choice in seen),
                        sum(choice.blunt for choice in seen),
                        statistics.mean(choice.loss for choice in seen),
                        bad,
                        bad / len(seen),
                    )
                )
    without, with_it = (
        sum(n for (_, c), n in blunders.items() if c is calm) for calm in (False, True)
    )
    loss = {calm: statistics.mean(found) for calm, found in losses.items()}
    return Report(
        claim="a search cut off in a position that is not quiescent is misled: it counts the men "
        "just before a capture",
        source="the lecture, Quiescence Search",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=with_it < without and loss[True] < loss[False],
        conclusion=(
            f"blunders of {BLUNDER:g} pawns and more: {without} without quiescence search, "
            f"{with_it} with it; mean loss {loss[False]:.2f} and {loss[True]:.2f} pawns"
        ),
        notes=(
            f"judge: a search of depth {deep} with quiescence; as the judge: how often the move is "
            "the judge's; loss: what it thinks worse of the move chosen, at most 20 pawns",
            "blunt judge: the same depth without quiescence, in case the judge is thought partial",
            f"baits: {len(BAITS)} positions in which a guarded man can be taken; random play: "
            "after 16 random moves",
        ),
    )
