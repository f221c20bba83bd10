"""Value iteration: the exact value of every reachable position, cycles and chance included.

    >>> from ponder import position, value_iteration
    >>> solved = value_iteration(position("pig(target=2)"), hold=("decisions",))
    >>> round(solved.value, 9)  # 2 * 6/7 - 1
    0.714285714

For one player, or two whose utilities add up to a constant, with a bounded set of positions. Where
positions can come back (Pig), depth-first search never ends; here all of them are listed once
(breadth first, each known by the bytes of its record), and then

    V(s) <- max, min (player 1) or average of V over the positions after s

is swept over them, last found first, until nothing is left to gain. Two sweeps go on at once, one
from the lowest utility upward and one from the highest downward: the truth is between them, so the
error is known (interval iteration, Haddad & Monmege 2018).

Counters that only bound the length of a game (the decisions of Pig, the turns of backgammon) would
make every position new. `hold` names the fields of the record that keep their first value.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import TERMINAL, guarded
from ponder.core.faults import fault_after
from ponder.core.game import CHANCE, new_list, new_states
from ponder.core.position import Position
from ponder.endgame.values import save_values
from ponder.errors import InputError
from ponder.jit import U, kernel
from ponder.search.table import state_key

MOST_STATES = 20_000_000
CHUNK = 200_000
"""Positions expanded in one call of the kernel, so that Ctrl-C is heard."""
COUNT, EDGES, NEXT = 0, 1, 2  # places in `info`


class Graph(NamedTuple):
    """Positions and what follows them; [N] and [E] are capacities."""

    states: Any  # [N] records
    words: Any  # [N, words] u8: the same memory
    raw: Any  # [N, bytes] u1: the same memory
    held: Any  # [h] i8: bytes of the record that keep their first value
    owner: Any  # [N] i1: player, CHANCE or TERMINAL
    first: Any  # [N + 1] i8: the edges of a position begin here
    after: Any  # [E] i8: where an edge leads
    action: Any  # [E] i4
    chance: Any  # [E] f8: 1 unless chance moves
    lower: Any  # [N] f8: bounds of the value for player 0
    upper: Any  # [N] f8
    places: Any  # [a power of two] i8: 1 + position, by hash
    info: Any  # [3] i8


@kernel
def find_place(graph, at):
    """Where the record states[at] is in the hash table, or the free place where it belongs."""
    mask = graph.places.size - 1
    place = np.int64(state_key(graph.words, at) & U(mask))
    while graph.places[place] != 0:
        other = graph.places[place] - 1
        same = True
        for w in range(graph.words.shape[1]):
            if graph.words[other, w] != graph.words[at, w]:
                same = False
                break
        if same:
            break
        place = (place + 1) & mask
    return place


@kernel
def insert_all(graph):
    """Fill an empty hash table."""
    for i in range(graph.info[0]):
        graph.places[find_place(graph, i)] = i + 1


@kernel
def expand(game, graph, actions, chances, utilities, limit):
    """List what follows the next positions, up to number `limit`; stops where room is short.

    Returns the number of a position in which the rules are broken, else -1.
    """
    info = graph.info
    while info[2] < min(info[0], limit):
        room = actions.size + 1
        if info[0] + room > graph.states.size or info[1] + room > graph.after.size:
            return -1
        if 2 * (info[0] + room) > graph.places.size:
            return -1
        i = info[2]
        s = graph.states[i]
        graph.first[i] = info[1]
        n = 0
        if game.is_terminal(s):
            graph.owner[i] = TERMINAL
            game.returns(s, utilities)
            graph.lower[i] = utilities[0]
            graph.upper[i] = utilities[0]
        else:
            mover = np.int64(game.current_player(s))
            graph.owner[i] = mover
            if mover == CHANCE:
                n = game.chance_outcomes(s, actions, chances)
            else:
                n = game.legal_actions(s, actions)
            if mover >= utilities.size or n < 1 or n > actions.size:
                return i
        for k in range(n):
            new = info[0]
            graph.states[new] = s
            game.apply_action(graph.states[new], actions[k])
            for j in range(graph.held.size):
                graph.raw[new, graph.held[j]] = graph.raw[0, graph.held[j]]
            place = find_place(graph, new)
            if graph.places[place] == 0:
                info[0] += 1
                graph.places[place] = info[0]
            graph.after[info[1]] = graph.places[place] - 1
            graph.action[info[1]] = actions[k]
            graph.chance[info[1]] = chances[k] if graph.owner[i] == CHANCE else 1.0
            info[1] += 1
        info[2] += 1
        graph.first[info[2]] = info[1]
    return -1


@kernel
def sweep(graph):
    """Improve both bounds of every position once; the widest gap, and the greatest change."""
    gap, change = 0.0, 0.0
    for i in range(graph.info[0] - 1, -1, -1):
        owner = graph.owner[i]
        if owner == TERMINAL:
            continue
        low, high = 0.0, 0.0
        for e in range(graph.first[i], graph.first[i + 1]):
            below, above = graph.lower[graph.after[e]], graph.upper[graph.after[e]]
            if owner == CHANCE:
                low += graph.chance[e] * below
                high += graph.chance[e] * above
            elif e == graph.first[i]:
                low, high = below, above
            elif owner == 0:
                low, high = max(low, below), max(high, above)
            else:
                low, high = min(low, below), min(high, above)
        change = max(change, abs(low - graph.lower[i]), abs(high - graph.upper[i]))
        graph.lower[i], graph.upper[i] = low, high
        gap = max(gap, high - low)
    return gap, change


class TooManyStates(InputError):
    """More positions can be reached than may be listed."""


class OutOfTime(InputError):
    """The deadline has passed."""


def check_time(deadline: float | None) -> None:
    if deadline is not None and time.perf_counter() >= deadline:
        raise OutOfTime("value iteration was not finished in time")


def value_iteration(
    position: Position,
    *,
    hold: tuple[str, ...] = (),
    tolerance: float = 1e-12,
    most_states: int = MOST_STATES,
    deadline: float | None = None,
) -> Solution:
    """Solve the game from `position` on: every value is within `tolerance` of the truth.

    `hold`: fields of the state record that are kept at their value in `position`. `deadline`: a
    time of ``time.perf_counter()`` at which it gives up (`OutOfTime`).
    """
    inner = position.for_kernels()
    rules: Any = inner.rules
    if rules.players > 2 or (rules.players == 2 and not rules.spec.zero_sum):
        raise InputError("value iteration is for one player, or two with opposite interests")
    graph = _all_positions(inner, hold, most_states, deadline)
    scale = max(1.0, abs(rules.spec.lowest), abs(rules.spec.highest))
    sweeps, gap, change = 0, np.inf, np.inf
    while gap > tolerance * scale and change > tolerance * scale * 1e-4:
        gap, change = sweep(graph)
        sweeps += 1
        check_time(deadline)
    if gap > 1e3 * tolerance * scale:
        raise InputError(
            f"{rules.name} can go on for ever from some position: endless play has no value "
            f"(bounds {gap:g} apart after {sweeps} sweeps)"
        )
    return Solution(position, inner, graph, sweeps, float(gap))


class Solution:
    """The values of all positions that can be reached."""

    def __init__(
        self, position: Position, inner: Position, graph: Graph, sweeps: int, gap: float
    ) -> None:
        self.position, self.inner, self.graph = position, inner, graph
        self.sweeps = sweeps
        self.gap = gap
        """Nowhere are the bounds of a value farther apart."""

    @property
    def states(self) -> int:
        """How many positions can be reached, the first included."""
        return int(self.graph.info[COUNT])

    @property
    def value(self) -> float:
        """The utility of player 0 at the first position, with best play by all."""
        return self._value(0)

    def value_of(self, position: Position) -> float:
        """The utility of player 0 at a position that can be reached from the first one."""
        return self._value(self._index(position))

    def best_actions(self, position: Position, margin: float = 1e-9) -> tuple[Any, ...]:
        """The actions whose value is within `margin` of the best, in the game's order."""
        graph, i = self.graph, self._index(position)
        if graph.owner[i] < 0:
            return ()
        edges = range(graph.first[i], graph.first[i + 1])
        sign = 1 if graph.owner[i] == 0 else -1  # player 1 minimises the utility of player 0
        action = self.inner.rules.action_of
        worth = {action(int(graph.action[e])): sign * self._value(graph.after[e]) for e in edges}
        best = max(worth.values())
        return tuple(a for a, value in worth.items() if value >= best - margin)

    def save(self, path: str | Path) -> int:
        """Write all values as an endgame table (`ponder.endgame.values`); its size in bytes."""
        graph, n = self.graph, self.states
        values = (graph.lower[:n] + graph.upper[:n]) / 2
        return save_values(self.position, graph.words[:n], values, graph.held, path)

    def _value(self, i: int) -> float:
        return float(self.graph.lower[i] + self.graph.upper[i]) / 2

    def _index(self, position: Position) -> int:
        graph = self.graph
        spare = graph.states.size - 1  # never taken: see the room kept by `expand`
        graph.states[spare] = position.state_for(self.inner.rules)[0]
        graph.raw[spare, graph.held] = graph.raw[0, graph.held]
        found = graph.places[find_place(graph, spare)]
        if found == 0:
            raise InputError(f"{position.text()!r} cannot be reached from the solved position")
        return int(found) - 1


def _all_positions(
    position: Position, hold: tuple[str, ...], most_states: int, deadline: float | None
) -> Graph:
    rules: Any = position.rules
    spec = rules.spec
    graph = _grown(None, position, _held_bytes(spec.state, hold))
    actions, chances = new_list(spec, np.int32), new_list(spec, np.float64)
    utilities = np.zeros(spec.players)
    while graph.info[NEXT] < graph.info[COUNT]:
        check_time(deadline)
        before = int(graph.info[NEXT])
        limit = before + CHUNK
        given = rules.part, graph, actions, chances, utilities, limit
        broken = int(guarded(rules.name, expand, *given))
        if broken >= 0:
            raise fault_after(position, _actions_to(graph, broken))
        if graph.info[COUNT] > most_states:
            raise TooManyStates(
                f"more than {most_states:,} positions can be reached: too many to solve at once"
                " (a counter in the record? hold=(...) names fields that are kept as they are)"
            )
        if graph.info[NEXT] == before:
            graph = _grown(graph, position, graph.held)
    return graph


def _actions_to(graph: Graph, i: int) -> list[int]:
    """The actions that lead to a position."""
    actions: list[int] = []
    while i > 0:
        edge = int(np.argmax(graph.after[: graph.info[EDGES]] == i))
        i = int(np.searchsorted(graph.first[: i + 1], edge, side="right")) - 1
        actions.insert(0, int(graph.action[edge]))
    return actions


def _held_bytes(dtype: Any, hold: tuple[str, ...]) -> Any:
    """The numbers of the bytes that the named fields take."""
    places: list[int] = []
    for name in hold:
        if name not in dtype.fields:
            shown = ", ".join(field for field in dtype.names if not field.startswith("_"))
            raise InputError(f"the state has no field {name!r} to hold (it has: {shown})")
        kind, offset = dtype.fields[name][:2]
        places += range(offset, offset + kind.itemsize)
    return np.array(places, np.int64)


def _grown(graph: Graph | None, position: Position, held: Any) -> Graph:
    """The same graph with twice the room; at first a small one with one position."""
    spec = position.rules.spec
    old = 0 if graph is None else graph.states.size
    size = max(4 * spec.max_actions, 1024, 2 * old)
    edges = max(8 * size, 0 if graph is None else 2 * graph.after.size)
    states = new_states(spec.state, size)
    lower, upper = np.full(size, float(spec.lowest)), np.full(size, float(spec.highest))
    made = Graph(
        states=states,
        words=states.view(np.uint64).reshape(size, -1),
        raw=states.view(np.uint8).reshape(size, -1),
        held=held,
        owner=np.zeros(size, np.int8),
        first=np.zeros(size + 1, np.int64),
        after=np.zeros(edges, np.int64),
        action=np.zeros(edges, np.int32),
        chance=np.zeros(edges),
        lower=lower,
        upper=upper,
        places=np.zeros(1 << (4 * size - 1).bit_length(), np.int64),
        info=np.array([1, 0, 0], np.int64),
    )
    states[0] = position.raw_state[0]
    if graph is not None:
        n = int(graph.info[COUNT])
        for name in ("states", "owner", "lower", "upper"):
            getattr(made, name)[:n] = getattr(graph, name)[:n]
        made.first[: n + 1] = graph.first[: n + 1]
        for name in ("after", "action", "chance"):
            getattr(made, name)[: graph.info[EDGES]] = getattr(graph, name)[: graph.info[EDGES]]
        made.info[...] = graph.info
    insert_all(made)
    return made
