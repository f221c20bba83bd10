"""The methods that a game may have, by name, with what each takes: see `ponder.core.game`.

Games are the users' own, and most methods are optional. So somebody has to look whether they are
there: `hook_of` and `fact_of` do, for everybody who wants one of them. Only what goes through all
of them (`ponder.check`, what makes rules of a game) looks for itself, by these tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

REQUIRED_ARGUMENTS = {
    "start": "s",
    "current_player": "s",
    "legal_actions": "s, out",
    "apply_action": "s, a",
    "is_terminal": "s",
    "returns": "s, out",
}
OPTIONAL_ARGUMENTS = {
    "chance_outcomes": "s, out, p",
    "random_action": "s, out, rng",
    "random_rollout": "s, out, rng",
    "rollout_action": "s, out, rng",
    "evaluate": "s, out",
    "evaluate_terms": "s, player",
    "squash": "s, player, score",
    "winning_action": "s, out",
    "noisy_actions": "s, out",
    "in_check": "s",
    "pass_turn": "s",
    "order": "s, a",
    "urgent": "s, a",
    "enough_actions": "s, out",
    "key": "s",
    "exact_key": "s",
    "cells": "s, player, out",
    "seen_action": "a, player",
    "symmetries": "",
    "transform": "s, k, t",
    "transform_action": "a, k",
}
PEOPLE_ARGUMENTS = {
    "action_name": "s, a",
    "parse_action": "s, text",
    "board_text": "s",
    "board_svg": "s, last, legal",
    "action_places": "s, a",
    "position_text": "s",
    "parse_position": "text, s",
}
"""Ordinary Python, never compiled."""
PLAIN_ARGUMENTS = {
    "start": "",
    "current_player": "state",
    "legal_actions": "state",
    "apply_action": "state, action",
    "is_terminal": "state",
    "returns": "state",
    "chance_outcomes": "state",
    "evaluate": "state",
    "evaluate_terms": "state, player",
    "squash": "state, player, score",
    "order": "state, action",
    "winning_action": "state",
    "key": "state",
    "cells": "state, player",
    "action_name": "state, action",
    "parse_action": "state, text",
    "board_text": "state",
    "board_svg": "state, last, legal",
    "action_places": "state, action",
    "position_text": "state",
    "parse_position": "text",
}
"""Those of plain Python games."""

PLAIN_FACTS = ("players", "utilities", "zero_sum", "board", "max_length", "max_actions")
"""What a plain Python game may say of itself besides, as attributes; others have a `Spec`."""

REQUIRED = tuple(REQUIRED_ARGUMENTS)
OPTIONAL = tuple(OPTIONAL_ARGUMENTS)
FOR_PEOPLE = tuple(PEOPLE_ARGUMENTS)

_SHORTCUTS = (
    *("random_action", "random_rollout", "rollout_action", "winning_action"),
    *("noisy_actions", "in_check", "pass_turn", "enough_actions", "exact_key"),
    *("symmetries", "transform", "transform_action"),
)
"""What says in a quicker way what the rules say."""
_WORTH = ("evaluate", "evaluate_terms", "squash")
FOLLOWS = {
    "evaluate": ("evaluate_terms", "squash"),
    "evaluate_terms": ("squash",),
    "random_action": ("random_rollout",),
    "noisy_actions": ("in_check",),
    "symmetries": ("transform", "transform_action"),
    "chance_outcomes": _SHORTCUTS,
    **{name: _SHORTCUTS for name in REQUIRED if name != "start"},
    "returns": (*_SHORTCUTS, *_WORTH),
}
"""Of each method those that are no longer true where a class below writes another."""


def signature(name: str, plain: bool = False) -> str:
    """The method as it is written: ``evaluate(self, s, out)``."""
    every = REQUIRED_ARGUMENTS | OPTIONAL_ARGUMENTS | PEOPLE_ARGUMENTS
    given = (PLAIN_ARGUMENTS if plain else every)[name]
    return f"{name}({', '.join(['self', *filter(None, [given])])})"


def hook_of(owner: Any, name: str) -> Callable[..., Any] | None:
    """The method of that name, which a game (or its rules, or its class) need not have."""
    found: Callable[..., Any] | None = getattr(owner, name, None)
    return found


def fact_of(game: Any, name: str, usual: Any) -> Any:
    """What a plain Python game says of itself under a name of `PLAIN_FACTS`, else what is usual."""
    return getattr(game, name, usual)
