"""`SearchResult`: what every searcher gives back. Prints as a table, renders in a notebook,
converts to JSON."""

from __future__ import annotations

import html
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.registry import game_text


class MoveRow(NamedTuple):
    """One root move."""

    action: Any
    name: str
    visits: int
    value: float | None
    """Mean utility for the player to move at the root; None before the first visit."""
    spread: float | None = None
    """Standard deviation of the utilities seen; None where a search has no such thing."""
    prior: float | None = None
    low: float | None = None
    high: float | None = None
    """Proven bounds of the value; None where a search proves nothing."""

    @property
    def proven(self) -> float | None:
        """The value, where it is proven."""
        return self.low if self.low == self.high else None

    def to_json(self) -> dict[str, Any]:
        return {
            "action": plain_json(self.action),
            "name": self.name,
            "visits": self.visits,
            "value": self.value,
            "spread": self.spread,
            "prior": self.prior,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True)
class SearchResult:
    """The action found, why, and what it took. Values are for the player to move at the root."""

    position: Position
    engine: str
    action: Any
    value: float
    values: tuple[float, ...]
    """One utility per player."""
    line: tuple[Any, ...]
    """The principal variation: the best line found, beginning with `action`."""
    moves: tuple[MoveRow, ...]
    """Best first."""
    seconds: float
    stopped_by: str
    """seconds, simulations, nodes, depth, memory, solved, book, stop or interrupt."""
    seed: int
    depth: int
    simulations: int | None = None
    nodes: int | None = None
    memory: int | None = None
    """Bytes that the tree takes."""
    notes: tuple[str, ...] = ()
    tree: Any = field(default=None, repr=False, compare=False)
    """The search tree: walk it, export it. None where a searcher keeps none."""

    def told_of(self, position: Position) -> SearchResult:
        """The result in the words of `position`, where the search was of what stands for it
        (`Position.for_kernels`): the actions of a plain Python game instead of their numbers."""
        if position is self.position:
            return self
        action = self.position.rules.action_of
        rows = tuple(row._replace(action=action(row.action)) for row in self.moves)
        line = tuple(map(action, self.line))
        return replace(self, position=position, action=action(self.action), line=line, moves=rows)

    @property
    def name(self) -> str:
        """The action in the game's notation."""
        return self.position.action_name(self.action)

    @property
    def line_names(self) -> tuple[str, ...]:
        names, here = [], self.position
        for action in self.line:
            names.append(here.action_name(action))
            here = here.play(action)
        return tuple(names)

    @property
    def per_second(self) -> float:
        """Simulations (or nodes) a second."""
        return (self.simulations or self.nodes or 0) / max(self.seconds, 1e-9)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data: the shape of ``ponder search --json``."""
        effort = {"simulations": self.simulations, "nodes": self.nodes}
        return {
            "game": game_text(self.position.game),
            "position": self.position.text(),
            "engine": self.engine,
            "action": plain_json(self.action),
            "name": self.name,
            "value": self.value,
            "values": list(self.values),
            "line": list(self.line_names),
            "moves": [row.to_json() for row in self.moves],
            **{key: value for key, value in effort.items() if value is not None},
            "depth": self.depth,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "seed": self.seed,
            "memory_bytes": self.memory,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        rows = [headings(self.moves)]
        rows += [cells(row, self.moves) for row in self.moves]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        table = [
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w)
                for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        return "\n".join([*table, "", *self.summary()])

    def summary(self) -> list[str]:
        """The lines below the table."""
        unit = "simulations" if self.simulations is not None else "nodes"
        count = self.simulations if self.simulations is not None else self.nodes or 0
        lines = [
            f"best    {self.name}   value {self.value:+.3f} for player {self._mover()}",
            f"line    {' '.join(self.line_names)}",
            f"effort  {count:,} {unit} in {self.seconds:.2f} s = {self.per_second:,.0f}/s, "
            f"depth {self.depth}, stopped by {self.stopped_by}, seed {self.seed}",
        ]
        return lines + [f"note    {note}" for note in self.notes]

    def _mover(self) -> int:
        return max(self.position.current_player, 0)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{h}</th>" for h in headings(self.moves))
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells(row, self.moves)) + "</tr>"
            for row in self.moves
        )
        below = "<br>".join(html.escape(line) for line in self.summary())
        return (
            f"<div style='display:flex;gap:1.5em;align-items:flex-start'><div>"
            f"{self.position.svg()}</div><div><table><tr>{head}</tr>{body}</table>"
            f"<p><code>{below}</code></p></div></div>"
        )


def headings(rows: tuple[MoveRow, ...]) -> tuple[str, ...]:
    """The columns of the table; what is proven only where a search proves something."""
    proving = any(row.low is not None for row in rows)
    return ("move", "visits", "share", "value", "spread") + (("proven",) if proving else ())


def cells(row: MoveRow, rows: tuple[MoveRow, ...]) -> tuple[str, ...]:
    """A row of the table as text, one cell for each of the `headings`."""
    total = sum(r.visits for r in rows)
    shown = (
        row.name,
        f"{row.visits:,}",
        f"{row.visits / total:.1%}" if total else "",
        "" if row.value is None else f"{row.value:+.3f}",
        "" if row.spread is None else f"{row.spread:.3f}",
    )
    return (*shown, _proven_text(row, rows)) if len(headings(rows)) > len(shown) else shown


def _proven_text(row: MoveRow, rows: tuple[MoveRow, ...]) -> str:
    if row.low is None or row.high is None:
        return ""
    widest = max((r.high or 0.0) - (r.low or 0.0) for r in rows)
    if row.low < row.high and row.high - row.low == widest:
        return ""  # nothing is known that would not go without saying
    if row.low == row.high:
        return f"{row.low:+g}"
    return f"{row.low:+g} to {row.high:+g}"


def plain_json(action: Any) -> Any:
    """An action as JSON can hold it: a number or text as it is, anything else as its text."""
    return action if isinstance(action, int | float | str) else str(action)
