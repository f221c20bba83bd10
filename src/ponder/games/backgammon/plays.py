"""What may be played with a roll: the legal pairs of checker moves, and a random one of them.

A pair (p, q) moves a checker from place p by the higher die and one from place q by the lower; 0
stands for a move that cannot be made. Pairs that lead to the same position are listed once:

* one checker running through two free points: the higher die first;
* two checkers borne off, either by either die: the higher die for the higher point;
* a double: the higher place first.

No other two pairs agree. (Without bearing off the change of the board, as a polynomial in x, is
x^p (x^-high - 1) + x^q (x^-low - 1); equating two of these leaves the first case alone.)

Both dice must be played if possible, else one of them: the higher one if there is a choice.
With a double each legal move stays legal whatever else is played, so that all ways of playing
use equally many of the four moves, and two actions of two moves each cannot waste any.
"""

import numpy as np

from ponder.core.rng import below
from ponder.games.backgammon.board import BAR, HOME, ON_BAR, movable, moved
from ponder.jit import kernel, lowest_bit, popcount

PLACES = 26  # an action is PLACES * p + q


@kernel
def list_pairs(at, alone, shut, blots, high, low, out):
    """Write all legal actions; returns how many."""
    n = list_double(at, alone, shut, high, out) if high == low else 0
    if high != low:
        n = list_mixed(at, alone, shut, blots, high, low, out)
    if n > 0:
        return n
    # not both: the higher die, else the lower, else nothing
    factor = PLACES
    mask = movable(at, shut, high)
    if mask == 0:
        factor = 1
        mask = movable(at, shut, low)
    while mask:
        out[n] = factor * lowest_bit(mask)
        n += 1
        mask &= mask - 1
    if n == 0:
        out[0] = 0
        n = 1
    return n


@kernel
def list_double(at, alone, shut, die, out):
    """Pairs of moves by the same die, the higher place first."""
    n = 0
    first = movable(at, shut, die)
    while first:
        p = lowest_bit(first)
        first &= first - 1
        second = movable(moved(at, alone, p, die), shut, die) & ((np.int64(2) << p) - 1)
        while second:
            out[n] = PLACES * p + lowest_bit(second)
            n += 1
            second &= second - 1
    return n


@kernel
def list_mixed(at, alone, shut, blots, high, low, out):
    """Pairs that use both of two different dice, in either order."""
    n = 0
    by_high, by_low = movable(at, shut, high), movable(at, shut, low)
    first = by_high
    while first:
        p = lowest_bit(first)
        first &= first - 1
        second = movable(moved(at, alone, p, high), shut, low)
        while second:
            q = lowest_bit(second)
            second &= second - 1
            if not listed_otherwise(at, alone, shut, blots, high, low, p, q):
                out[n] = PLACES * p + q
                n += 1
    first = by_low
    while first:
        q = lowest_bit(first)
        first &= first - 1
        second = movable(moved(at, alone, q, low), shut, high)
        while second:
            p = lowest_bit(second)
            second &= second - 1
            if (by_high >> p) & 1 and (movable(moved(at, alone, p, high), shut, low) >> q) & 1:
                continue  # possible in the other order too: has been listed
            if not listed_otherwise(at, alone, shut, blots, high, low, p, q):
                out[n] = PLACES * p + q
                n += 1
    return n


@kernel
def listed_otherwise(at, alone, shut, blots, high, low, p, q):
    """Does another pair give the same position and stand for this one?"""
    if p == q - low:  # one checker runs, the lower die first
        via = q - high
        if via <= 0 or not (movable(at, shut, high) >> q) & 1:
            return False
        if not (movable(moved(at, alone, q, high), shut, low) >> via) & 1:
            return False
        return not ((blots >> p) | (blots >> via)) & 1
    return p <= high and q <= low and p < q  # both are borne off


@kernel
def random_pair(at, alone, shut, blots, high, low, out, rng):
    """A uniformly random legal action."""
    outside = at & ~np.int64(HOME)
    if at & ON_BAR:
        if not (alone >> BAR) & 1:  # two on the bar: nothing to choose
            p = movable(at, shut, high) >> BAR
            q = movable(at, shut, low) >> BAR
            if high == low:
                return (PLACES + 1) * BAR * p
            return PLACES * BAR * p + BAR * q
    elif outside & (outside - 1) or outside & ~alone:  # nothing will be borne off yet
        if high == low:
            a = random_double(at, alone, shut, high, rng)
        else:
            a = random_mixed(at, alone, shut, blots, high, low, rng)
        if a > 0:
            return a
    return np.int64(out[below(rng, list_pairs(at, alone, shut, blots, high, low, out))])


@kernel
def random_double(at, alone, shut, die, rng):
    """A random pair away from bar and bear-off; 0 if there is none."""
    mask = movable(at, shut, die)
    runs = mask & ~(shut << (2 * die)) & -(2 << (2 * die)) & ~(at << die)
    n = popcount(mask)
    pairs = (n * (n + 1)) >> 1
    total = pairs + popcount(runs)
    if total - popcount(mask & alone) == 0:
        return 0
    while True:
        k = below(rng, total)
        if k >= pairs:
            p = place_of(runs, k - pairs)
            return PLACES * p + p - die
        i = 0
        while k > i:  # row i of the triangle has i + 1 entries
            i += 1
            k -= i
        p = place_of(mask, i)
        if k < i:
            return PLACES * p + place_of(mask, k)
        if not (alone >> p) & 1:
            return (PLACES + 1) * p


@kernel
def random_mixed(at, alone, shut, blots, high, low, rng):
    """A random pair away from bar and bear-off; 0 if there is none.

    There any checker movable by the high die goes with any movable by the low die, unless both
    are the same checker; in addition one checker may run through a point that was empty. A pair
    that another one stands for is drawn again.
    """
    both = high + low
    by_high, by_low = movable(at, shut, high), movable(at, shut, low)
    free = ~(shut << both) & -(2 << both)
    high_first, low_first = by_high & free, by_low & free
    same = high_first & low_first & ~((blots << high) | (blots << low))
    high_runs = high_first & ~(at << high)
    low_runs = low_first & ~(at << low) & ~same
    n, m = popcount(by_high), popcount(by_low)
    grid, runs = n * m, popcount(high_runs)
    total = grid + runs + popcount(low_runs)
    refused = popcount(by_high & by_low & alone) + popcount(same & (at << low))
    if total == refused:
        return 0
    while True:
        k = below(rng, total)
        if k >= grid:
            k -= grid
            if k < runs:
                p = place_of(high_runs, k)
                return PLACES * p + p - high
            q = place_of(low_runs, k - runs)
            return PLACES * (q - low) + q
        i = k // m
        p, q = place_of(by_high, i), place_of(by_low, k - i * m)
        if p == q:
            if (alone >> p) & 1:
                continue
        elif p == q - low and (same >> q) & 1:
            continue
        return PLACES * p + q


@kernel
def place_of(mask, k):
    """The index of the k-th set bit, from 0."""
    for _ in range(k):
        mask &= mask - 1
    return lowest_bit(mask)
