"""A picture of a search of the minimax family, from its own events.

The last time that the root was entered counts: a search by depths shows its last depth. The
children stand in the game's order; those that were never entered are there too.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ponder.core.events import Event
from ponder.core.position import Position
from ponder.show.legend import SEARCHED, TABLE
from ponder.show.picture import Form, PictureNode, TreePicture, number_text, window_text
from ponder.show.view import SIGNS, Perspective

Path = tuple[str, ...]

OPEN_SIGNS = {Form.MAX: "≥", Form.MIN: "≤"}
"""What has been found so far bounds what will be found."""
MOST_UNSEEN = 12
"""Children of one node drawn that were never entered; more become one sign."""


@dataclass
class _Visited:
    """What the events say of one node."""

    enter: dict[str, Any]
    times: int = 0
    below: int = 0
    """How often a node here or below was entered."""
    leave: dict[str, Any] | None = None
    best: dict[str, Any] | None = None
    cut: dict[str, Any] | None = None
    known: bool = False

    def begin_again(self, enter: dict[str, Any]) -> None:
        """What an earlier search of the node found says nothing of the one that begins."""
        self.enter, self.times = enter, self.times + 1
        self.leave = self.best = self.cut = None
        self.known = False

    @property
    def looked_below(self) -> bool:
        return self.below > self.times

    @property
    def is_leaf(self) -> bool:
        """Does the search end here, with an estimate, and not with a cut or the table's word?"""
        return not (self.looked_below or self.known or self.cut is not None)


def classical_picture(
    position: Position,
    events: Iterable[Event],
    most: int,
    step: int | None = None,
    *,
    until: int | None = None,
    chair: int = 0,
    narrowed: bool = False,
) -> TreePicture:
    """Up to `most` nodes of the tree, as it was when `step` nodes had been entered.

    until      only the first so many events have happened
    chair      whose values are shown, of two opposed players
    narrowed   windows as they are by now, not as they were on entering; what an open node has
               found so far is written as the bound that it is
    """
    every = list(events)
    windows = any("alpha" in e.facts or "beta" in e.facts for e in every)
    every = every[:until]
    if step is not None:
        every = [event for event in every if event.moment <= step]
    visited = _visited(every)
    drawing = _EventDrawing(
        Perspective.of(position, chair), position, visited, most, windows, narrowed
    )
    entered = sum(one.times for one in visited.values())
    facts = [f"{entered:,} nodes looked at" + drawing.said_of_root()]
    if windows and not narrowed and guessed_window(every):
        facts.append("the root's window is a guess, near the value of the depth before")
    if drawing.hidden:
        facts.append(
            f"showing {drawing.drawn:,} of the nodes, those with the most below them; "
            f"{drawing.hidden:,} more are left out"
        )
    return TreePicture(drawing.root, facts, alone=drawing.view.players == 1)


def guessed_window(events: list[Event]) -> bool:
    """Has the last search of the root begun with another window than the first one?"""
    roots = [e.facts for e in events if e.kind == "enter" and not e.path]
    ends = [(facts.get("alpha"), facts.get("beta")) for facts in roots]
    return len(set(ends[:1] + ends[-1:])) > 1


def _visited(events: list[Event]) -> dict[Path, _Visited]:
    """The nodes of the last search of the root, by their paths."""
    roots = [i for i, event in enumerate(events) if event.kind == "enter" and not event.path]
    visited: dict[Path, _Visited] = {}
    for event in events[roots[-1] if roots else 0 :]:
        if event.kind == "enter":
            one = visited.setdefault(event.path, _Visited(event.facts))
            one.begin_again(event.facts)
            for length in range(len(event.path) + 1):
                above = visited.get(event.path[:length])
                if above is not None:
                    above.below += 1
        elif event.path in visited:
            one = visited[event.path]
            if event.kind == "table":
                one.known = True
            else:
                setattr(one, event.kind, event.facts)
    return visited


class _EventDrawing:
    """Makes the nodes of the picture."""

    def __init__(
        self,
        seen: Perspective,
        position: Position,
        visited: dict[Path, _Visited],
        most: int,
        windows: bool,
        narrowed: bool,
    ) -> None:
        self.seen, self.view = seen, seen.view
        self.visited, self.windows, self.narrowed = visited, windows, narrowed
        self.several = any("values" in (one.leave or {}) for one in visited.values())
        alone = self.view.players > 2 and not self.several
        self.maximiser = self.seen.viewer if alone else None
        self.best_line = self._best_line()
        chosen = self._most_important(most)
        self.drawn, self.hidden = len(chosen), len(visited) - len(chosen)
        self.room = most - self.drawn
        self.chosen = chosen
        self.root = self._node((), position, "", None, None)

    def said_of_root(self) -> str:
        leave = self.visited[()].leave if () in self.visited else None
        return f", value {self.root.value}" if leave is not None else ", still searching"

    def _most_important(self, most: int) -> set[Path]:
        """Up to `most` paths, parents with their children: the best line, then the most below; a
        node's best move comes before its others."""
        children: dict[Path, list[Path]] = {}
        for path in self.visited:
            if path:
                children.setdefault(path[:-1], []).append(path)
        chosen: set[Path] = set()
        order = {path: i for i, path in enumerate(self.visited)}
        waiting: list[tuple[tuple[bool, int, bool, int], Path]] = []
        if () in self.visited:
            waiting.append(((False, 0, False, 0), ()))
        while waiting and len(chosen) < most:
            _, path = heapq.heappop(waiting)
            chosen.add(path)
            below = {child: self.visited[child].below for child in children.get(path, [])}
            best = (self.visited[path].best or {}).get("move")
            for child, size in below.items():
                off_line = child != self.best_line[: len(child)]
                others = child[-1] != best
                key = (off_line, -(size if others else max(below.values())), others, order[child])
                heapq.heappush(waiting, (key, child))
        return chosen

    def _best_line(self) -> Path:
        """The best moves from the root on, as far as they are known; it ends where dice fall."""
        path: Path = ()
        while path in self.visited:
            best = self.visited[path].best
            if best is None or "move" not in best:
                break
            path = (*path, best["move"])
        return path

    # ------------------------------------------------------------ one node

    def _node(
        self,
        path: Path,
        position: Position | None,
        probability: str,
        above: int | None,
        depth: int | None,
    ) -> PictureNode:
        """The node with everything below it; `above` chose the move, with `depth` plies left."""
        one = self.visited.get(path)
        form, mark = (
            (Form.MAX, "") if position is None else self.view.form(position, self.maximiser)
        )
        node = PictureNode(form, path[-1] if path else "", probability, mark)
        node.line = bool(path) and path == self.best_line[: len(path)]
        if one is None:
            node.unseen = True
            self._unseen_below(node, path, position, depth)
            return node
        node.open = one.leave is None
        self._write_values(node, one, position, above)
        if self.windows and node.form is not Form.LEAF and not self.several:
            node.window = self._window(node, one)
        self._children(node, path, one, position)
        if one.cut is not None and (node.untried or any(child.unseen for child in node.children)):
            node.reason = self.seen.reason(one.cut)
            for child in node.children:
                child.cut = child.unseen
        if one.times > 1:
            node.remarks.append(f"{SEARCHED} {one.times} times")
        if one.known:
            node.remarks.append(TABLE)
        if self.narrowed and node.open and len(node.values) == 1:
            node.values = (OPEN_SIGNS.get(node.form, "") + node.value,)
        if one.leave is not None and one.is_leaf:  # of an estimate a window says nothing
            node.form, node.mark, node.window = Form.LEAF, "", ""
        elif len(node.values) == 1 and self._is_exact(path, position):
            node.values = (node.value.lstrip("".join(SIGNS.values())),)
        return node

    def _is_exact(self, path: Path, position: Position | None) -> bool:
        """Is the value known exactly, whatever the window says: was everything below seen, in one
        search, and is it known exactly? What the picture shows of it does not matter."""
        one = self.visited.get(path)
        if one is None or one.leave is None or position is None:
            return False
        if position.is_terminal or one.is_leaf or one.leave.get("bound", "exact") == "exact":
            return True
        return one.times == 1 and all(
            self._is_exact((*path, name), after) for name, after, _ in branches(position)
        )

    def _window(self, node: PictureNode, one: _Visited) -> str:
        if not self.narrowed or one.best is None or "value" not in one.best:
            return self.seen.window_text(one.enter)
        (alpha, beta), best = self.seen.window(one.enter), self.seen.value(one.best)
        if node.form is Form.MAX:
            return window_text(max(alpha, best), beta)
        return window_text(alpha, min(beta, best))

    def _write_values(
        self, node: PictureNode, one: _Visited, position: Position | None, above: int | None
    ) -> None:
        facts = one.leave or one.best or {}
        if "values" in facts:
            values = tuple(facts["values"])
            node.values = self.view.texts(values)
            if len(node.values) > 1:
                node.deciding = above
            return
        if "value" not in facts:
            return
        # At a leaf the value is known, whatever the window says of it.
        ended = position is not None and position.is_terminal
        known = ended or one.is_leaf
        node.values = (self.seen.value_text({"value": facts["value"]} if known else facts),)

    # ------------------------------------------------------------ what is below

    def _children(
        self, node: PictureNode, path: Path, one: _Visited, position: Position | None
    ) -> None:
        if position is None or position.is_terminal or not one.looked_below:
            return
        player = None if position.is_chance else position.current_player
        depth = one.enter.get("depth", 0) - (0 if position.is_chance else 1)
        best = (one.best or {}).get("move")
        unseen = []
        hidden = 0
        for name, after, probability in branches(position):
            below = (*path, name)
            if below in self.chosen:
                child = self._node(below, after, probability, player, depth)
                child.chosen = name == best
                node.children.append(child)
            elif below in self.visited:
                hidden += 1
            else:
                unseen.append((below, after, probability))
        node.more = hidden
        if len(unseen) > max(0, min(self.room, MOST_UNSEEN)):
            node.untried = len(unseen)
            return
        self.room -= len(unseen)
        for below, after, probability in unseen:
            child = self._node(below, after, probability, player, depth)
            node.children.append(child)
        order = {name: i for i, (name, _, _) in enumerate(branches(position))}
        node.children.sort(key=lambda child: order.get(child.edge, len(order)))

    def _unseen_below(
        self, node: PictureNode, path: Path, position: Position | None, depth: int | None
    ) -> None:
        """What the search would have found below, as far as there is room for it."""
        if position is None or position.is_terminal or not depth:
            if node.form not in (Form.LEAF, Form.CHANCE):
                node.form, node.mark = Form.LEAF, ""
            return
        below = list(branches(position))
        if len(below) > min(self.room, MOST_UNSEEN):
            return
        self.room -= len(below)
        left = depth - (0 if position.is_chance else 1)
        node.children = [
            self._node((*path, name), after, probability, None, left)
            for name, after, probability in below
        ]


def branches(position: Position) -> list[tuple[str, Position, str]]:
    """Moves or outcomes in the game's order: the name, what they lead to, the probability."""
    if position.is_chance:
        return [
            (position.action_name(action), position._after(action), number_text(chance))
            for action, chance in position.chance_outcomes
        ]
    return [
        (position.action_name(action), position._after(action), "")
        for action in position.legal_actions
    ]
