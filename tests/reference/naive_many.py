"""Paranoid and best-reply search as plain recursion on positions: oracles for the tests."""

from __future__ import annotations

from typing import Any


def leaf_values(s: Any, depth: int) -> tuple[float, ...] | None:
    if s.is_terminal:
        return s.returns
    return tuple(s.rules.evaluate(s.raw_state)) if depth == 0 else None


def paranoid(s: Any, depth: int, me: int) -> float:
    """Everybody but `me` minimises."""
    known = leaf_values(s, depth)
    if known is not None:
        return known[me]
    below = [paranoid(s.play(a), depth - 1, me) for a in s.legal_actions]
    if s.is_chance:
        return sum(p * v for (_, p), v in zip(s.chance_outcomes, below, strict=True))
    return max(below) if s.current_player == me else min(below)


def best_reply(s: Any, depth: int, me: int, usual: Any, chooser: int | None = None) -> float:
    """One opponent chooses between two moves of `me`; the others play `usual(s)`."""
    known = leaf_values(s, depth)
    if known is not None:
        return known[me]

    def after(a: Any, who: int | None) -> float:
        return best_reply(s.play(a), depth - 1, me, usual, who)

    if s.is_chance:
        return sum(p * after(a, chooser) for a, p in s.chance_outcomes)
    mover = s.current_player
    if mover == me:
        return max(after(a, None) for a in s.legal_actions)
    if chooser is None:  # this one chooses, or somebody later
        return min([after(a, mover) for a in s.legal_actions] + [after(usual(s), None)])
    if chooser == mover:
        return min(after(a, mover) for a in s.legal_actions)
    return after(usual(s), chooser)
