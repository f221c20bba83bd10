"""Alpha-beta against itself: short games, every move checked by an independent set of rules.

    python benchmarks/agreement/selfplay.py [--games 200] [--seconds 0.02]

Each game begins with four random moves. python-chess judges the moves and the end of each game.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from ponder import AlphaBeta, position

try:
    import chess
except ImportError:
    raise SystemExit("this benchmark needs python-chess: pip install chess") from None

LONGEST = 300
"""Moves of both sides after which a game is left."""


def play(engine: AlphaBeta, seconds: float, rng: random.Random) -> str:
    here, board = position("chess"), chess.Board()
    while not here.is_terminal and board.ply() < LONGEST:
        if board.ply() < 4:
            name = rng.choice(here.legal_names)
        else:
            result = engine.search(here, seconds=seconds)
            name = result.best_move.name
            if result.stopped_by not in ("seconds", "solved", "depth"):
                return f"stopped by {result.stopped_by}"
        move = chess.Move.from_uci(name)
        if move not in board.legal_moves:
            return f"illegal {name}"
        here = here.play(name)
        board.push(move)
    if here.is_terminal:
        agreed = board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()
        return "finished" if agreed else "ended too early"
    return "left unfinished"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--seconds", type=float, default=0.02)
    given = options.parse_args()
    engine = AlphaBeta(memory=4, null_move=True, reductions=True)
    engine.search(position("chess"), depth=1)  # compiles
    began = time.perf_counter()
    rng = random.Random(1)
    ends = Counter(play(engine, given.seconds, rng) for _ in range(given.games))
    print(f"{given.games} games in {time.perf_counter() - began:.0f} s: {dict(ends)}")


if __name__ == "__main__":
    main()
