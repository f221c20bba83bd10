"""A game with a network in place of its evaluation function, for the classical searches."""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.game import rules_of
from ponder.core.parts import distinguish
from ponder.core.position import Position, rules_for
from ponder.errors import InputError
from ponder.jit import take_methods
from ponder.jit.methods import constants_of
from ponder.learn.network import Network, hidden, scratch_for, write_values
from ponder.learn.plain_codes import refuse_plain

INSIDE = 0.999
"""Estimates stay inside the range of utilities by a thousandth: its ends are for ends of games."""


def evaluate(self, s, out):
    """The network's values."""
    player = self.current_player(s)
    hidden(self.network, self, s, self.scratch, player)
    write_values(self.network, self.scratch, player, out)
    middle = 0.5 * (self.network.highest + self.network.lowest)
    for p in range(out.size):
        out[p] = middle + INSIDE * (out[p] - middle)


def with_network(position: Position, network: Network, cells: int) -> Position:
    """The position, of a game whose `evaluate` is the network's."""
    refuse_plain(position, "a network in place of evaluate")
    if hasattr(network.cells, "places"):
        raise InputError(
            f"{position.rules.name} has no hook cells: its network sees whole records, "
            "which only mcts gives it"
        )
    game, rules = position.game, rules_of(position.game)
    fields = [*((name, Any) for name in rules._fields), ("network", Any), ("scratch", Any)]
    new: Any = NamedTuple  # type checkers would take what it makes for a class without methods
    part = new(f"Evaluated{type(rules).__name__}", fields)
    part.evaluate = evaluate
    take_methods(part, type(rules))
    for name, fact in constants_of(type(rules)).items():
        setattr(part, name, fact)
    distinguish(part)
    scratch = scratch_for(network, position.rules.spec, cells)
    made = part(*rules, network, scratch)

    def new_rules(self: Any) -> Any:
        return made

    kind = type(game)
    body = {"rules": new_rules, "__slots__": (), "__module__": kind.__module__}
    evaluated = type(kind.__name__, (kind,), {**body, "__qualname__": kind.__qualname__})
    here = Position.__new__(Position)
    here._rules = rules_for(evaluated._make(game))  # type: ignore[attr-defined]
    here._state = position.raw_state
    here._before, here._action, here._origin = None, None, ""
    return here
