"""What a position of backgammon is worth, at a glance.

The lead is counted in pips and weighed as a race: a roll moves 8.17 pips with variance 18.6, so
that the difference of two races of r pips in all has variance about 2.3 r. Where armies still
meet, made points, primes, anchors and blots count as pips won or lost. The weights are plain
guesses that beat random play by far; nothing was fitted.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.core.game import Term
from ponder.games.backgammon.board import BAR, HOME, OFF
from ponder.jit import highest_bit, kernel, popcount

PIPS = 49.0 / 6.0  # a roll's mean
ON_ROLL = 4.0  # half a roll
HOME_POINT, PRIME_POINT, ANCHOR = 3.0, 3.0, 4.0
SHOT = 0.22  # of the pips that a blot loses when it is hit


@kernel
def pips(s, player):
    """Pips to go until all checkers are off."""
    total = 0
    for place in range(1, BAR + 1):
        total += place * np.int64(s.checkers[player, place])
    return float(total)


@kernel
def pips_to_save_gammon(s, player):
    """Pips until all checkers are home and one is off; 0 if one is off already."""
    if s.checkers[player, OFF]:
        return 0.0
    total = 1
    for place in range(7, BAR + 1):
        total += (place - 6) * np.int64(s.checkers[player, place])
    return float(total)


@kernel
def standing(s, player):
    """Points, primes, anchors and blots of a player whose army still meets the other, in pips."""
    made = s.at[player] & ~s.alone[player] & ~np.int64(1 << BAR)
    behind = 25 - highest_bit(s.at[1 - player])  # the opponent's last checker, in own counting
    worth = HOME_POINT * popcount(made & HOME)
    longest, run = 0, 0
    for point in range(behind + 1, 25):
        run = run + 1 if (made >> point) & 1 else 0
        longest = max(longest, run)
    worth += PRIME_POINT * max(0, longest - 2)
    if made >> 18:
        worth += ANCHOR
    for point in range(max(behind + 1, 1), 25):
        if (s.alone[player] >> point) & 1:
            worth -= SHOT * (25 - point)
    return worth


@kernel
def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


@kernel
def gammon_chance(s, winner, winner_pips):
    """How likely a win of `winner` is a gammon, by the rolls that both still need."""
    needed = pips_to_save_gammon(s, 1 - winner)
    if needed == 0.0:
        return 0.0
    return logistic(1.2 * (needed - winner_pips) / PIPS - 1.0)


@kernel
def estimate(s, scoring, out):
    """One expected utility per player, for a game that is not over."""
    first, second = pips(s, 0), pips(s, 1)
    lead = second - first
    if s.player >= 0:
        lead += ON_ROLL if s.player == 0 else -ON_ROLL
    if highest_bit(s.at[0]) + highest_bit(s.at[1]) > 25:
        lead += standing(s, 0) - standing(s, 1)
    out[0] = utility_of_lead(s, scoring, lead, first, second)
    out[1] = -out[0]


@kernel
def utility_of_lead(s, scoring, lead, first, second):
    """The expected utility of the first player, who leads by so many pips; both have some to go."""
    win = logistic(1.7 * lead / math.sqrt(2.3 * (first + second) + 20.0))
    for_first, for_second = 1.0, 1.0
    if scoring > 1:
        for_first += gammon_chance(s, 0, first)
        for_second += gammon_chance(s, 1, second)
    return win * for_first - (1.0 - win) * for_second


def terms(s: Any, player: int) -> list[Term]:
    """The lead, taken apart."""
    contact = highest_bit(s.at[0]) + highest_bit(s.at[1]) > 25
    pairs = zip(_features(s, player), _features(s, 1 - player), strict=True)
    home, prime, anchor, blots = (contact * (own - other) for own, other in pairs)
    on_roll = 0 if s.player < 0 else 1 if s.player == player else -1
    return [
        Term("pips ahead", float(pips(s, 1 - player) - pips(s, player)), 1.0),
        Term("on roll", on_roll, ON_ROLL),
        Term("made points at home", home, HOME_POINT),
        Term("points in a prime beyond two", prime, PRIME_POINT),
        Term("anchor", anchor, ANCHOR),
        Term("pips that blots would lose", blots, -SHOT),
    ]


def _features(s: Any, player: int) -> tuple[int, int, int, int]:
    """What `standing` weighs: home points, points of a prime beyond two, an anchor, blots."""
    made = int(s.at[player]) & ~int(s.alone[player]) & ~(1 << BAR)
    behind = 25 - highest_bit(s.at[1 - player])
    longest, run = 0, 0
    for point in range(behind + 1, 25):
        run = run + 1 if made >> point & 1 else 0
        longest = max(longest, run)
    alone = [25 - p for p in range(max(behind + 1, 1), 25) if int(s.alone[player]) >> p & 1]
    return popcount(made & HOME), max(0, longest - 2), int(made >> 18 > 0), sum(alone)
