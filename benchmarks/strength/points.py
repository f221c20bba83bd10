"""Points of one player against another from many openings: shared by the scripts about networks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.lab.samples import Average
from ponder.learn.ladder import one_game, random_opening


def random_openings(start: Position, plies: int, count: int, seed: int) -> Iterator[Any]:
    """Each a position after so many random moves, with the random numbers of its games."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        yield random_opening(start, plies, rng), rng


def points_from(openings: Iterable[Any], player: Any, opponent: Any) -> Average:
    """Every seat of every opening once. The games of one opening are not independent: openings are
    what was drawn."""
    points, clusters = [], []
    for number, (opening, rng) in enumerate(openings):
        for seat in range(opening.players):
            points.append(one_game(opening, player, opponent, seat, rng))
            clusters.append(number)
    return Average(points, clusters, bounds=(0.0, 1.0))
