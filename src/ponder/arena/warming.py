"""Before the first game: every player makes a short search that nobody counts.

So that machine code is made before any clock runs, and a player that cannot play this game at all
is refused at once instead of forfeiting every game.
"""

from __future__ import annotations

import random

from ponder.arena.game import Setup
from ponder.arena.openings import draw
from ponder.arena.player import seated
from ponder.core.engine import Engine, Player, refuse_unfit
from ponder.core.limits import UNLIMITED, Limit
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.errors import InputError, PonderError

SECONDS = 0.001


def warm_up(start: Position, setup: Setup) -> None:
    """Let both players look at the first position with something to decide."""
    here = first_decision(start)
    for player, limit in zip(setup.players, setup.limits, strict=True):
        if isinstance(player, Engine):
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
        if isinstance(result, SearchResult) and result.stopped_by == "interrupt":
            raise KeyboardInterrupt


def first_decision(start: Position) -> Position:
    """The first position in which a player moves; dice fall as they may."""
    here, dice = start, random.Random(0)
    while here.is_chance:
        here = here.play(draw(here, dice))
    if here.is_terminal:
        raise InputError("the game is over before it begins: there is nothing to play")
    return here


def briefly(player: Player, limit: Limit | None) -> Limit:
    """A moment; with the number of simulations where there is one: some rules plan by it."""
    if limit is None:
        limit = player.limit if isinstance(player, Engine) else UNLIMITED
    return Limit(seconds=SECONDS, simulations=limit.simulations)
