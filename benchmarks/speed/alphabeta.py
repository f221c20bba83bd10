"""Plain alpha-beta on Connect Four: Ponder beside easyAI and OpenSpiel's Python alpha-beta.

    python benchmarks/speed/alphabeta.py [DEPTH]

No table, no ordering, moves from left to right, 0 at the horizon, a win 1: the same game to the
same depth. Ponder and easyAI, which both prefer the shorter win, visit the very same tree: the
counts are printed. OpenSpiel's does not count distances, which moves some cuts. easyAI gets a
bitboard game with `unmake_move`, its fastest way; OpenSpiel its own C++ states. Processor time of
whole calls, best of several runs, one library after the other in turn.
"""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

from ponder import Position
from ponder.games.connect4 import ConnectFour, UsualRules
from ponder.jit import constants, take_methods
from ponder.jit.methods import constants_of
from ponder.presets import plain_alphabeta

try:
    import pyspiel
    from easyAI import Negamax, TwoPlayerGame
    from open_spiel.python.algorithms.minimax import alpha_beta_search
except ImportError as error:
    raise SystemExit(
        f"this benchmark compares with other libraries: pip install {error.name}"
    ) from None

REPEATS = 5
PLAIN = plain_alphabeta()


class BlindFour(NamedTuple):
    """Connect Four to which every unfinished position looks equal."""

    def spec(self):
        return ConnectFour().spec()

    def rules(self):
        return BlindRules()


@constants(**constants_of(UsualRules))
class BlindRules(NamedTuple):
    """`UsualRules` with another evaluation."""

    def evaluate(self, s, out):
        out[0] = 0.0
        out[1] = 0.0


take_methods(BlindRules, UsualRules)

TOPS = [1 << (7 * c + 5) for c in range(7)]
BOTTOMS = [1 << (7 * c) for c in range(7)]


def has_four(b: int) -> bool:
    for step in (1, 6, 7, 8):
        pairs = b & (b >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


class EasyFour(TwoPlayerGame):
    """The same on Python's integers."""

    def __init__(self):
        self.players = [None, None]
        self.current_player = 1
        self.full, self.own, self.other = 0, 0, 0
        self.count, self.moves = 0, 0

    def possible_moves(self):
        return [c for c in range(7) if not self.full & TOPS[c]]

    def make_move(self, column):
        self.moves += 1
        stone = (self.full + BOTTOMS[column]) & ~self.full
        self.full |= stone
        self.own, self.other = self.other, self.own | stone
        self.count += 1

    def unmake_move(self, column):
        mask = (BOTTOMS[column] << 6) - BOTTOMS[column]
        stone = 1 << ((self.full & mask).bit_length() - 1)
        self.full ^= stone
        self.own, self.other = self.other ^ stone, self.own
        self.count -= 1

    def is_over(self):
        return has_four(self.other) or self.count == 42

    def scoring(self):
        return -1 if has_four(self.other) else 0

    def show(self):
        pass


def ponder_nodes(depth: int) -> int:
    return PLAIN.search(Position(BlindFour()), depth=depth).nodes


def easy_nodes(depth: int) -> int:
    game = EasyFour()
    Negamax(depth, win_score=100)(game)  # half the window: no cut by it
    return game.moves + 1


def spiel_nodes(depth: int) -> int:
    seen = [0]

    def look(state) -> float:
        seen[0] += 1
        return 0.0

    alpha_beta_search(pyspiel.load_game("connect_four"), value_function=look, maximum_depth=depth)
    return seen[0]


def seconds_of(work, depth: int, times: int = 1) -> float:
    began = time.process_time()
    for _ in range(times):
        work(depth)
    return (time.process_time() - began) / times


def main() -> None:
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    nodes = ponder_nodes(depth)
    ours, easy, spiel = [], [], []
    for _ in range(REPEATS):
        ours.append(seconds_of(ponder_nodes, depth, 100))
        easy.append(seconds_of(easy_nodes, depth))
        spiel.append(seconds_of(spiel_nodes, depth))
    print(f"Connect Four, depth {depth}, plain alpha-beta, best of {REPEATS} runs")
    print(f"ponder     {min(ours) * 1e3:10.2f} ms   {nodes:,} nodes")
    print(f"easyAI     {min(easy) * 1e3:10.2f} ms   {easy_nodes(depth):,} nodes")
    print(f"OpenSpiel  {min(spiel) * 1e3:10.2f} ms   {spiel_nodes(depth):,} leaves at the horizon")
    print(f"easyAI / ponder     {min(easy) / min(ours):8.1f}")
    print(f"OpenSpiel / ponder  {min(spiel) / min(ours):8.1f}")


if __name__ == "__main__":
    main()
