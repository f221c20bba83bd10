"""`Event`: one thing that happened in a search. ``session.events()``: one stream for all."""

from __future__ import annotations

from typing import Any, NamedTuple


class Event(NamedTuple):
    """One thing that happened, at a node of the search tree.

    Values and windows are utilities of the player to move at the root, whoever moves at the node;
    `values` has one for each player. Each engine says which kinds it has and what their facts are.
    """

    moment: int
    """Simulations or nodes counted when it happened, the one it belongs to included."""
    kind: str
    path: tuple[str, ...]
    """The moves and outcomes from the root to the node, by name."""
    facts: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Plain data, one level: the facts beside the rest."""
        return {
            "moment": self.moment,
            "kind": self.kind,
            "path": list(self.path),
            **{k: list(v) if isinstance(v, tuple) else v for k, v in self.facts.items()},
        }
