"""Strings in atari, for the playout policies: who can save them and who can take them."""

import numpy as np

from ponder.games.go.board import BORDER, COUNT, EMPTY, in_atari, only_liberty, weight
from ponder.jit import kernel


@kernel
def is_hopeless(s, p, colour, stride):
    """Would a string of `colour` gain nothing by extending to p (Coulom 2006, appendix A)?

    So it is if p has at most one empty neighbour, no neighbouring string of the other colour is
    in atari, and no neighbouring string of `colour` is out of atari.
    """
    free = 0
    for q in (p - stride, p - 1, p + 1, p + stride):
        c = s.colour[q]
        if c == EMPTY:
            free += 1
        elif c != BORDER and (c == colour) != in_atari(s.libs[s.head[q]]):
            return False
    return free <= 1


@kernel
def gives_atari(s, p, own, stride):
    """Does a stone of colour `own` on the empty point p leave an enemy string one liberty?"""
    enemy = BORDER - own
    around = (p - stride, p - 1, p + 1, p + stride)
    for q in around:
        if s.colour[q] != enemy:
            continue
        libs = s.libs[s.head[q]]
        for r in around:  # the string may touch p from several sides
            if s.colour[r] == enemy and s.head[r] == s.head[q]:
                libs -= weight(p)
        if libs & COUNT > 0 and in_atari(libs):
            return True
    return False


@kernel
def list_captures_beside(s, h, stride, out, n):
    """Append to out the points that take a string in atari beside the string with head h."""
    enemy = BORDER - np.int64(s.colour[h])
    p = h
    while True:
        for q in (p - stride, p - 1, p + 1, p + stride):
            if s.colour[q] == enemy:
                libs = s.libs[s.head[q]]
                if in_atari(libs):
                    n = add_once(out, n, only_liberty(libs))
        p = np.int64(s.next[p])
        if p == h:
            return n


@kernel
def touches_atari(s, h, stride):
    """Is a string in atari, of the other colour, beside the string with head h?"""
    enemy = BORDER - np.int64(s.colour[h])
    p = h
    while True:
        for q in (p - stride, p - 1, p + 1, p + stride):
            if s.colour[q] == enemy and in_atari(s.libs[s.head[q]]):
                return True
        p = np.int64(s.next[p])
        if p == h:
            return False


@kernel
def add_once(out, n, p):
    """Append p to out[:n] unless it is there or the array is full; returns the new length."""
    for i in range(n):
        if out[i] == p:
            return n
    if n == out.size:
        return n
    out[n] = p
    return n + 1
