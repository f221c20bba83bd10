"""Crazy Stone's simulation policy: moves drawn in proportion to their urgency.

Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search" (2006), appendix A.
The urgency of a point is 0 if playing there is illegal or it is completely surrounded by own
stones not in atari. Else it is 1, and to this are added

    1,000 * size     if it is the only liberty of an own string, unless the extension is hopeless;
   10,000 * size     if it is the only liberty of an enemy string, unless extending there would be
                     hopeless for the enemy;
  100,000 * size     if that enemy string touches an own string in atari.

The paper goes on to replace three kinds of useless moves after the draw; that is left out here.
"""

import numpy as np

from ponder.core.rng import below
from ponder.games.go.board import BLACK, BORDER, COUNT, in_atari, is_legal, weight
from ponder.games.go.tactics import is_hopeless, touches_atari
from ponder.jit import kernel


@kernel
def is_filled_in(s, p, own, stride):
    """Are all neighbours of p own stones out of atari, or the border?"""
    for q in (p - stride, p - 1, p + 1, p + stride):
        if not s.colour[q] & own:
            return False
        if s.colour[q] != BORDER and in_atari(s.libs[s.head[q]]):
            return False
    return True


@kernel
def urgency(s, p, own, stride, simple_ko, suicide):
    """How urgent is it for `own` to play on the empty point p?"""
    if is_filled_in(s, p, own, stride):
        return 0
    if not is_legal(s, p, own, stride, simple_ko, suicide):
        return 0
    total = 1
    here = weight(p)
    around = (p - stride, p - 1, p + 1, p + stride)
    for i in range(4):
        c = np.int64(s.colour[around[i]])
        h = np.int64(s.head[around[i]])
        libs = s.libs[h]
        if h == 0 or libs != (libs & COUNT) * here:
            continue
        known = False  # the same string may lie on several sides of p
        for j in range(i):
            known = known or s.head[around[j]] == h
        if known:
            continue
        size = np.int64(s.stones[h])
        if c == own:
            if not is_hopeless(s, p, own, stride):
                total += 1000 * size
        else:
            if not is_hopeless(s, p, c, stride):
                total += 10000 * size
            if touches_atari(s, h, stride):
                total += 100000 * size
    return total


@kernel
def draw_by_urgency(s, stride, simple_ko, suicide, out, rng):
    """A point drawn in proportion to its urgency, or 0 where no move has any."""
    own = BLACK + np.int64(s.player)
    total = 0
    n = np.int64(s.empties)
    for i in range(n):
        value = urgency(s, np.int64(s.empty[i]), own, stride, simple_ko, suicide)
        out[i] = value
        total += value
    if total == 0:
        return np.int64(0)
    left = below(rng, total)
    for i in range(n):
        left -= out[i]
        if left < 0:
            return np.int64(s.empty[i])
    return np.int64(0)
