"""What the ends of the game and of the search are worth to `ponder.search.visit`.

Values are for the player `me` whom the caller names, counted from the middle between the players:
half the difference of the two utilities; for one player alone, from the middle of its range. So
what one player gains the other loses, whatever the utilities add up to.

Decisive results prefer the short win and the long loss: a terminal value at the end of the range
(`half`) counts `step` less for each ply from the root.
"""

from ponder.jit import inlined, keep_apart, kernel, natural

STEP = 2.0**-40
"""How much a ply costs in the value of a decisive result, as a share of half the utility range."""
FARTHEST = 4096
"""Plies. Values within FARTHEST steps of the ends are decisive; evaluations stay inside: they are
at most ``most = half - FARTHEST * step``."""


@kernel
@inlined
def difference(scratch, me):
    """The utilities just written as one value for `me`."""
    utilities = scratch.utilities
    if utilities.size == 1:
        return utilities[0] - scratch.middle
    return 0.5 * (utilities[me] - utilities[natural(1 - me)])


@kernel
def outcome(scratch, s, ply, me):
    """The value of a finished game for `me`: a nearer win is better, a nearer loss worse."""
    keep_apart()
    scratch.game.returns(s, scratch.utilities)
    value = difference(scratch, me)
    if value >= scratch.half:
        return value - ply * scratch.step
    if value <= -scratch.half:
        return value + ply * scratch.step
    return value


@kernel
@inlined
def estimate(scratch, s, me):
    """The static evaluation for `me`, kept apart from decisive values."""
    scratch.game.evaluate(s, scratch.utilities)
    return max(-scratch.most, min(scratch.most, difference(scratch, me)))


@kernel
def is_decisive(scratch, value):
    """Does the value come from the end of the game, at an end of the utility range?"""
    return abs(value) > scratch.most


@kernel
def from_root(scratch, value, ply):
    """A stored value counts distance from its own node: count it from the root."""
    if is_decisive(scratch, value):
        return value - ply * scratch.step if value > 0 else value + ply * scratch.step
    return value


@kernel
def from_node(scratch, value, ply):
    """The inverse of `from_root`."""
    if is_decisive(scratch, value):
        return value + ply * scratch.step if value > 0 else value - ply * scratch.step
    return value
