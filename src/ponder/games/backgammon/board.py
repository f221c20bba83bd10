"""The board of backgammon: checkers moved, and the bit masks that follow them.

Each player counts the points from his own side: 24 down to 1, then off; the point p of one is
the point 25 - p of the other. ``checkers[player, place]`` counts: place 0 is off, 1 to 24 the
points, 25 the bar. The masks say the same again, bit p for point p (bit 25: the bar), so that the
plays are found without looking at every point:

    at      places with own checkers            alone   places with exactly one own checker
    shut    points the opponent holds (two or more)     blots   points with one of his checkers

All four are in the player's own counting.
"""

import numpy as np

from ponder.jit import highest_bit, kernel

OFF, BAR = 0, 25
CHECKERS = 15
HOME = 0b1111111  # the bits up to point 6
ON_BAR = 1 << BAR


@kernel
def put(s, player, place):
    """Add a checker on a point or on the bar."""
    count = s.checkers[player, place] + 1
    s.checkers[player, place] = count
    bit, mirrored = 1 << place, 1 << (25 - place)
    s.at[player] |= bit
    if count == 1:
        s.alone[player] |= bit
        s.blots[1 - player] |= mirrored
    elif count == 2:
        s.alone[player] &= ~bit
        s.blots[1 - player] &= ~mirrored
        s.shut[1 - player] |= mirrored


@kernel
def lift(s, player, place):
    """Take a checker from a point or from the bar."""
    count = s.checkers[player, place] - 1
    s.checkers[player, place] = count
    bit, mirrored = 1 << place, 1 << (25 - place)
    if count == 0:
        s.at[player] &= ~bit
        s.alone[player] &= ~bit
        s.blots[1 - player] &= ~mirrored
    elif count == 1:
        s.alone[player] |= bit
        s.blots[1 - player] |= mirrored
        s.shut[1 - player] &= ~mirrored


@kernel
def move(s, player, place, die):
    """Move one checker; hit what stands alone where it lands."""
    lift(s, player, place)
    target = place - die
    if target <= OFF:
        s.checkers[player, OFF] += 1
        return
    if (s.blots[player] >> target) & 1:
        lift(s, 1 - player, 25 - target)
        put(s, 1 - player, BAR)
    put(s, player, target)


@kernel
def movable(at, shut, die):
    """The places from which a checker may move `die` pips, as a mask.

    A checker on the bar goes first. Bearing off needs all checkers at home, and either the exact
    number or no checker on a higher point.
    """
    mask = at & ~(shut << die) & -(2 << die)
    if at & ON_BAR:
        return mask & ON_BAR
    if at <= HOME:
        exact = at & (1 << die)
        if exact:
            mask |= exact
        elif at < (1 << die) and at:
            mask |= np.int64(1) << highest_bit(at)
    return mask


@kernel
def moved(at, alone, place, die):
    """The mask `at` after a checker has moved from `place`."""
    if (alone >> place) & 1:
        at &= ~(np.int64(1) << place)
    if place > die:
        at |= np.int64(1) << (place - die)
    return at


@kernel
def is_backgammon(s, loser):
    """Has the loser a checker on the bar or in the winner's home?"""
    return (s.at[loser] >> 19) != 0


@kernel
def score(s, winner, scoring):
    """1 for a plain win, 2 for a gammon, 3 for a backgammon, as far as `scoring` goes."""
    loser = 1 - winner
    if s.checkers[loser, OFF] > 0:
        return 1
    return min(3 if is_backgammon(s, loser) else 2, scoring)


@kernel
def winner_of(s):
    """The player with all checkers off, or -1."""
    if s.checkers[0, OFF] == CHECKERS:
        return 0
    return 1 if s.checkers[1, OFF] == CHECKERS else -1
