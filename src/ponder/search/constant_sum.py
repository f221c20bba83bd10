"""Do the players' utilities always add up to the same, and to what?"""

from __future__ import annotations

import random
from typing import Any
from weakref import WeakKeyDictionary

from ponder.core.faults import fault_after
from ponder.core.position import Position
from ponder.errors import GameError


def is_constant_sum(position: Position) -> bool:
    """Do the utilities always add up to the same? (Of a plain Python game of two it is assumed,
    unless its class says ``zero_sum = False``.)"""
    return bool(position.rules.zero_sum)


_sums: WeakKeyDictionary[Any, float] = WeakKeyDictionary()


def sum_of_utilities(position: Position) -> float:
    """What they add up to, in a game where that is constant: seen at the end of some game.

    Once for the rules: playing that game takes longer than a short search.
    """
    rules = position.rules
    if rules not in _sums:
        _sums[rules] = _sum_after_a_game(position)
    return _sums[rules]


def _sum_after_a_game(position: Position) -> float:
    rng, here, actions = random.Random(0), position, list[Any]()
    try:
        while not here.is_terminal:
            actions.append(rng.choice(here.legal_actions))
            here = here._after(actions[-1])
    except GameError:
        raise fault_after(position, actions) from None
    return sum(here.returns)
