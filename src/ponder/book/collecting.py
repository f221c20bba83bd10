"""What the three ways of building a book share: how far they got, and how they end early."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Collecting(NamedTuple):
    """What a progress callback is told."""

    done: int
    wanted: int | None
    """None where nobody knows beforehand."""
    unit: str
    """games or positions"""


class Collected(NamedTuple):
    """How the collecting ended."""

    done: int
    interrupted: bool


Tell = Callable[[Collecting], None]


def tell_nobody(progress: Collecting) -> None:
    """For those who do not want to know."""
