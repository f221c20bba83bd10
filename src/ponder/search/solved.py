"""`Solved`: what `ponder.search.solve` gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ponder.core.position import Position
from ponder.core.protocols import Action
from ponder.core.registry import game_text
from ponder.core.result import frame, listed, plain_json


@dataclass(frozen=True)
class SolvedMove:
    """A move with its exact value for the player who makes it."""

    action: Action
    name: str
    value: float | None
    """None where it is not known."""
    low: float
    high: float
    """What is known of the value: at least, at most."""
    distance: int | None = None
    """Plies to the end, this move included, if the game is then won or lost; both play their best:
    the winner hurries, the loser delays. None of other results, and where it is not known."""
    values: tuple[float, ...] | None = None
    """Every player's value, where one does not follow from another."""

    def to_json(self) -> dict[str, Any]:
        return {
            "action": plain_json(self.action),
            "name": self.name,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "distance": self.distance,
            "values": listed(self.values),
        }


@dataclass(frozen=True)
class Solved:
    """What is known of a position. Values are for the player to move, for player 0 where chance
    moves: then the moves are its outcomes."""

    position: Position
    value: float | None
    low: float
    high: float
    """What is known of the value: at least, at most."""
    distance: int | None
    move: Action | None
    """The move to play by what is known: an optimal one, or the best so far; None if there is
    no reason to choose any, and where chance moves."""
    moves: tuple[SolvedMove, ...]
    """Best first."""
    nodes: int
    """Positions visited."""
    seconds: float
    method: str
    stopped_by: str
    """solved, seconds, nodes, stop, interrupt or depth."""
    values: tuple[float, ...] | None = None
    """Every player's value, where one does not follow from another."""
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    """What would help, where the value is not known: the most promising first."""
    solution: Any = field(default=None, repr=False, compare=False)
    """All positions and their values (`ponder.search.value_iteration.Solution`), where value
    iteration has found them."""

    @property
    def best(self) -> tuple[SolvedMove, ...]:
        """The optimal moves: of the best value, and of wins the soonest, of losses the latest."""
        if self.value is None or self.position.is_chance:
            return ()
        return tuple(m for m in self.moves if m.value == self.value and m.distance == self.distance)

    def to_json(self) -> dict[str, Any]:
        """Plain data: the shape of ``ponder solve --json``."""
        return {
            "game": game_text(self.position.game),
            "position": self.position.text(),
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "distance": self.distance,
            "values": listed(self.values),
            "move": None if self.move is None else self.position.action_name(self.move),
            "moves": [move.to_json() for move in self.moves],
            "nodes": self.nodes,
            "seconds": self.seconds,
            "method": self.method,
            "stopped_by": self.stopped_by,
            "notes": list(self.notes),
            "help": list(self.help),
        }

    def to_frame(self) -> Any:
        """The moves as a pandas DataFrame, a row each."""
        return frame(move.to_json() for move in self.moves)
