"""Backward induction: from the ends of the game to everything that is decided by force.

Positions are numbered; each is known by its predecessors. What a position is worth is a *code*,
for player 0:

    0           a draw, or nobody can force anything
    d + 1       player 0 wins, d plies from here, if both play their best
    -(d + 1)    player 0 loses, d plies from here

The winner hurries and the loser delays. A position is won for its mover as soon as one move leads
to a win of his; it is lost as soon as no move is left that does not lose. Decided positions are
taken up in the order of their distance, each edge once: the time is linear in the edges. What is
never taken up is a draw, whether the game ends so or goes round forever (retrograde analysis:
Thompson 1986). Turns need not alternate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.jit import kernel, read_now

LONGEST = 32000
"""Plies: the longest distance that a code can say."""
STOPPED, TOO_LONG = -1, -2


class MoveGraph(NamedTuple):
    """Positions 0 .. N - 1 and their E edges, backwards."""

    first: Any  # [N + 1] i8: before[first[v] : first[v + 1]] are the predecessors of v
    before: Any  # [E] i4
    mover: Any  # [N] i1
    left: Any  # [N] i2: moves not yet known to lose
    codes: Any  # [N] i2: the ends that are won or lost have theirs; all others 0
    order: Any  # [N] i4: decided positions, nearest to the end first; the ends are in it
    # Moves into tables built before: v waits in a list for the distance that such a move gives.
    least: Any  # [N] i2: such a move loses, no sooner than so
    following: Any  # [N] i4: the next of the list, -1 at its end
    waiting: Any  # [LONGEST + 2] i4: the first of the list for each distance, or -1


@kernel
def wait_for(graph, v, distance):
    """Take `v` up at this distance, unless it is decided sooner."""
    graph.following[v] = graph.waiting[distance]
    graph.waiting[distance] = v


@kernel
def solve(graph, decided, stop):
    """Set all codes; `decided` ends stand in `order`. Returns how many positions are decided."""
    done = 0
    last = -1
    for distance in range(LONGEST + 1):
        if graph.waiting[distance] >= 0:
            last = distance
    for distance in range(LONGEST + 1):
        v = np.int64(graph.waiting[distance])
        while v >= 0:
            if graph.codes[v] == 0:
                # with no move left it is lost, else won
                winner = 1 - graph.mover[v] if graph.left[v] == 0 else graph.mover[v]
                graph.codes[v] = distance + 1 if winner == 0 else -(distance + 1)
                graph.order[decided] = v
                decided += 1
            v = np.int64(graph.following[v])
        if done == decided and distance > last:
            return decided
        end = decided
        while done < end:
            if done & 1023 == 0 and read_now(stop, 0) != 0:
                return STOPPED
            w = graph.order[done]
            done += 1
            winner = 0 if graph.codes[w] > 0 else 1
            for e in range(graph.first[w], graph.first[w + 1]):
                v = np.int64(graph.before[e])
                if graph.codes[v] != 0:
                    continue
                if graph.mover[v] != winner:
                    graph.left[v] -= 1
                    if graph.left[v] > 0:
                        continue
                    if graph.least[v] > distance + 1:
                        wait_for(graph, v, np.int64(graph.least[v]))
                        last = max(last, np.int64(graph.least[v]))
                        continue
                graph.codes[v] = distance + 2 if winner == 0 else -(distance + 2)
                graph.order[decided] = v
                decided += 1
    return TOO_LONG


@kernel
def reverse(begin, after, first, before):
    """Predecessors from successors: after[begin[v] : begin[v + 1]] are those of v."""
    n = begin.size - 1
    for i in range(first.size):
        first[i] = 0
    for e in range(after.size):
        first[after[e] + 1] += 1
    turn_counts_into_ends(first)
    for v in range(n - 1, -1, -1):
        for e in range(begin[v], begin[v + 1]):
            w = after[e]
            first[w + 1] -= 1
            before[first[w + 1]] = v
    for v in range(n):
        first[v] = first[v + 1]
    first[n] = after.size


@kernel
def turn_counts_into_ends(first):
    """first[v + 1] counts the predecessors of v; afterwards it is where they end."""
    for i in range(1, first.size):
        first[i] += first[i - 1]


def empty_lists(n: int) -> dict[str, Any]:
    """The arrays for moves into other tables, where nothing waits yet."""
    return {
        "least": np.zeros(n, np.int16),
        "following": np.full(n, -1, np.int32),
        "waiting": np.full(LONGEST + 2, -1, np.int32),
    }
