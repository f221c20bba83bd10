"""Backgammon's actions here and in OpenSpiel.

OpenSpiel's points are 0 to 23 in the counting of o, who moves down; x moves up. Its action is
26 * second + first (+ 676 if the lower die goes first); 24 is the bar, 25 no move. It lists both
orders of two moves that come to the same, so actions are matched by what they do.
"""

from __future__ import annotations

from typing import Any

from ponder.core.position import Position

SCORING = {1: "winloss_scoring", 2: "enable_gammons", 3: "full_scoring"}
BAR, NO_MOVE, PLACES = 24, 25, 26

_LOW_HIGH = [(i, j) for i in range(6) for j in range(i + 1, 6)]
# OpenSpiel gives the two orders of a roll one after the other: 12, 21, 13, 31 ... 65, 11 ... 66
_ROLLS = [roll for low, high in _LOW_HIGH for roll in ((low, high), (high, low))]
_ROLLS += [(i, i) for i in range(6)]

Moves = list[tuple[int, int]]
"""(place, target) of each checker moved, in the mover's own counting; 25 the bar, 0 off."""


def to_spiel(position: Position, action: Any, state: Any) -> int:
    """OpenSpiel's action, or the first of those that do the same."""
    if position.is_chance:
        return outcome(position, int(action))
    wanted = effect(position, our_moves(position, int(action)))
    for theirs in state.legal_actions():
        if effect(position, their_moves(position, theirs)) == wanted:
            return int(theirs)
    raise AssertionError(f"OpenSpiel does not know {position.action_name(action)} in\n{position}")


def actions(position: Position, state: Any) -> dict[int, Any]:
    """Our action for each of OpenSpiel's."""
    ours = {effect(position, our_moves(position, a)): a for a in position.facts.actions}
    found = {t: effect(position, their_moves(position, t)) for t in state.legal_actions()}
    return {theirs: ours[done] for theirs, done in found.items() if done in ours}


def outcome(position: Position, roll: int) -> int:
    """OpenSpiel's number of a roll. Ours is 6 * one die + the other, counted from 0.

    The first roll is one die each: ours names x's die first; of OpenSpiel's, the even ones let
    x begin.
    """
    first, second = divmod(roll, 6)
    high, low = max(first, second), min(first, second)
    if high == low:
        return _ROLLS.index((high, low))
    even = _ROLLS.index((low, high))
    return even + (not position.history and first < second)


def dice(position: Position) -> tuple[int, int]:
    """The higher and the lower die."""
    state = position.raw_state[0]
    return int(state.high), int(state.low)


def our_moves(position: Position, action: int) -> Moves:
    places = divmod(action, PLACES)
    return [(p, p - die) for p, die in zip(places, dice(position), strict=True) if p]


def their_moves(position: Position, action: int) -> Moves:
    low_first, digits = divmod(action, PLACES * PLACES)
    high, low = dice(position)
    moves = []
    ordered = (low, high) if low_first else (high, low)
    for digit, die in zip((digits % PLACES, digits // PLACES), ordered, strict=True):
        if digit == BAR:
            moves.append((25, 25 - die))
        elif digit != NO_MOVE:
            place = 24 - digit if position.current_player == 0 else digit + 1
            moves.append((place, place - die))
    return moves


def effect(position: Position, moves: Moves) -> Any:
    """What the moves do: own checkers changed, blots hit."""
    opponent = position.raw_state[0].checkers[1 - position.current_player]
    change: dict[int, int] = {}
    hits = set()
    for place, end in moves:
        target = max(end, 0)
        change[place] = change.get(place, 0) - 1
        change[target] = change.get(target, 0) + 1
        if target and opponent[25 - target] == 1:
            hits.add(target)
    return frozenset((p, n) for p, n in change.items() if n), frozenset(hits)
