"""Players: whatever can choose a move. Every engine is one; so is any object with `search`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Protocol

from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.start import engine
from ponder.errors import InputError

WORK = ("seconds", "simulations", "nodes", "depth")
"""The limits that say how much a player may think."""


class Player(Protocol):
    """What takes part in a match."""

    def search(self, position: Position, limit: Limit | None = None, *, seed: int) -> Any:
        """Choose a move: the result has `action`, and may have `simulations` and `nodes`.

        A player that remembers something from move to move has `new_game()` besides: it gives
        the player for one seat of a new game.
        """


def player_of(given: Any) -> Any:
    """The player that a SPEC text names, or the given object if it is one."""
    made = engine(given) if isinstance(given, str) else given
    made = made() if isinstance(made, type) else made
    if not callable(getattr(made, "search", None)):
        raise InputError(f"{given!r} is not a player: it has no search(position, limit, seed=...)")
    return made


def seated(player: Any) -> Any:
    """The player for one seat of a new game, which knows of no other game."""
    return player.new_game() if hasattr(player, "new_game") else player


def player_text(player: Any) -> str:
    """How the player is named in results and records."""
    return part_text(player) if hasattr(player, "_fields") else type(player).__name__


def has_own_limit(player: Any) -> bool:
    """Does the player (or the engine inside it) say itself how much it thinks?"""
    if any(getattr(player, name, None) is not None for name in WORK):
        return True
    inner = getattr(player, "engine", None)
    return inner is not None and has_own_limit(inner)


def limit_for(player: Any, limit: Limit) -> Limit | None:
    """What of the match's limit holds for this player; None: the player's own.

    A player that names its own limit keeps it. Of the others each takes the kinds it knows, so
    that one match can give simulations to one and nodes to the other.
    """
    if has_own_limit(player):
        return None
    known = _known(player)
    if known is None:
        return limit
    given = {f.name: getattr(limit, f.name) for f in fields(limit)}
    taken = {n: v for n, v in given.items() if v is not None and n in known}
    refused = [n for n, v in given.items() if v is not None and n not in known]
    if refused and not any(n in taken for n in WORK):
        raise InputError(
            f"{player_text(player)} has no limit of {' or '.join(refused)}; it is limited by "
            f"{', '.join(n for n in WORK if n in known)}"
        )
    return Limit(**taken)


def limit_in_force(player: Any, limit: Limit) -> dict[str, Any]:
    """How much the player may think for a move in a match: by its own limit, or by the match's."""
    while not any(getattr(player, name, None) is not None for name in WORK):
        inner = getattr(player, "engine", None)
        if inner is None:
            return {n: v for n, v in vars(limit_for(player, limit)).items() if v is not None}
        player = inner
    own = {f.name: getattr(player, f.name, None) for f in fields(Limit)}
    return {name: value for name, value in own.items() if value is not None}


def _known(player: Any) -> set[str] | None:
    """The limits among the player's parameters; None: it has none, and is given everything."""
    inner = getattr(player, "engine", None)
    if inner is not None:
        return _known(inner)
    own = set(getattr(player, "_fields", ()))
    return own & {f.name for f in fields(Limit)} if own & set(WORK) else None
