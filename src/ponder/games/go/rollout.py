"""Random games of Go, faster than move by move: what all moves need stays in registers.

The same moves, drawn with the same random numbers, as `random_action` and `apply_action` would
make. The neighbours of a point are looked at once, for the test and for the stone. What only later
moves of a tree would need (the list of moves, the last move, whose turn it is) is left alone.
"""

import numpy as np

from ponder.core.rng import advanced, scaled
from ponder.games.go.board import (
    BLACK,
    BORDER,
    COUNT,
    EMPTY,
    PASSES_TO_END,
    QUICK_TRIES,
    capture,
    hash_after,
    is_eye_among,
    lay,
    remember,
    was_seen,
    weight,
)
from ponder.jit import U, inlined, kernel

BAD, QUIET, CAPTURE = 0, 1, 2


@kernel
@inlined
def examine(s, p, own, stride, n, ko, fewest):
    """What a stone of colour `own` on the empty point p does: CAPTURE or QUIET; BAD if it is not
    allowed or fills an own eye. n points are empty, no board had fewer than `fewest`."""
    enemy = BORDER - own
    up, left, right, down = U(p - stride), U(p - 1), U(p + 1), U(p + stride)
    a, b = np.int64(s.colour[up]), np.int64(s.colour[left])
    c, d = np.int64(s.colour[right]), np.int64(s.colour[down])
    free = (a == EMPTY) | (b == EMPTY) | (c == EMPTY) | (d == EMPTY)
    if (a & b & c & d & own) and is_eye_among(s, p, own, stride):
        return np.int64(BAD)
    here = weight(p)
    la, lb = s.libs[U(s.head[up])], s.libs[U(s.head[left])]
    lc, ld = s.libs[U(s.head[right])], s.libs[U(s.head[down])]
    # Is p the last liberty of the string there?
    ta, tb = la == (la & COUNT) * here, lb == (lb & COUNT) * here
    tc, td = lc == (lc & COUNT) * here, ld == (ld & COUNT) * here
    takes = ((a == enemy) & ta) | ((b == enemy) & tb) | ((c == enemy) & tc) | ((d == enemy) & td)
    lives = ((a == own) & (not ta)) | ((b == own) & (not tb))
    lives |= ((c == own) & (not tc)) | ((d == own) & (not td))
    if not (takes | lives | free) or p == ko:
        return np.int64(BAD)
    what = np.int64(CAPTURE) if takes else np.int64(QUIET)
    if (takes or n > fewest) and was_seen(s, hash_after(s, p, own, stride, what)):
        return np.int64(BAD)
    return what


@kernel
def random_game(s, stride, max_length, out, rng):
    """Play sensible random moves to the end of the game; only the board is right then."""
    state = rng[0]
    own = BLACK + np.int64(s.player)
    n, fewest, ko = np.int64(s.empties), np.int64(s.fewest), np.int64(s.ko)
    passes, left = np.int64(s.passes), max_length - np.int64(s.ply)
    while passes < PASSES_TO_END and left > 0:
        left -= 1
        p, what = np.int64(0), np.int64(BAD)
        for _ in range(QUICK_TRIES if n > 0 else 0):
            state = advanced(state)
            p = np.int64(s.empty[U(scaled(state, n))])
            what = examine(s, p, own, stride, n, ko, fewest)
            if what != BAD:
                break
        if what == BAD:
            rest = n
            for i in range(n):
                out[U(i)] = s.empty[U(i)]
            while rest > 0:  # without replacement
                state = advanced(state)
                i = U(scaled(state, rest))
                p = np.int64(out[i])
                what = examine(s, p, own, stride, n, ko, fewest)
                if what != BAD:
                    break
                rest -= 1
                out[i] = out[U(rest)]
        if what == BAD:
            passes += 1
            ko = np.int64(0)
        else:
            passes = np.int64(0)
            lay(s, p, own, stride)
            ko = np.int64(0)
            if what == CAPTURE:
                s.ko = 0
                capture(s, p, own, stride)
                ko = np.int64(s.ko)
            n = np.int64(s.empties)
            fewest = min(fewest, n)
            remember(s, s.hash)
        own = BORDER - own
    rng[0] = state
