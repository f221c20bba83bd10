"""What value iteration does, event by event: worked out once more from its list of positions.

listed   a position was looked at. player: who moves there, "chance" or "end"; after: how many moves
         or outcomes it has
swept    its bounds were improved, in the sweep of this number: low, high
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ponder.core.compiled import TERMINAL
from ponder.core.events import Event
from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.search.state_graph import EDGES, NEXT, StateGraph
from ponder.search.value_iteration import Iteration, improved


def events_of(
    work: Iteration, since: int, until: int, turned: Callable[[float], float]
) -> Iterator[Event]:
    """What happened after the moment `since`, up to `until`; `turned`: values for whom they are."""
    graph, info = work.graph, work.graph.info
    way = Ways(work.inner, graph)
    moment = work.began
    for i in range(int(info[NEXT])):
        moment += 1
        if moment > until:
            return
        if moment > since:
            owner = int(graph.owner[i])
            who = {TERMINAL: "end", CHANCE: "chance"}.get(owner, owner)
            count = int(graph.first[i + 1] - graph.first[i])
            yield Event(moment, "listed", way.to(i), {"player": who, "after": count})
    if not work.listed:
        return
    spec = work.inner.rules.spec
    once = graph._replace(
        lower=np.where(graph.owner == TERMINAL, graph.lower, float(spec.lowest)),
        upper=np.where(graph.owner == TERMINAL, graph.upper, float(spec.highest)),
    )
    number, many = 0, [i for i in range(work.states) if graph.owner[i] != TERMINAL]
    while many:
        number += 1
        for i in reversed(many):
            moment += 1
            if moment > until:
                return
            low, high = map(float, improved(once, i))
            once.lower[i], once.upper[i] = low, high
            if moment > since:
                ends = sorted((turned(low), turned(high)))
                facts = {"sweep": number, "low": ends[0], "high": ends[1]}
                yield Event(moment, "swept", way.to(i), facts)


class Ways:
    """How positions were first reached, by the names of the moves."""

    def __init__(self, position: Position, graph: StateGraph) -> None:
        edges, seen = int(graph.info[EDGES]), int(graph.info[NEXT])
        found, first = np.unique(graph.after[:edges], return_index=True)
        above = np.searchsorted(graph.first[: seen + 1], first, side="right") - 1
        actions = graph.action[first].tolist()
        self._edges = dict(
            zip(found.tolist(), zip(above.tolist(), actions, strict=True), strict=True)
        )
        self._known: dict[int, tuple[tuple[str, ...], Position]] = {0: ((), position)}

    def to(self, i: int) -> tuple[str, ...]:
        """The moves from the first position to this one."""
        missing = []
        while i not in self._known:
            missing.append(i)
            i = self._edges[i][0]
        for j in reversed(missing):
            names, above = self._known[self._edges[j][0]]
            action = self._edges[j][1]
            self._known[j] = (*names, above.action_name(action)), above._after(action)
            i = j
        return self._known[i][0]
