"""What a search would find out only when it is compiled and under way, said beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ponder.core.compiled import guarded
from ponder.core.game import hooks_of
from ponder.core.hooks import hook_of, signature
from ponder.core.position import Position
from ponder.core.twin import twin
from ponder.errors import GameError, InputError

MOST_PLIES = 64
"""A line is followed so far, in plain Python."""


def no_evaluation(name: str, longest: int, plain: bool) -> InputError:
    """What to say where a search ends before the game does and nothing tells what that is worth."""
    return InputError(
        f"{name} has no evaluate: search it to its end (a depth of {longest} suffices), or by "
        f"rollouts with mcts(), or give it a method {signature('evaluate', plain)}"
    )


def refuse_blind(position: Position, depth: int | None, longest: int) -> None:
    """InputError where a search to this depth needs the evaluation that the game lacks.

    Whatever is pruned, the first line is searched to its end: if that is beyond the depth, by the
    order of the rules and by the game's own order of moves, nothing can be said.
    """
    game: Any = position.own_game
    plain = not hasattr(game, "spec")
    evaluates = "evaluate" in hooks_of(game) if not plain else hook_of(game, "evaluate") is not None
    if depth is None or evaluates or depth > min(MOST_PLIES, longest):
        return
    plies = depth + position.is_chance  # dice at the root are thrown first
    try:
        if all(_goes_on(position, plies, first) for first in (_listed, _ordered)):
            raise no_evaluation(position.rules.name, longest, plain)
    except GameError:
        return  # broken rules: the search says where


def _goes_on(position: Position, plies: int, first: Callable[[Position], Any]) -> bool:
    """Is the game not over after so many moves, each the first one?"""
    here = position
    for _ in range(plies):
        if here.is_terminal:
            return False
        here = here.play(first(here))
    return not here.is_terminal


def _listed(here: Position) -> Any:
    return here.legal_actions[0]


def _ordered(here: Position) -> Any:
    rules, game = here.rules, here.own_game
    if here.is_chance or hook_of(game if rules.plain else rules.part, "order") is None:
        return here.legal_actions[0]
    if rules.plain:
        return max(here.legal_actions, key=lambda action: rules.order(here.raw_state, action))
    order, s = twin(rules.part).order, here.raw_state[0]
    return max(here.legal_actions, key=lambda action: guarded(rules.name, order, s, action))
