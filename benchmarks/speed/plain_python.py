"""A plain Python game searched by Ponder and by the package `mcts` 1.0.4, on the same rules code.

    python benchmarks/speed/plain_python.py [SIMULATIONS]

Connect Four on bitboards, written once as an ordinary Python class; a thin adapter brings it to
each library. All make the same number of simulations with one random rollout each, in turn.

As published, `mcts` lets both players maximise the first player's reward: it soon follows games
that end after a few moves, so that its simulations become shorter and its figure higher.
`TwoPlayers` makes it a two-player search, which is the same work as Ponder's. The moves that a
simulation plays are shown beside the speeds.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import time

from mcts import mcts
from ponder import perft, position
from ponder.presets import uct

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


class TwoPlayers(mcts):
    """Each player prefers children that are good for himself."""

    def getBestChild(self, node, explorationValue):
        sign = node.state.getCurrentPlayer()
        log = 2 * math.log(node.numVisits)
        best, found = -math.inf, []
        for child in node.children.values():
            value = sign * child.totalReward / child.numVisits
            value += explorationValue * math.sqrt(log / child.numVisits)
            if value > best:
                best, found = value, [child]
            elif value == best:
                found.append(child)
        return random.choice(found)


def with_ponder(n: int, seed: int) -> None:
    result = uct().search(position(PlainConnectFour()), simulations=n, seed=seed)
    assert result.simulations == n


def with_mcts(n: int, seed: int, kind: type = mcts) -> None:
    random.seed(seed)
    peer = kind(iterationLimit=n)
    peer.search(ForMcts(ForMcts.game.start()))
    assert peer.root.numVisits == n


def with_two_players(n: int, seed: int) -> None:
    with_mcts(n, seed, TwoPlayers)


def seconds_of(search, n: int, seed: int) -> float:
    began = time.thread_time()
    search(n, seed)
    return time.thread_time() - began


def moves_of(search, n: int) -> float:
    """Moves played in one simulation, on average."""
    played = 0
    original = PlainConnectFour.apply_action

    def counted(self, state, column):
        nonlocal played
        played += 1
        return original(self, state, column)

    PlainConnectFour.apply_action = counted
    try:
        search(n, 0)
    finally:
        PlainConnectFour.apply_action = original
    return played / n


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    # the rules are the right ones: 7 columns, and 7 ** 5 ways to drop five stones
    assert [perft(position(PlainConnectFour()), depth) for depth in (1, 2, 5)] == [7, 49, 16807]
    with_ponder(10, 0)  # compiles
    searches = {
        "ponder": with_ponder,
        "mcts 1.0.4, two players": with_two_players,
        "mcts 1.0.4, as published": with_mcts,
    }
    rates: dict[str, list[float]] = {name: [] for name in searches}
    for seed in range(REPEATS):
        for name, search in searches.items():
            rates[name].append(n / seconds_of(search, n, seed))
    ours = statistics.median(rates["ponder"])
    print(f"{n:,} simulations of a plain Python Connect Four, medians of {REPEATS}")
    print(f"{'':26} {'/s':>8} {'lowest':>8} {'highest':>8} {'ponder is':>10} {'moves':>7}")
    for name, search in searches.items():
        middle, low, high = statistics.median(rates[name]), min(rates[name]), max(rates[name])
        figures = f"{middle:8,.0f} {low:8,.0f} {high:8,.0f} {ours / middle:9.2f}x"
        print(f"{name:26} {figures} {moves_of(search, n):7.1f}")


if __name__ == "__main__":
    main()
