"""Book from self-play: an engine plays whole games against itself, their openings are counted."""

from __future__ import annotations

import random
from typing import Any

from ponder.book.builder import BookBuilder
from ponder.book.collecting import Collected, Collecting, Tell, tell_nobody
from ponder.core.interrupt import interruptible
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.errors import InputError


def add_self_play(
    builder: BookBuilder,
    start: Position,
    engine: Any,
    games: int,
    *,
    plies: int,
    seed: int,
    limit: Limit | None = None,
    random_moves: float = 0.1,
    tell: Tell = tell_nobody,
) -> Collected:
    """Let the engine play `games` games from `start` and count their first `plies` plies.

    Within those plies a move is random with probability `random_moves`: engines that always
    answer the same would otherwise play one game again and again. Ctrl-C gives up the game being
    played and keeps those before it. Game g depends on the seed and g alone.
    """
    if not 0.0 <= random_moves <= 1.0:
        raise InputError(f"the share of random moves must be 0 to 1, not {random_moves:g}")
    with interruptible() as pressed:
        for number in range(games):
            final = _play(start, engine, limit, plies, random_moves, f"{seed}:{number}", pressed)
            if final is None:
                return Collected(number, True)
            builder.add_game(final, final.returns, plies)
            tell(Collecting(number + 1, games, "games"))
    return Collected(games, False)


def _play(
    start: Position,
    engine: Any,
    limit: Limit | None,
    plies: int,
    random_moves: float,
    seed: str,
    pressed: Any,
) -> Position | None:
    """The end of one game; None if it was interrupted."""
    rng = random.Random(seed)
    here, ply = start, 0
    while not here.is_terminal:
        if pressed.is_set():
            return None
        if here.is_chance:
            outcomes, chances = zip(*here.chance_outcomes, strict=True)
            action = rng.choices(outcomes, chances)[0]
        elif ply < plies and rng.random() < random_moves:
            action = rng.choice(here.legal_actions)
        else:
            result = engine.search(here, limit, seed=rng.getrandbits(32))
            if result.stopped_by == "interrupt":
                return None
            action = result.action
        here, ply = here.play(action), ply + 1
    return here
