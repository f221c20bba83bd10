"""Games of self-play, move by move: what a run keeps are positions, and moves lead between them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.learn.checkpoint import load_played, rounds_kept
from ponder.learn.plain_codes import refuse_plain
from ponder.learn.selfplay import PlayedRows

MOST = 6
"""Games that are shown."""
LOOKED_AT = 60
"""Games that are tried: some begin with random moves, which nobody has written down."""


class SampleGame(NamedTuple):
    """A game of the newest round, from the start of the game."""

    number: int
    moves: tuple[str, ...]
    """Names of moves, and of what dice showed."""
    returns: tuple[float, ...]


def sample_games(folder: Path, start: Position, most: int = MOST) -> list[SampleGame]:
    """Some games of the newest round that has any; none where moves were not learned from
    (`cheap`)."""
    refuse_plain(start, "the list of games")
    rounds = rounds_kept(folder)
    played = load_played(folder, rounds[-1], start.rules.spec) if rounds else None
    if played is None:
        return []
    found: list[SampleGame] = []
    for number in np.unique(played.games)[:LOOKED_AT]:
        if (one := replayed(start, played, int(number))) is not None:
            found.append(one)
            if len(found) == most:
                break
    return found


def replayed(start: Position, played: PlayedRows, number: int) -> SampleGame | None:
    """A game by its number; None if its positions do not follow from each other."""
    rows = np.flatnonzero(played.games == number)
    result = played.results[rows[-1]]
    ways: list[Position] = [start]
    here: Position | None = start
    for i, row in enumerate(rows):
        wanted = played.states[row].tobytes()

        def is_next(one: Position, wanted: bytes = wanted) -> bool:
            return not one.is_chance and one.raw_state[0].tobytes() == wanted

        here = first_way(ways[-1], is_next, moved=i == 0)
        if here is None:
            return None
        ways.append(here)

    def is_end(one: Position) -> bool:
        return one.is_terminal and np.allclose(one.returns, result)

    # of several ways to this end the move that was thought of most
    end = first_way(ways[-1], is_end, moved=False, order=np.argsort(-played.policy[rows[-1]]))
    if end is None:
        return None
    returns = tuple(float(value) for value in end.returns)
    return SampleGame(number, tuple(end.history_names), returns)


def first_way(
    here: Position, fits: Callable[[Position], bool], moved: bool, order: Any = None
) -> Position | None:
    """A position that fits, after one move (none if one has `moved`) and any dice."""
    if moved and fits(here):
        return here
    if here.is_terminal or (moved and not here.is_chance):
        return None
    actions = here.legal_actions
    if order is not None:
        actions = tuple(actions[i] for i in order if i < len(actions))
    for action in actions:
        after = here._after(action)
        if (found := first_way(after, fits, moved=moved or not here.is_chance)) is not None:
            return found
    return None
