"""Book from self-play: an engine plays whole games against itself, their openings are counted."""

from __future__ import annotations

from typing import Any

from ponder.book.builder import BookBuilder
from ponder.book.collecting import Collected, Collecting, Tell, tell_nobody
from ponder.core.interrupt import interruptible
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.self_play import self_played
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
            final = self_played(
                start,
                engine,
                limit,
                plies=plies,
                random_moves=random_moves,
                seed=f"{seed}:{number}",
                pressed=pressed,
            )
            if final is None:
                return Collected(number, True)
            builder.add_game(final, final.returns, plies)
            tell(Collecting(number + 1, games, "games"))
        return Collected(games, pressed.is_set())
