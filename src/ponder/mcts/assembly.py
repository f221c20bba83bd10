"""What a Monte Carlo tree search is made of: parts, kinds of nodes, machine code.

For the parts of this package all that follows from the engine and the game alone, so it is put
together once and serves every search: assembling takes longer than ten simulations.
"""

from __future__ import annotations

from typing import Any

from ponder.core.parts import is_ours
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import players_shown
from ponder.errors import InputError
from ponder.mcts.defaults import PartDefaults, is_of_the_game
from ponder.mcts.keep import FIELDS, Keep, KeepRootSums
from ponder.mcts.parts import COMPILED_KINDS as KINDS
from ponder.mcts.parts import (
    Parts,
    completed,
    fields_of,
    for_graphs,
    looking,
    parts_of,
    with_keep,
)
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.tree import node_type


class Assembly:
    """The parts of one engine in one game, and what follows from them."""

    def __init__(self, engine: Any, parts: Parts, spec: Any, recycles: bool) -> None:
        self.parts, self.recycles, self.engine = parts, recycles, engine
        self.fields = fields_of(parts)
        """The node fields that the parts need."""
        self.node, self.own = node_types(parts, spec)
        self.text, self.backup_text = part_text(engine), part_text(engine.backup)
        self.serves_again = False
        """Will other searches get this assembly, too?"""
        self.pace: float | None = None
        """Seconds that a simulation took in the last small search."""
        self.machine: Any = None
        """The machine code of `simulate` for these parts, once it has been looked for."""


def assembled(
    engine: Any, position: Position, *, continues: bool = False, keep: bool = False
) -> Assembly:
    """The assembly for this position, as kernels take it; refuses what cannot work there.

    `continues`: an earlier tree goes on; `keep`: what rules to come may need is noted.
    """
    rules = position.rules
    key = id(engine), id(rules), continues
    if not keep:
        known = _kept.get(key)
        if known is not None and known[0] is engine and known[1] is rules:
            return known[2]
    made = _made(engine, position, continues, keep)
    if not keep and not rules.plain and _serves_all_positions(engine):
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = engine, rules, made
        made.serves_again = True
    return made


MOST_KEPT = 64
_kept: dict[tuple[int, int, bool], tuple[Any, Any, Assembly]] = {}
"""By what they were made of: kept beside them, so that no other object gets their `id`."""


def _serves_all_positions(engine: Any) -> bool:
    """Do the parts follow from the engine and the game, and not from the position?"""
    return all(map(_is_of_the_game, (completed(kind, getattr(engine, kind)) for kind in KINDS)))


def _is_of_the_game(part: Any) -> bool:
    """Does the part, and every part inside it?"""
    cls: Any = type(part)
    inner = (value for value in part if isinstance(value, PartDefaults))
    said = is_of_the_game(cls.fitted) and is_of_the_game(cls.refusal)
    return is_ours(cls) and said and all(map(_is_of_the_game, inner))


def _made(engine: Any, position: Position, continues: bool, keep: bool) -> Assembly:
    rules: Any = position.rules
    spec, parts = rules.spec, parts_of(engine, position)
    if engine.transpositions:
        if rules.has_dice:
            raise InputError("transpositions are for games without dice")
        parts = for_graphs(parts, spec)
    recycles = bool(engine.recycle) and not engine.transpositions
    again = recycles or continues  # where visits may be more, or fewer
    if engine.threads != 1 or (again and not isinstance(parts.select, UCB1)):
        parts = parts._replace(expand=looking(parts.expand))
    if keep:
        parts = with_keep(parts, spec, rules.has_dice)
    elif players_shown(position) and fields_of(parts).isdisjoint(("backed", "sums")):
        parts = parts._replace(keep=KeepRootSums())
    return Assembly(engine, parts, spec, recycles)


def node_types(parts: Parts, spec: Any) -> tuple[Any, Any]:
    """Nodes with all fields, and with those alone that the engine's parts need."""
    fields = fields_of(parts)
    kept = FIELDS if isinstance(parts.keep, Keep) else ()
    made = (node_type(tuple(sorted(names)), spec.players) for names in (fields.union(kept), fields))
    return tuple(made)  # type: ignore[return-value]
