"""Chess perft beside OpenSpiel and python-chess in one run: leaves a second, bulk counting.

    python benchmarks/speed/chess_perft.py

Each program counts from the start position in turn, three rounds; processor time. OpenSpiel's
states and python-chess's boards are driven from Python, as their users do.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import chess
import pyspiel

from ponder import perft, position

KNOWN = {2: 400, 3: 8902, 4: 197281, 5: 4865609, 6: 119060324}
OURS, THEIRS, ROUNDS = 6, 4, 3
"""Depths, and how often each program counts."""


def python_chess(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += python_chess(board, depth - 1)
        board.pop()
    return total


def open_spiel(state: pyspiel.State, depth: int) -> int:
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(open_spiel(state.child(action), depth - 1) for action in actions)


def rate(count: Callable[[], int], depth: int) -> float:
    began = time.process_time()
    leaves = count()
    if leaves != KNOWN[depth]:
        raise SystemExit(f"wrong count at depth {depth}: {leaves} instead of {KNOWN[depth]}")
    return leaves / (time.process_time() - began)


def main() -> None:
    start = position("chess")
    perft(start, 2)  # compiles
    spiel = pyspiel.load_game("chess")
    programs: dict[str, tuple[Callable[[], int], int]] = {
        "ponder": (lambda: perft(start, OURS), OURS),
        "OpenSpiel": (lambda: open_spiel(spiel.new_initial_state(), THEIRS), THEIRS),
        "python-chess": (lambda: python_chess(chess.Board(), THEIRS), THEIRS),
    }
    rates: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, (count, depth) in programs.items():
            rates[name].append(rate(count, depth))
    ours = statistics.median(rates["ponder"])
    for name, (_, depth) in programs.items():
        median = statistics.median(rates[name])
        print(
            f"{name:13} depth {depth}  {median / 1e6:8.2f} M leaves/s   "
            f"ponder/{name} {ours / median:6.1f}"
        )


if __name__ == "__main__":
    main()
