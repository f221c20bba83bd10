"""A playout policy that answers the last move: captures, escapes from atari, 3x3 patterns.

In the order of MoGo (Gelly, Wang, Munos & Teytaud 2006), but looking only around the last move:

1. if the last stone's string is in atari, or it put a string in atari: take it, save that string
   by extending (unless hopeless), or by taking one of its attackers;
2. else a move beside the last stone, diagonals included, where a 3x3 pattern matches;
3. else uniform, without filling own eyes.

Within a step every candidate is equally likely.
"""

import numpy as np

from ponder.core.rng import below
from ponder.games.go.board import BLACK, EMPTY, in_atari, is_sensible, only_liberty
from ponder.games.go.tactics import add_once, is_hopeless, list_captures_beside
from ponder.jit import U, kernel


@kernel
def list_atari_answers(s, last, own, stride, out):
    """Write the points that answer an atari by, or of, the last stone; returns how many."""
    n = 0
    libs = s.libs[s.head[last]]
    if s.colour[last] != EMPTY and in_atari(libs):
        n = add_once(out, n, only_liberty(libs))
    for q in (last - stride, last - 1, last + 1, last + stride):
        if s.colour[q] != own:
            continue
        h = np.int64(s.head[q])
        libs = s.libs[h]
        if not in_atari(libs):
            continue
        n = list_captures_beside(s, h, stride, out, n)
        way_out = only_liberty(libs)
        if not is_hopeless(s, way_out, own, stride):
            n = add_once(out, n, way_out)
    return n


@kernel
def surrounding(s, p, own, stride):
    """The eight points around p as the mover sees them: two bits each, 1 own, 2 the enemy's."""
    code = (
        np.int64(s.colour[p - stride - 1])
        | np.int64(s.colour[p - stride]) << 2
        | np.int64(s.colour[p - stride + 1]) << 4
        | np.int64(s.colour[p - 1]) << 6
        | np.int64(s.colour[p + 1]) << 8
        | np.int64(s.colour[p + stride - 1]) << 10
        | np.int64(s.colour[p + stride]) << 12
        | np.int64(s.colour[p + stride + 1]) << 14
    )
    if own == BLACK:
        return code
    return ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)


@kernel
def list_pattern_moves(s, last, own, stride, patterns, out):
    """Write the empty points around `last` where a pattern matches; returns how many."""
    n = 0
    for q in (
        last - stride - 1,
        last - stride,
        last - stride + 1,
        last - 1,
        last + 1,
        last + stride - 1,
        last + stride,
        last + stride + 1,
    ):
        if s.colour[q] == EMPTY:
            code = surrounding(s, q, own, stride)
            if (patterns[code >> 6] >> U(code & 63)) & U(1):
                out[n] = q
                n += 1
    return n


@kernel
def pick_sensible(s, own, stride, simple_ko, suicide, out, n, rng):
    """A uniform sensible point among out[:n], or 0 where none is sensible."""
    while n > 0:
        i = below(rng, n)
        p = np.int64(out[i])
        if is_sensible(s, p, own, stride, simple_ko, suicide):
            return p
        n -= 1
        out[i] = out[n]
    return np.int64(0)
