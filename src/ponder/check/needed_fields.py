"""Does anybody write the node fields that a rule asks for? What nobody writes stays as it was made.

A rule that asks for ``squares`` and leaves them alone would read zeros in every search. So before a
rule of the user's searches for the first time, a short search in plain Python looks at what it
asks for; `check_rule` does the same with the searches that it makes.
"""

from __future__ import annotations

from typing import Any

from ponder.check.rule_games import Party, RuleDuel
from ponder.core.parts import is_ours
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.rng import new_rng
from ponder.core.twin import plain_function, twin
from ponder.errors import InputError, PonderError
from ponder.mcts.assembly import node_types
from ponder.mcts.parts import COMPILED_KINDS, looking, parts_of
from ponder.mcts.run import new_store, new_work
from ponder.mcts.search import simulate
from ponder.mcts.tree import EXTRA_FIELDS

SIMULATIONS = 300
WRITERS = {
    "squares": "its method after can call add_squares(tree, work, depth) of ponder.rules",
    "sums": "its method after can call add_to_sums(tree, work, depth) of ponder.rules",
    "amaf_value": "its method after can call add_amaf(tree, work, depth) of ponder.rules",
    "amaf_visits": "its method after can call add_amaf(tree, work, depth) of ponder.rules",
    "prior": "expand=all_children(priors=uniform()), say, writes priors",
    "hint": "its method prepare can write the game's order",
}
"""What helps, for fields that others may write."""

_examined: set[Any] = set()


class UnwrittenField(InputError):
    """A rule asks for a field that no part of the engine writes, or that there is not."""


def examine(engine: Any, position: Position) -> None:
    """InputError where a rule of the user's asks for a field that no part of the engine writes."""
    own = [kind for kind in COMPILED_KINDS if not is_ours(type(getattr(engine, kind)))]
    asked = [kind for kind in own if asked_by(getattr(engine, kind))]
    kinds = tuple(type(getattr(engine, kind)) for kind in COMPILED_KINDS)
    if not asked or kinds in _examined:
        return
    _examined.add(kinds)  # first: the search below asks for the same
    try:
        for kind in asked:
            _refuse_unknown(kind, getattr(engine, kind))
        nodes = _searched(engine)
        for kind in asked if nodes is not None else ():
            rule = getattr(engine, kind)
            empty = unwritten(rule, nodes)
            if empty:
                raise UnwrittenField(f"{kind}={part_text(rule)} {complaint(empty)}")
    except BaseException:
        _examined.discard(kinds)
        raise


def asked_by(rule: Any) -> set[str]:
    """The fields that a rule, and the rules inside it, ask for."""
    inner = (asked_by(value) for value in rule if hasattr(type(value), "_fields"))
    return set(getattr(type(rule), "NEEDS", ())).union(*inner)


def _refuse_unknown(kind: str, rule: Any) -> None:
    unknown = sorted(asked_by(rule) - set(EXTRA_FIELDS))
    if unknown:
        raise UnwrittenField(
            f"{kind}={part_text(rule)} asks for {unknown[0]!r} (NEEDS), which nodes do not have; "
            f"available: {', '.join(EXTRA_FIELDS)}"
        )


def unwritten(rule: Any, nodes: Any) -> list[str]:
    """The fields that the rule asks for and that are in every node as in the first one made."""
    asked = [name for name in EXTRA_FIELDS if name in asked_by(rule)]
    return [name for name in asked if len({value.tobytes() for value in nodes[name]}) == 1]


def complaint(empty: list[str]) -> str:
    """What is wrong with a rule that asks for these fields, and what would help."""
    hint = WRITERS.get(empty[0], "write it yourself, in after or update")
    return f"asks for {', '.join(empty)} (NEEDS), which nobody writes: {hint}"


def _searched(engine: Any) -> Any:
    """The nodes of a short search in plain Python; None where the engine refuses both games, or
    breaks its contract: the search itself says so."""
    for game in (RuleDuel(), Party()):
        start = Position(game)
        try:
            parts = parts_of(engine, start)
            parts = parts._replace(expand=looking(parts.expand))
            store = new_store(node_types(parts, start.rules.spec), start.rules.spec, 1.0)
            store.nodes[0].player = start.current_player
            work = new_work(parts, start.rules.spec, start, SIMULATIONS)
        except InputError:
            continue
        try:
            plain_function(simulate)(
                twin(start.rules.part),
                twin(parts),
                twin(store.tree),
                twin(work),
                new_rng(0),
                SIMULATIONS,
                True,
            )
        except (PonderError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            return None
        return store.nodes.copy()
    return None
