"""`SearchResult`: what every searcher gives back. Prints as a table, renders in a notebook,
converts to JSON."""

from __future__ import annotations

import html
import importlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from ponder.core.limits import StopReason
from ponder.core.moves import Move
from ponder.core.position import Position
from ponder.core.protocols import Action
from ponder.core.registry import RENDERERS, game_text, load
from ponder.core.score import Score
from ponder.errors import InputError

SHOWN = 30
"""Rows of a table, unless all are asked for. The rest is counted; not even its names are made."""


class MoveRow(NamedTuple):
    """One root move."""

    action: Action
    visits: int
    value: float | None
    """For the player to move at the root; None where nothing is known."""
    spread: float | None = None
    """Standard deviation of the utilities seen; None where a search has no such thing."""
    prior: float | None = None
    """What the search expected of the move before its first visit: a probability."""
    low: float | None = None
    high: float | None = None
    """Proven bounds of the value; None where a search proves nothing."""
    values: tuple[float, ...] | None = None
    """One utility per player, where the search knows them and one does not follow from another."""
    position: Position | None = None
    """Where the move is made: it knows the name. Rows are compared without it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveRow) and self[:-1] == other[:-1]

    def __hash__(self) -> int:
        return hash(self[:-1])

    @property
    def name(self) -> str:
        """The move in the game's notation."""
        return _name(self.position, self.action)

    @property
    def proven(self) -> float | None:
        """The value, where it is proven."""
        return self.low if self.low == self.high else None

    @property
    def total(self) -> float | None:
        """W = N Q, visits times value: where values are means, the sum of all utilities."""
        return None if self.value is None else self.visits * self.value

    def to_json(self) -> dict[str, Any]:
        return {
            "action": plain_json(self.action),
            "name": self.name,
            "visits": self.visits,
            "value": self.value,
            "values": listed(self.values),
            "spread": self.spread,
            "prior": self.prior,
            "low": self.low,
            "high": self.high,
        }


class OutcomeRow(NamedTuple):
    """One outcome of the dice, where chance moves at the root."""

    action: Action
    probability: float
    visits: int
    value: float | None
    """For player 0; None where nothing is known."""
    values: tuple[float, ...] | None = None
    position: Position | None = None
    """As in `MoveRow`."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OutcomeRow) and self[:-1] == other[:-1]

    def __hash__(self) -> int:
        return hash(self[:-1])

    @property
    def name(self) -> str:
        return _name(self.position, self.action)

    def to_json(self) -> dict[str, Any]:
        return {
            "action": plain_json(self.action),
            "name": self.name,
            "probability": self.probability,
            "visits": self.visits,
            "value": self.value,
            "values": listed(self.values),
        }


Row = TypeVar("Row", MoveRow, OutcomeRow)


def expected(rows: Sequence[OutcomeRow], otherwise: tuple[float, ...]) -> tuple[float, ...]:
    """One value per player before the dice fall: those of the outcomes, by their probabilities.

    While some outcome's value is not known: `otherwise`, what else is known of the values.
    """
    if any(row.value is None for row in rows):
        return otherwise
    if all(row.values is not None for row in rows):
        return tuple(
            sum(row.probability * row.values[player] for row in rows if row.values)
            for player in range(len(otherwise))
        )
    first = sum(row.probability * row.value for row in rows if row.value is not None)
    # opposed: what the one gains by it the other loses
    return (first, sum(otherwise) - first)[: len(otherwise)]


def players_shown(position: Position) -> int:
    """How many players' values are worth showing; 0 where one follows from the other."""
    opposed = position.players == 2 and position.rules.zero_sum
    return 0 if opposed or position.players == 1 else position.players


def value_form(position: Position | None) -> str:
    """How values are written: with three decimals, unless utilities are tiny or huge."""
    if position is None:
        return "+.3f"
    rules = position.rules
    ends = (rules.spec.lowest, rules.spec.highest) if rules.compiled else rules.utilities
    return "+.3f" if 0.1 <= max(map(abs, ends)) < 1e6 else "+.4g"


class ResultTable(NamedTuple):
    """The rows of a result as text."""

    headings: tuple[str, ...]
    lines: list[tuple[str, ...]]
    """One text per heading."""
    hidden: str
    """What is not shown, in words; empty where everything is."""

    def __str__(self) -> str:
        rows = [self.headings, *self.lines]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.headings))]
        made = [
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w)
                for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([*made, self.hidden] if self.hidden else made)


@dataclass(frozen=True)
class SearchResult:
    """The move found, why, and what it took. Values are for the player to move at the root, in
    utilities of the game: see `Score`.

    Where chance moves at the root there is no best move, no line and no moves, but `outcomes`; the
    value is the expectation for player 0.
    """

    position: Position
    engine: str
    action: Action | None
    """The action of `best_move`; None where chance moves."""
    value: float | None
    """Of `action`: the same number as in its row of `moves`, None where nothing is known of it."""
    values: tuple[float, ...]
    """The same for every player: one utility each; empty where nothing is known."""
    line: tuple[Action, ...]
    """The actions of `pv`."""
    moves: tuple[MoveRow, ...]
    """Best first."""
    seconds: float
    stopped_by: StopReason
    seed: int
    depth: int | None = None
    """The depth to which all was searched; None where a search has none, as Monte Carlo search."""
    deepest: int | None = None
    """The depth of the deepest node that was reached."""
    simulations: int | None = None
    nodes: int | None = None
    memory: int | None = None
    """Bytes that the tree takes."""
    notes: tuple[str, ...] = ()
    outcomes: tuple[OutcomeRow, ...] = ()
    """Where chance moves at the root: what may come of it, in the game's order."""
    tree: Any = field(default=None, repr=False, compare=False)
    """The search tree, a `ponder.SearchTree`: walk it, export it. None where a searcher keeps none.
    `Any`, because its class is of a layer above this one."""
    root_values: tuple[float, ...] | None = None
    """Of Monte Carlo search what its backup rule makes of all simulations, one utility per player:
    a mean has those of worse moves in it. None where a search has no such number."""
    root_rule: str = ""
    """That backup rule."""
    choice: str = ""
    """Why `action` is played, where it is not both the most visited move and the best valued one;
    else empty."""

    def told_of(self, position: Position) -> SearchResult:
        """The result in the words of `position`, where the search was of what stands for it
        (`Position.for_kernels`): the actions of a plain Python game instead of their numbers."""
        if position is self.position:
            return self
        known = self.position.rules.action_of

        def told(row: Row) -> Row:
            return row._replace(action=known(row.action), position=position)

        return replace(
            self,
            position=position,
            action=None if self.outcomes else known(self.action),
            line=tuple(map(known, self.line)),
            moves=tuple(map(told, self.moves)),
            outcomes=tuple(map(told, self.outcomes)),
        )

    @property
    def best_move(self) -> Move:
        """The move to play; it has a `name` and an `action`. InputError where chance moves."""
        if self.action is None:
            raise InputError("chance moves in this position: there are outcomes, but no best move")
        return Move(self.action, self.position)

    @property
    def pv(self) -> tuple[Move, ...]:
        """The principal variation: the best line found, beginning with `best_move`."""
        moves, here = list[Move](), self.position
        for action in self.line:
            if moves:  # nobody asks what comes after the last one
                here = here._after(moves[-1].action)
            moves.append(Move(action, here))
        return tuple(moves)

    @property
    def score(self) -> Score | None:
        """`value` with its point of view and its unit; None where nothing is known of it."""
        if self.value is None or not self.values:
            return None
        return Score(self.values, self.player, *self.position.rules.utilities)

    @property
    def simulations_per_second(self) -> float | None:
        """None where a search makes no simulations."""
        return None if self.simulations is None else self.simulations / max(self.seconds, 1e-9)

    @property
    def nodes_per_second(self) -> float | None:
        """None where a search counts no nodes."""
        return None if self.nodes is None else self.nodes / max(self.seconds, 1e-9)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data: the shape of ``ponder search --json``."""
        effort = {"simulations": self.simulations, "nodes": self.nodes}
        chance = {"outcomes": [row.to_json() for row in self.outcomes]} if self.outcomes else {}
        return {
            "game": game_text(self.position.game),
            "position": self.position.text(),
            "engine": self.engine,
            "action": plain_json(self.action),
            "name": best_name(self),
            "value": self.value,
            "values": list(self.values),
            "root_value": self.root_value,
            "root_values": listed(self.root_values),
            "choice": self.choice,
            "player": self.player,
            "line": [move.name for move in self.pv],
            "moves": [row.to_json() for row in self.moves],
            **chance,
            **{key: value for key, value in effort.items() if value is not None},
            "depth": self.depth,
            "deepest": self.deepest,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "seed": self.seed,
            "memory_bytes": self.memory,
            "notes": list(self.notes),
        }

    def to_frame(self) -> Any:
        """The moves (or outcomes) as a pandas DataFrame, a row each. `Any`: pandas need not be
        installed."""
        return frame(row.to_json() for row in (self.outcomes or self.moves))

    @property
    def player(self) -> int:
        """Whom `value` belongs to: the player to move, player 0 where chance moves."""
        return max(self.position.current_player, 0)

    @property
    def root_value(self) -> float | None:
        """`root_values` of the player to move."""
        return None if self.root_values is None else self.root_values[self.player]

    def table(self, most: int | None = SHOWN, *, totals: bool = False) -> ResultTable:
        """The moves (or outcomes) that matter most as text; with None, all of them.

        `totals`: moves have a column W, too, visits times value.
        """
        if self.outcomes:
            return outcome_table(self.outcomes, most)
        return move_table(self.moves, most, totals)

    def __str__(self) -> str:
        return "\n".join([str(self.table()), "", *self.summary()])

    def summary(self) -> list[str]:
        """The lines below the table."""
        unit = "simulations" if self.simulations is not None else "nodes"
        count = self.simulations if self.simulations is not None else self.nodes or 0
        speed = count / max(self.seconds, 1e-9)
        depth = "" if self.depth is None else f"depth {self.depth}, "
        deepest = "" if self.deepest is None else f"deepest node {self.deepest}, "
        effort = (
            f"effort  {count:,} {unit} in {self.seconds:.2f} s = {speed:,.0f}/s, "
            f"{depth}{deepest}stopped by {self.stopped_by}, seed {self.seed}"
        )
        if self.outcomes:
            lines = [f"chance  expectation {self._worth(self.values)}"]
        else:
            worth = f"   value {self._worth(self.values)}" if self.value is not None else ""
            lines = [f"best    {best_name(self)}{worth}"]
            if self.choice:
                lines.append(f"choice  {self.choice}")
            lines.append(f"line    {' '.join(map(str, self.pv))}")
            if self.root_values is not None:
                what = f"what backup={self.root_rule} makes of all simulations"
                lines.append(f"root    {self._worth(self.root_values)}: {what}")
        return [*lines, effort, *(f"note    {note}" for note in self.notes)]

    def _worth(self, values: tuple[float, ...]) -> str:
        """A value, and whose it is; every player's where one does not follow from the other."""
        whose = [self.player]
        if any(row.values for row in self.moves) or any(row.values for row in self.outcomes):
            whose += [player for player in range(len(values)) if player != self.player]
        form = value_form(self.position)
        return ", ".join(f"{values[player]:{form}} for player {player}" for player in whose)

    def svg(self, most: int | None = None) -> str:
        """The search tree as a drawing (`ponder.show`), of at most so many nodes."""
        drawn: str = load(RENDERERS["result"])(self, **({} if most is None else {"most": most}))
        return drawn

    def _repr_html_(self) -> str:
        table = self.table()
        head = "".join(f"<th>{h}</th>" for h in table.headings)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
            for line in table.lines
        )
        hidden = [table.hidden] if table.hidden else []
        below = "<br>".join(html.escape(line) for line in [*hidden, *self.summary()])
        return (
            f"<div style='display:flex;gap:1.5em;align-items:flex-start'><div>"
            f"{self.position.svg()}</div><div><table><tr>{head}</tr>{body}</table>"
            f"<p><code>{below}</code></p></div></div>"
        )


def best_name(result: SearchResult) -> str:
    """The name of the best move, for tables and pages; empty where chance moves."""
    return "" if result.action is None else result.best_move.name


Column = tuple[str, Callable[[Any], str]]  # of a row of the one kind or the other


def move_table(
    rows: Sequence[MoveRow], most: int | None = SHOWN, totals: bool = False
) -> ResultTable:
    """A line per move, in their order; columns only of what some row has."""
    total = sum(row.visits for row in rows)
    columns: list[Column] = [("move", lambda row: row.name)]
    if total:
        columns.append(("visits", lambda row: f"{row.visits:,}"))
        columns.append(("share", lambda row: f"{row.visits / total:.1%}"))
    columns += _value_columns(rows)
    if totals:
        columns.append(("W", lambda row: _text(row.total, value_form(row.position))))
    if any(row.spread is not None for row in rows):
        form = value_form(rows[0].position)[1:]  # without the sign
        columns.append(("spread", lambda row: _text(row.spread, form)))
    if any(row.prior is not None for row in rows):
        columns.append(("prior", lambda row: _text(row.prior, ".1%")))
    bounded = [row.high - row.low for row in rows if row.low is not None and row.high is not None]
    widest = max(bounded, default=0.0)
    if any(_proven_text(row, widest) for row in rows):
        columns.append(("proven", lambda row: _proven_text(row, widest)))
    return _table(columns, rows, "moves", most, "of the visits" if total else "", total)


def outcome_table(rows: Sequence[OutcomeRow], most: int | None = SHOWN) -> ResultTable:
    """A line per outcome, in the game's order; where not all are shown, the likeliest first."""
    if most is not None and len(rows) > most:
        rows = sorted(rows, key=lambda row: -row.probability)
    columns: list[Column] = [
        ("outcome", lambda row: row.name),
        ("probability", lambda row: f"{row.probability:.2%}"),
    ]
    if any(row.visits for row in rows):
        columns.append(("visits", lambda row: f"{row.visits:,}"))
    columns += _value_columns(rows)
    return _table(columns, rows, "outcomes", most)


def _value_columns(rows: Sequence[Any]) -> list[Column]:
    """The value, or one for each player."""
    players = max((len(row.values) for row in rows if row.values), default=0)
    form = value_form(rows[0].position) if rows else ""
    if not players:
        known = any(row.value is not None for row in rows)
        return [("value", lambda row: _text(row.value, form))] if known else []

    def of(player: int) -> Callable[[Any], str]:
        return lambda row: _text(row.values[player], form) if row.values else ""

    return [(f"player {player}", of(player)) for player in range(players)]


def _table(
    columns: list[Column],
    rows: Sequence[Any],
    what: str,
    most: int | None,
    share: str = "",
    total: int = 0,
) -> ResultTable:
    shown = rows if most is None else rows[:most]
    hidden = ""
    if len(shown) < len(rows):
        hidden = f"... and {len(rows) - len(shown):,} more {what}"
        if share:
            hidden += f" with {1 - sum(row.visits for row in shown) / total:.1%} {share}"
    lines = [tuple(cell(row) for _, cell in columns) for row in shown]
    return ResultTable(tuple(heading for heading, _ in columns), lines, hidden)


def _text(number: float | None, form: str) -> str:
    return "" if number is None else format(number, form)


def _name(position: Position | None, action: Action) -> str:
    return str(action) if position is None else position.action_name(action)


def listed(values: tuple[float, ...] | None) -> list[float] | None:
    """As JSON has it."""
    return None if values is None else list(values)


def _proven_text(row: MoveRow, widest: float) -> str:
    if row.low is None or row.high is None:
        return ""
    if row.low < row.high and row.high - row.low == widest:
        return ""  # nothing is known that would not go without saying
    if row.low == row.high:
        return f"{row.low:+g}"
    return f"{row.low:+g} to {row.high:+g}"


def frame(rows: Iterable[dict[str, Any]]) -> Any:
    """The rows as a pandas DataFrame (`Any`: pandas need not be installed); one sentence where it
    is not."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise InputError(
            "to_frame needs pandas (pip install pandas); to_json gives the same rows without it"
        ) from None
    return pandas.DataFrame(list(rows))


def finite(value: float | None) -> float | None:
    """The number, or None: JSON and CSV know no infinity and no nan."""
    return value if value is not None and math.isfinite(value) else None


def plain_json(action: Action | None) -> int | float | str | None:
    """An action as JSON can hold it: a number or text as it is, anything else as its text."""
    return action if isinstance(action, int | float | str | None) else str(action)
