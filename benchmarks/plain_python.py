"""A plain Python game searched by Ponder and by the package `mcts` 1.0.4, on the same rules code.

    python benchmarks/plain_python.py [SIMULATIONS]

Connect Four on bitboards, written once as an ordinary Python class; a thin adapter brings it to
each library. Both make the same number of simulations with one random rollout each; they take
turns. Most of the time goes into the rules, which are the same.
"""

from __future__ import annotations

import statistics
import sys
import time

from mcts import mcts
from ponder import perft, position, uct

COLUMNS, ROWS = range(7), 6
LEVEL = ROWS + 1
TOPS = tuple(1 << (c * LEVEL + ROWS - 1) for c in COLUMNS)
BOTTOMS = tuple(1 << (c * LEVEL) for c in COLUMNS)
REPEATS = 7


def has_four(b: int) -> bool:
    for step in (1, ROWS, LEVEL, LEVEL + 1):
        pairs = b & (b >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


class PlainConnectFour:
    """A state is (all stones, stones of the player to move, ply, somebody has won)."""

    players = 2

    def start(self):
        return (0, 0, 0, False)

    def current_player(self, state):
        return state[2] & 1

    def legal_actions(self, state):
        full = state[0]
        return [c for c in COLUMNS if not full & TOPS[c]]

    def apply_action(self, state, column):
        full, own, ply, _ = state
        stone = (full + BOTTOMS[column]) & ~full
        own |= stone
        return (full | stone, (full | stone) ^ own, ply + 1, has_four(own))

    def is_terminal(self, state):
        return state[3] or state[2] == 42

    def returns(self, state):
        if not state[3]:
            return (0, 0)
        return (-1, 1) if state[2] % 2 == 0 else (1, -1)


class ForMcts:
    """The same rules in the words of the package `mcts`."""

    game = PlainConnectFour()

    def __init__(self, state):
        self.state = state

    def getCurrentPlayer(self):
        return 1 - 2 * self.game.current_player(self.state)

    def getPossibleActions(self):
        return self.game.legal_actions(self.state)

    def takeAction(self, action):
        return ForMcts(self.game.apply_action(self.state, action))

    def isTerminal(self):
        return self.game.is_terminal(self.state)

    def getReward(self):
        return self.game.returns(self.state)[0]


def seconds_of(work) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    start = position(PlainConnectFour())
    # the rules are the right ones: OpenSpiel and the literature give 7, 49, ... 117649, 823536
    assert [perft(start, depth) for depth in (1, 2, 5)] == [7, 49, 16807]
    uct().search(start, simulations=10)  # compiles
    ours, theirs = [], []
    for seed in range(REPEATS):
        ours.append(n / seconds_of(lambda: uct().search(start, simulations=n, seed=seed)))  # noqa: B023
        peer = mcts(iterationLimit=n)
        theirs.append(n / seconds_of(lambda: peer.search(ForMcts(ForMcts.game.start()))))  # noqa: B023
        assert peer.root.numVisits == n
    print(f"{n:,} simulations of a plain Python Connect Four, medians of {REPEATS}")
    for name, rates in (("ponder", ours), ("mcts 1.0.4", theirs)):
        middle = statistics.median(rates)
        print(f"{name:12} {middle:10,.0f} /s   ({min(rates):,.0f} to {max(rates):,.0f})")
    print(f"ratio        {statistics.median(ours) / statistics.median(theirs):10.2f}")


if __name__ == "__main__":
    main()
