"""Before the first game: every player makes one short search that nobody counts.

So that machine code is made before any clock runs, and a player that cannot play this game at all
is refused at once instead of forfeiting every game.
"""

from __future__ import annotations

import random

from ponder.arena.game import Setup
from ponder.arena.openings import draw
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.errors import InputError, PonderError

BRIEFLY = Limit(seconds=0.001)


def warm_up(start: Position, setup: Setup) -> None:
    """Let both players look at the first position with something to decide."""
    here, dice = start, random.Random(0)
    while here.is_chance:
        here = here.play(draw(here, dice))
    if here.is_terminal:
        raise InputError("the game is over before it begins: there is nothing to play")
    for player in setup.players:
        try:
            result = player.search(here, BRIEFLY, seed=0)
        except PonderError:
            raise
        except Exception:
            continue  # it will forfeit its games, and the record says why
        if getattr(result, "stopped_by", "") == "interrupt":
            raise KeyboardInterrupt
