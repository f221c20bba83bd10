"""Parts as a search needs them: for trees whose positions share children, and read from a text."""

from __future__ import annotations

from typing import Any

from ponder.core.game import Spec
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.registry import saved_engine
from ponder.errors import InputError
from ponder.mcts.backup.mean import GraphMean, Mean
from ponder.mcts.expand import NthVisit, OneChild, Progressive
from ponder.mcts.parts import COMPILED_KINDS, Parts, completed

FUNCTION = "evaluate=function("


def for_graphs(parts: Parts, spec: Spec) -> Parts:
    """The parts for a tree whose positions share children: means must not be running sums."""
    if spec.players > 2 or (spec.players == 2 and not spec.zero_sum):
        raise InputError("transpositions are for one player, or two who play for opposite ends")
    if isinstance(parts.expand, Progressive):  # edges that find a position do not know its moves
        raise InputError("progressive() opens children for one edge alone: not with transpositions")

    def changed(part: Any) -> Any:
        if isinstance(part, Mean):
            return completed("backup", GraphMean())
        if "backup" in getattr(part, "_fields", ()):
            return part._replace(backup=changed(part.backup))
        return part

    return parts._replace(expand=looking(parts.expand), backup=changed(parts.backup))


def looking(expand: Any) -> Any:
    """The expand rule, made to look for untried children where a node's visits do not tell.

    `OneChild` counts on one visit per child. In graphs, with several threads, and after recycling
    (then UCB1's scores find untried children) a node may have more visits, or fewer.
    """
    return completed("expand", NthVisit(2)) if isinstance(expand, OneChild) else expand


def parts_of_text(engine: str, position: Position) -> Parts:
    """The parts of a tree that was read from a file, but for the evaluation.

    Nothing is evaluated here, and a function's name cannot be read back.
    """
    made: Any = canonical(saved_engine(_without_function(engine)))
    parts = Parts(
        *(
            completed(kind, completed(kind, getattr(made, kind)).fitted(position))
            for kind in COMPILED_KINDS
        )
    )
    return for_graphs(parts, position.rules.spec) if made.transpositions else parts


def _without_function(engine: str) -> str:
    """The engine's text without ``evaluate=function(...)``."""
    begin = engine.find(FUNCTION)
    if begin < 0:
        return engine
    end, depth = begin + len(FUNCTION), 1
    while depth and end < len(engine):
        depth += {"(": 1, ")": -1}.get(engine[end], 0)
        end += 1
    return engine[:begin] + engine[end:].removeprefix(", ")
