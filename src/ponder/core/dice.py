"""Dice that follow from a seed and from how many actions were played, and from nothing else.

A move that is taken back does not change what the dice will show: whoever plays on from there,
the same way or another, meets the same throw.
"""

from __future__ import annotations

import random

from ponder.core.position import Position
from ponder.core.protocols import Action


def thrown(position: Position, seed: int) -> Action:
    """The outcome that the dice of this seed show in a position in which chance moves."""
    outcomes, chances = zip(*position.chance_outcomes, strict=True)
    dice = random.Random(f"dice {seed} {len(position.history)}")
    fallen: Action = dice.choices(outcomes, chances)[0]
    return fallen
