"""Before the first game: every player makes a short search that nobody counts.

So that machine code is made before any clock runs, and a player that cannot play this game at all
is refused at once instead of forfeiting every game.
"""

from __future__ import annotations

import random
from typing import Any

from ponder.arena.game import Setup
from ponder.arena.openings import draw
from ponder.arena.player import seated
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.errors import InputError, PonderError

SECONDS = 0.001


def refuse_unfit(player: Any, here: Position, limit: Limit | None) -> None:
    """InputError if it is known beforehand that the player cannot search with this limit, or its
    own where it is None."""
    engine = player.fitted(here) if hasattr(player, "fitted") else player
    if hasattr(engine, "refuse"):
        engine.refuse(here, None if limit is None else limit.depth)


def warm_up(start: Position, setup: Setup) -> None:
    """Let both players look at the first position with something to decide."""
    here = first_decision(start)
    for player, limit in zip(setup.players, setup.limits, strict=True):
        refuse_unfit(player, here, limit)  # before anything is compiled
    for player, limit in zip(setup.players, setup.limits, strict=True):
        seat = seated(player)
        try:
            result = seat.search(here, briefly(player, limit), seed=0)
            if seat is not player:  # continuing what it remembers is code of its own
                result = seat.search(here, briefly(player, limit), seed=0)
        except PonderError:
            raise
        except Exception:
            continue  # it will forfeit its games, and the record says why
        if getattr(result, "stopped_by", "") == "interrupt":
            raise KeyboardInterrupt


def first_decision(start: Position) -> Position:
    """The first position in which a player moves; dice fall as they may."""
    here, dice = start, random.Random(0)
    while here.is_chance:
        here = here.play(draw(here, dice))
    if here.is_terminal:
        raise InputError("the game is over before it begins: there is nothing to play")
    return here


def briefly(player: Any, limit: Limit | None) -> Limit:
    """A moment; with the number of simulations where there is one: some rules plan by it."""
    source = getattr(player, "engine", player) if limit is None else limit
    return Limit(seconds=SECONDS, simulations=getattr(source, "simulations", None))
