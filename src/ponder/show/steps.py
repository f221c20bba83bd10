"""A search step by step: one simulation, or one node entered, told in words.

A session's history and its events are all that is needed: what happened in a step is run again
when somebody looks at it.

session = MCTS().start(position("tictactoe"), seed=1)
session.run(simulations=50)
print("\n".join(Steps(session).lines(10)))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ponder.core.events import Event
from ponder.core.session import Capability, Session
from ponder.errors import InputError
from ponder.mcts.session import MCTSSession
from ponder.mcts.why import Reason, why
from ponder.show.classical import branches
from ponder.show.picture import estimate_text, number_text
from ponder.show.view import Perspective, View

MOST_CANDIDATES = 9
"""Rows of a table: the likeliest, and the one that was chosen."""
MOST_MOVES = 40
"""Moves of a random game that are written out."""


class Steps:
    """The steps of a session, counted from 1: simulations of MCTS, nodes of classical searches."""

    def __init__(self, session: Session[Any]) -> None:
        if Capability.EVENTS not in session.capabilities:
            raise InputError("this search reports no events: it cannot be stepped through")
        self.session = session
        self.count = session.moment
        self.simulations = Capability.TREE in session.capabilities
        self.unit = "simulation" if self.simulations else "node"
        self.view, self.seen = View.of(session.position), Perspective.of(session.position)
        self._walker: Any = None
        self._events: list[Event] = []

    def events(self, number: int) -> list[Event]:
        """What happened in the step with this number."""
        if not 1 <= number <= self.count:
            raise InputError(f"there are {self.unit}s from 1 to {self.count:,}, not {number:,}")
        if self.simulations:
            assert isinstance(self.session, MCTSSession)
            return self.session.events(number - 1, number)
        self._events = self._events or list(self.session.events())
        return [event for event in self._events if event.moment == number]

    def lines(self, number: int) -> list[str]:
        """The step in words."""
        events = self.events(number)
        lines = [f"{self.unit} {number:,} of {self.count:,}"]
        if self.simulations:
            return lines + list(self._simulation(number, events))
        ended = {event.path for event in events if event.facts.get("player") == "end"}
        return lines + [self._event(event, event.path in ended) for event in events]

    # ------------------------------------------------------------ a simulation

    def _simulation(self, number: int, events: list[Event]) -> Iterator[str]:
        before, after = self._trees(number)
        selected = [event for event in events if event.kind == "selected"]
        for event in events:
            if event.kind == "changed":
                parts = ", ".join(f"{kind}={part}" for kind, part in event.facts.items())
                yield f"  switched  {parts}"
        if not selected:
            yield "  select    nothing: the root itself is evaluated"
        for event in selected:
            yield from self._selected(event, before, after)
        for event in events:
            if event.kind == "expanded":
                count = event.facts["added"]
                yield f"  expand    {count} new node{'s' * (count != 1)} below {_way(event.path)}"
            elif event.kind == "evaluated":
                yield from self._evaluated(event)
        for event in events:
            if event.kind == "backed_up":
                yield self._backed_up(event, before)
        yield f"            the root  n {number - 1:,} → {number:,}"

    def _trees(self, number: int) -> tuple[Any, Any]:
        """The tree before the simulation and after it."""
        if self._walker is None:
            self._walker = self.session.fork()
        trees = []
        for moment in (number - 1, number):
            self._walker.rewind(moment, after=moment < number)
            trees.append(self._walker.tree())
        return trees[0], trees[1]

    def _selected(self, event: Event, before: Any, after: Any) -> Iterator[str]:
        """The choice at one node: all candidates, with their scores before and after."""
        *above, move = event.path
        node = _found(before, above)
        if node is None or node.is_chance or not node.is_expanded:
            kind = "chance" if node is not None and node.is_chance else "its first visit"
            yield f"  select    {move} at {_way(above)} ({kind})"
            return
        yield f"  select    {move} at {_way(above)}, player {node.position.current_player} to move"
        rows = _reasons(before, node)
        later = {row.name: row for row in _reasons(after, _found(after, above))}
        shown = rows[:MOST_CANDIDATES]
        shown += [row for row in rows[MOST_CANDIDATES:] if row.name == move]
        width = max(4, *(len(row.name) for row in shown))
        terms = next((" + ".join(row.terms) for row in shown if row.terms), "")
        head = f"{'visits':>11}  {'value':>15}  {'score':>17}"
        yield f"              {'move':{width}}  {head}   {terms and f'= {terms}'}".rstrip()
        for row in shown:
            mark = "▸" if row.name == move else " "
            yield f"            {mark} {row.name:{width}}  {_change(row, later.get(row.name))}"
        if len(shown) < len(rows):
            yield f"              ... and {len(rows) - len(shown)} more"

    def _evaluated(self, event: Event) -> Iterator[str]:
        facts = event.facts
        values = "  ".join(f"player {p} {number_text(v)}" for p, v in enumerate(facts["values"]))
        how = "proven" if facts["settled"] else "evaluated"
        how = "the game is over" if facts["ended"] else how
        moves = facts.get("moves", ())
        if moves:
            more = f" ... ({len(moves)} moves)" if len(moves) > MOST_MOVES else ""
            yield f"  simulate  {' '.join(moves[:MOST_MOVES])}{more}"
            how = "played to the end"
        yield f"  {'        ' if moves else 'evaluate'}  {values}   ({how})"

    def _backed_up(self, event: Event, before: Any) -> str:
        node = _found(before, event.path)
        visits, value = event.facts["visits"], estimate_text(event.facts["value"])
        old = "–" if node is None or node.value is None else estimate_text(float(node.value))
        was = 0 if node is None else node.visits
        return f"  back up   {_way(event.path)}  n {was:,} → {visits:,}  value {old} → {value}"

    # ------------------------------------------------------------ a node of a classical search

    def _event(self, event: Event, ended: bool) -> str:
        """One event in words; where the game has ended a value is no bound."""
        indent = "  " * len(event.path)
        told = f"  {indent}{event.kind:6} {_way(event.path)}"
        facts = event.facts
        if event.kind == "enter":
            who = {"chance": "chance", "end": "the game is over"}.get(
                facts.get("player", ""), f"player {facts.get('player')} to move"
            )
            if self.view.opposed and facts.get("player") in (0, 1):
                who = ("MAX", "MIN")[facts["player"]] + " to move"
            if ended:
                return f"{told}: {who}"
            window = "" if self.several else f", window {self.seen.window_text(facts)}"
            return f"{told}: {who}{window}, depth {facts['depth']}"
        if event.kind == "cut":
            why_cut = self.seen.reason(facts).removeprefix("cut, ").removeprefix("cut: ")
            return f"{told}: {why_cut}{', with nothing left' if self._nothing_left(event) else ''}"
        if event.kind == "table":
            return f"{told}: the table knows it"
        if "values" in facts:
            worth = f"({', '.join(map(number_text, facts['values']))})"
        else:
            bound = event.kind == "leave" and facts.get("bound", "exact") != "exact"
            exact = ended or (bound and self._is_exact(event))
            told_of = {"value": facts["value"]} if exact and "value" in facts else facts
            worth = self.seen.value_text(told_of) if "value" in facts else "unknown"
        if event.kind == "best":
            return f"{told}: {facts.get('move', '')} is the best so far, {worth}"
        return f"{told}: {worth}"

    def _children_left(self, event: Event) -> tuple[dict[tuple[str, ...], bool], int]:
        """Of the search of a node that this event is part of: the children that were left, and
        whether their values are exact; and how many children there are."""
        found: dict[tuple[str, ...], bool] = {}
        below = set()
        for one in reversed(self._events[: self._events.index(event)]):
            if one.path == event.path and one.kind == "enter":
                break
            child = one.path[: len(event.path) + 1]
            if one.path != child or one.kind in ("cut", "table"):
                below.add(child)
            elif one.kind == "leave":
                found.setdefault(child, one.facts.get("bound", "exact") == "exact")
            elif one.kind == "enter" and child not in below:
                found[child] = True  # a leaf: of its value a window says nothing
        position = self.session.position
        for name in event.path:
            position = next(after for move, after, _ in branches(position) if move == name)
        return found, len(branches(position))

    def _nothing_left(self, cut: Event) -> bool:
        """Had everything right below been looked at before the cut?"""
        found, there_are = self._children_left(cut)
        return len(found) == there_are

    def _is_exact(self, leave: Event) -> bool:
        """Is everything right below known exactly, so that the value is, too?"""
        found, there_are = self._children_left(leave)
        return len(found) == there_are and all(found.values())

    @property
    def several(self) -> bool:
        """Is there a value for each player, and no window?"""
        return self.view.players > 2 or not self.view.opposed


def _way(path: Any) -> str:
    return " ".join(path) or "the root"


def _found(tree: Any, path: Any) -> Any:
    """The node at the end of a path of names; None where the tree does not have it."""
    node = tree.root
    for name in path:
        node = next((child for child in node.children if child.name == name), None)
        if node is None:
            return None
    return node


def _reasons(tree: Any, node: Any) -> list[Reason]:
    """What the select rule makes of the children; without scores where it cannot say."""
    try:
        return why(tree, node)
    except InputError:
        return [
            Reason(c.name, c.visits, c.value if c.visits else None, {}, {}, None, False)
            for c in sorted(node.children, key=lambda c: -c.visits)
        ]


def _change(row: Reason, later: Reason | None) -> str:
    """Visits, value and score of a candidate, before and after."""

    def pair(old: str, new: str, width: int) -> str:
        return f"{old if old == new else f'{old} → {new}':>{width}}"

    def text(value: float | None) -> str:
        return "–" if value is None else estimate_text(value)

    after = later or row
    visits = pair(f"{row.visits:,}", f"{after.visits:,}", 11)
    values = pair(text(row.value), text(after.value), 15)
    scores = pair(row.remark or text(row.score), after.remark or text(after.score), 17)
    return f"{visits}  {values}  {scores}"
