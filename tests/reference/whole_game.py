"""Everything about a small game without chance, by visiting each state once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ponder.core.position import Position


class Known(NamedTuple):
    """The truth about one state, for the first player of two in a zero-sum game."""

    position: Position
    value: float
    """With best play."""
    best: frozenset[Any]
    """All best actions."""
    chances: dict[float, Fraction]
    """Probability of each result when both play uniformly at random."""


def solve_all(start: Position) -> dict[Any, Known]:
    """Every reachable state, by its key."""
    known: dict[Any, Known] = {}

    def visit(s: Position) -> Known:
        if s.key in known:
            return known[s.key]
        if s.is_terminal:
            result = s.returns[0]
            found = Known(s, result, frozenset(), {result: Fraction(1)})
        else:
            below = {a: visit(s.play(a)) for a in s.legal_actions}
            pick = max if s.current_player == 0 else min
            value = pick(child.value for child in below.values())
            best = frozenset(a for a, child in below.items() if child.value == value)
            chances: dict[float, Fraction] = {}
            for child in below.values():
                for result, p in child.chances.items():
                    chances[result] = chances.get(result, Fraction(0)) + p / len(below)
            found = Known(s, value, best, chances)
        known[s.key] = found
        return found

    visit(start)
    return known
