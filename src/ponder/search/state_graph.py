"""All positions that can be reached, listed once, breadth first, and what follows each.

A position is known by the bytes of its record; those that are held keep their first value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import TERMINAL
from ponder.core.game import CHANCE, new_states
from ponder.core.hashing import state_key
from ponder.core.pausing import counted
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import U, kernel

COUNT, EDGES, NEXT, MOST = range(4)
"""Places in `info`: positions, edges, the position to look at next, the most there may be."""


class StateGraph(NamedTuple):
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
    info: Any  # [4] i8: see the places above


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
    for i in range(graph.info[COUNT]):
        graph.places[find_place(graph, i)] = i + 1


@kernel
def expand(game, graph, actions, chances, utilities, control):
    """List what follows the positions, one after the other; stops where room is short.

    Returns the number of a position in which the rules are broken, else -1.
    `control`: see `ponder.core.pausing`; a node is a position looked at.
    """
    info = graph.info
    while info[NEXT] < info[COUNT]:
        room = actions.size + 1
        if info[COUNT] + room > graph.states.size or info[EDGES] + room > graph.after.size:
            return -1
        if 2 * (info[COUNT] + room) > graph.places.size or not counted(control):
            return -1
        i = info[NEXT]
        s = graph.states[i]
        graph.first[i] = info[EDGES]
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
            new = info[COUNT]
            graph.states[new] = s
            game.apply_action(graph.states[new], actions[k])
            for j in range(graph.held.size):
                graph.raw[new, graph.held[j]] = graph.raw[0, graph.held[j]]
            place = find_place(graph, new)
            if graph.places[place] == 0:
                info[COUNT] += 1
                graph.places[place] = info[COUNT]
            graph.after[info[EDGES]] = graph.places[place] - 1
            graph.action[info[EDGES]] = actions[k]
            graph.chance[info[EDGES]] = chances[k] if graph.owner[i] == CHANCE else 1.0
            info[EDGES] += 1
        info[NEXT] += 1
        graph.first[info[NEXT]] = info[EDGES]
        if info[COUNT] > info[MOST]:
            break
    return -1


def actions_to(graph: StateGraph, i: int) -> list[int]:
    """The actions that lead to a position."""
    actions: list[int] = []
    while i > 0:
        edge = int(np.argmax(graph.after[: graph.info[EDGES]] == i))
        i = int(np.searchsorted(graph.first[: i + 1], edge, side="right")) - 1
        actions.insert(0, int(graph.action[edge]))
    return actions


def held_bytes(dtype: Any, hold: tuple[str, ...]) -> Any:
    """The numbers of the bytes that the named fields take."""
    places: list[int] = []
    for name in hold:
        if name not in dtype.fields:
            shown = ", ".join(field for field in dtype.names if not field.startswith("_"))
            raise InputError(f"the state has no field {name!r} to hold (it has: {shown})")
        kind, offset = dtype.fields[name][:2]
        places += range(offset, offset + kind.itemsize)
    return np.array(places, np.int64)


def grown_graph(graph: StateGraph | None, position: Position, held: Any, most: int) -> StateGraph:
    """The same graph with twice the room; at first a small one with one position."""
    spec = position.rules.spec
    old = 0 if graph is None else graph.states.size
    size = max(4 * spec.max_actions, 1024, 2 * old)
    edges = max(8 * size, 0 if graph is None else 2 * graph.after.size)
    states = new_states(spec.state, size)
    lower, upper = np.full(size, float(spec.lowest)), np.full(size, float(spec.highest))
    made = StateGraph(
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
        info=np.array([1, 0, 0, most], np.int64),
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
