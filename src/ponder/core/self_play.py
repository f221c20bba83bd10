"""An engine plays a whole game against itself, for whoever wants to learn from it."""

from __future__ import annotations

import random

from ponder.core.engine import Player, Stop
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.result import SearchResult


def self_played(
    start: Position,
    engine: Player,
    limit: Limit | None,
    *,
    plies: int | None,
    random_moves: float,
    seed: str,
    pressed: Stop,
) -> Position | None:
    """The end of one game, with the way there (`Position.history`); None if it was interrupted.

    Within the first `plies` plies (None: all) a move is random with probability `random_moves`:
    engines that always answer the same would otherwise play one game again and again. The game
    follows from the seed.
    """
    rng = random.Random(seed)
    here, ply = start, 0
    while not here.is_terminal:
        if pressed.is_set():
            return None
        if here.is_chance:
            outcomes, chances = zip(*here.chance_outcomes, strict=True)
            action = rng.choices(outcomes, chances)[0]
        elif (plies is None or ply < plies) and rng.random() < random_moves:
            action = rng.choice(here.legal_actions)
        else:
            result = engine.search(here, limit, seed=rng.getrandbits(32))
            if isinstance(result, SearchResult) and result.stopped_by == "interrupt":
                return None
            action = result.action
        here, ply = here.play(action), ply + 1
    return here
