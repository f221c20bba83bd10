"""The tables of chess: one array of 64-bit words, so that kernels pass a single argument.

Squares are numbered a1 = 0, b1 = 1 ... h8 = 63; a set of squares is a 64-bit word (bitboard).
Each constant below is where a table begins. ``table[KNIGHT + square]`` is what a knight attacks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ponder.jit import U

KNIGHT = 0  # [64] attacks of a knight
KING = 64  # [64] attacks of a king
PAWN = 128  # [2][64] captures of a White, then of a Black pawn
LINES = 256  # [64][8] squares below and above: file, rank, diagonal, antidiagonal (attacks.py)
STRAIGHT = 768  # [64] attacks of a rook on an empty board
DIAGONAL = 832  # [64] attacks of a bishop on an empty board
BETWEEN = 896  # [64][64] squares strictly between two squares of one line
LINE = 4992  # [64][64] the whole line through two squares, both included
PIECE_KEY = 9088  # [2][7][64] random words by colour, kind (1 to 6) and square
RIGHT_KEY = 9984  # [64] random words: the rook on this square may castle
PASSANT_KEY = 10048  # [64] random words: en passant on this square is possible
TURN_KEY = 10112  # random word: Black to move
SIZE = 10113

_KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
# Opposite directions side by side, the one to lower square numbers first: as LINES wants them.
_DIRECTIONS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1), (1, -1), (-1, 1))


def _walk(square: int, step: tuple[int, int], farthest: int = 7) -> list[int]:
    """The squares from `square` (not included) in the direction of `step`, up to the edge."""
    file, rank = square % 8, square // 8
    found = []
    for _ in range(farthest):
        file, rank = file + step[0], rank + step[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        found.append(8 * rank + file)
    return found


def _bits(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


def _random_words(n: int) -> list[int]:
    """Fixed pseudo-random words (splitmix64), the same in every process."""
    mask, x, words = (1 << 64) - 1, 0, []
    for _ in range(n):
        x = (x + 0x9E3779B97F4A7C15) & mask
        z = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        words.append(z ^ (z >> 31))
    return words


@lru_cache(maxsize=1)
def tables() -> Any:
    """The array, made once in a process (a few milliseconds)."""
    words = [0] * PIECE_KEY + _random_words(SIZE - PIECE_KEY)
    for square in range(64):
        leaps = [_walk(square, step, 1) for step in _KNIGHT_STEPS]
        words[KNIGHT + square] = sum(map(_bits, leaps))
        steps = [_walk(square, step, 1) for step in _DIRECTIONS]
        words[KING + square] = sum(map(_bits, steps))
        words[PAWN + square] = _bits(_walk(square, (-1, 1), 1) + _walk(square, (1, 1), 1))
        words[PAWN + 64 + square] = _bits(_walk(square, (-1, -1), 1) + _walk(square, (1, -1), 1))
        rays = [_walk(square, step) for step in _DIRECTIONS]
        for i, ray in enumerate(rays):
            whole = _bits(ray) | _bits(rays[i ^ 1]) | 1 << square
            words[LINES + 8 * square + i] = _bits(ray)
            words[(STRAIGHT if i < 4 else DIAGONAL) + square] |= _bits(ray)
            for n, other in enumerate(ray):
                words[BETWEEN + 64 * square + other] = _bits(ray[:n])
                words[LINE + 64 * square + other] = whole
    return np.array(words, dtype=U)
