"""Book by search: a tree of positions grows along the most promising lines, each one searched.

The next position is the one that costs least to reach from the start. A move costs one ply, and
more the worse it is than its best sister: `PLIES_A_WIN` plies for the difference between winning
and losing. Good lines are followed deeper, bad ones are answered too, only later: "drop-out
expansion" (Lincke, Strategies for the Automatic Construction of Opening Books, 2000) with
breadth. A chance outcome of probability p costs log2(1 / p) plies.

Values are backed up from searched positions: the mover takes the best, chance the mean.
"""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass, field
from typing import Any

from ponder.book.builder import BookBuilder
from ponder.book.collecting import Collected, Collecting, Tell, tell_nobody
from ponder.book.keys import Signs
from ponder.core.interrupt import interruptible
from ponder.core.limits import Limit
from ponder.core.position import Position

PLIES_A_WIN = 20.0

Values = tuple[float, ...]


@dataclass(eq=False)
class Edge:
    """A move, or an outcome of chance."""

    action: Any
    child: BookNode
    estimate: Values | None
    """What the search of the position before said of it; None: nothing."""
    chosen: bool = False
    """Is it the move that this search chose?"""
    chance: float = 1.0
    backward: bool = False
    """Does it lead back to a position above? Values must not go in circles."""


@dataclass(eq=False)
class BookNode:
    """A position of the growing book."""

    position: Position
    ply: int
    values: Values
    """One utility per player."""
    known: bool = False
    """Was it searched, or is the game over? At a chance node: was any position behind it?"""
    edges: list[Edge] = field(default_factory=list)
    parents: list[BookNode] = field(default_factory=list)
    """The positions before it, the one through which it was discovered first."""

    @property
    def open(self) -> bool:
        """Is it still to be searched?"""
        return not self.known and not self.position.is_chance


def add_by_search(
    builder: BookBuilder,
    start: Position,
    engine: Any,
    positions: int,
    *,
    plies: int,
    seed: int,
    limit: Limit | None = None,
    tell: Tell = tell_nobody,
) -> Collected:
    """Search `positions` positions, at most `plies` plies from `start`, and note all values.

    Ctrl-C gives up the search under way and keeps what was found before. The count of a move is
    one more than the number of searched positions that were discovered through it.
    """
    tree = _Tree(start, plies)
    rng = random.Random(seed)
    done = 0
    interrupted = False
    with interruptible() as pressed:
        while done < positions and not interrupted:
            node = tree.next()
            if node is None:
                break
            result = engine.search(node.position, limit, seed=rng.getrandbits(32))
            interrupted = pressed.is_set() or result.stopped_by == "interrupt"
            if not interrupted:
                tree.expand(node, result)
                done += 1
                tell(Collecting(done, positions, "positions"))
    tree.note(builder)
    return Collected(done, interrupted)


class _Tree:
    def __init__(self, start: Position, plies: int) -> None:
        self.plies = plies
        self.nodes: dict[int, BookNode] = {}
        rules: Any = start.rules
        low, high = (rules.spec.lowest, rules.spec.highest) if rules.compiled else rules.utilities
        self.a_win = float(high - low) or 1.0
        self.root = self._node(start, 0, (0.0,) * start.players)

    def _node(self, position: Position, ply: int, estimate: Values) -> BookNode:
        """The node of the position; a new one if it was never met."""
        key = Signs(position).key
        if key not in self.nodes:
            node = self.nodes[key] = BookNode(position, ply, estimate)
            if position.is_terminal:
                node.values, node.known = position.returns, True
            elif position.is_chance:
                for action, chance in position.chance_outcomes:
                    self._connect(node, action, estimate, chance=chance)
        return self.nodes[key]

    def _connect(self, node: BookNode, action: Any, estimate: Values | None, **more: Any) -> None:
        child = self._node(node.position.play(action), node.ply + 1, estimate or node.values)
        backward = bool(child.edges) and is_above(child, node)
        if not backward:
            child.parents.append(node)
        node.edges.append(Edge(action, child, estimate, backward=backward, **more))

    # ------------------------------------------------------------ which one is next

    def next(self) -> BookNode | None:
        """The position still to be searched that costs least to reach (Dijkstra 1959)."""
        heap: list[tuple[float, int, BookNode]] = [(0.0, 0, self.root)]
        reached: set[int] = set()
        number = 1
        while heap:
            cost, _, node = heapq.heappop(heap)
            if id(node) in reached:
                continue
            if node.open:
                return node
            reached.add(id(node))
            for edge, price in self._prices(node):
                if edge.child.ply < self.plies:
                    heapq.heappush(heap, (cost + price, number, edge.child))
                    number += 1
        return None

    def _prices(self, node: BookNode) -> list[tuple[Edge, float]]:
        if node.position.is_chance:
            return [(edge, -math.log2(edge.chance)) for edge in node.edges if edge.chance > 0.0]
        if not node.edges:  # the game is over
            return []
        mover = node.position.current_player
        guesses = [found(edge) or edge.estimate for edge in node.edges]
        # Of a move that the search says nothing about, nothing good is expected.
        least = min(guess[mover] for guess in guesses if guess)
        prices = []
        for edge, guess in zip(node.edges, guesses, strict=True):
            drop = node.values[mover] - (guess[mover] if guess else least)
            prices.append((edge, 1.0 + PLIES_A_WIN * max(0.0, drop) / self.a_win))
        return prices

    # ------------------------------------------------------------ growing

    def expand(self, node: BookNode, result: Any) -> None:
        """Take in what the engine found, and tell the positions above."""
        values = result.values or (0.0,) * node.position.players  # of an engine that says nothing
        node.values, node.known = values, True
        mover, total = node.position.current_player, sum(values)
        said = {row.action: row.value for row in result.moves}
        for action in node.position.legal_actions:
            value = said.get(action)
            if action == result.action:
                self._connect(node, action, values, chosen=True)
            elif value is None:
                self._connect(node, action, None)
            else:
                self._connect(node, action, shared(value, mover, total, len(values)))
        self._back_up(node)

    def _back_up(self, node: BookNode) -> None:
        waiting = [node]
        while waiting:
            here = waiting.pop()
            before = here.known, here.values
            back_up(here)
            if here is node or before != (here.known, here.values):
                waiting += here.parents

    def note(self, builder: BookBuilder) -> None:
        """Write every searched position into the book."""
        below = self._searched_below()
        for node in self.nodes.values():
            if node.position.is_chance or not node.edges:
                continue
            mover = node.position.current_player
            signs = Signs(node.position)
            noted: set[int] = set()  # of moves that mirror each other one is enough
            for edge in node.edges:
                values, code = found(edge), signs.code(edge.action)
                if values is not None and code not in noted:
                    noted.add(code)
                    discovered_here = edge.child.parents[:1] == [node]
                    count = 1 + (below[id(edge.child)] if discovered_here else 0)
                    builder.add_value(node.position, edge.action, values[mover], count)

    def _searched_below(self) -> dict[int, int]:
        """How many searched positions were discovered through each node, itself included."""
        below = {id(node): 0 for node in self.nodes.values()}
        for node in self.nodes.values():
            above: BookNode | None = None if node.position.is_chance or not node.edges else node
            while above is not None:
                below[id(above)] += 1
                above = above.parents[0] if above.parents else None
        return below


def found(edge: Edge) -> Values | None:
    """The utilities behind an edge: those of a searched position, else of the chosen move.

    What a search says of the moves that it did not choose is too little to rely on.
    """
    if edge.child.known and not edge.backward:
        return edge.child.values
    return edge.estimate if edge.chosen else None


def is_above(one: BookNode, other: BookNode) -> bool:
    """Does `one` lead to `other`, or is it the same?"""
    seen, waiting = {id(other)}, [other]
    while waiting:
        here = waiting.pop()
        if here is one:
            return True
        fresh = [node for node in here.parents if id(node) not in seen]
        seen.update(map(id, fresh))
        waiting += fresh
    return False


def back_up(node: BookNode) -> None:
    """The best of the mover, the mean of chance."""
    if node.position.is_chance:
        behind = [(edge.chance, edge.child) for edge in node.edges]
        players = range(node.position.players)
        node.known = any(child.known for _, child in behind)
        node.values = tuple(sum(p * child.values[i] for p, child in behind) for i in players)
    elif node.edges:
        mover = node.position.current_player
        known = [values for edge in node.edges if (values := found(edge))]
        node.values = max(known, key=lambda values: values[mover], default=node.values)


def shared(value: float, mover: int, total: float, players: int) -> Values:
    """Utilities of all players where only the mover's is known: the others share the rest."""
    rest = (total - value) / (players - 1) if players > 1 else 0.0
    return tuple(value if p == mover else rest for p in range(players))
