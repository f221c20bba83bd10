"""Players: whatever can choose a move. Every engine is one; so is any object with `search`."""

from __future__ import annotations

from typing import Any

from ponder.core.engine import Engine, Player, SeatedPlayer
from ponder.core.gate import name_files
from ponder.core.limits import WORK, Limit
from ponder.core.registry import parse_engine, part_text
from ponder.errors import InputError


def player_of(given: Player | str | type[Player]) -> Player:
    """The player that a SPEC text names, or the given object if it is one."""
    made: Any = given
    if isinstance(given, str):
        name_files(given)
        made = parse_engine(given)
    found: Player = made() if isinstance(made, type) else made
    if not callable(getattr(found, "search", None)):
        raise InputError(f"{given!r} is not a player: it has no search(position, limit, seed=...)")
    return found


def seated(player: Player) -> Player:
    """The player for one seat of a new game, which knows of no other game."""
    return player.new_game() if isinstance(player, SeatedPlayer) else player


def player_text(player: Player) -> str:
    """How the player is named in results and records."""
    return part_text(player) if isinstance(player, tuple) else type(player).__name__


def limit_for(player: Player, limit: Limit) -> Limit | None:
    """What of the match's limit holds for this player; None: the player's own.

    An engine that names its own limit keeps it. Of the others each takes the kinds it obeys, so
    that one match can give simulations to one and nodes to the other. A player that is no engine is
    given everything.
    """
    if not isinstance(player, Engine):
        return limit
    if not player.limit.is_empty:
        return None
    obeyed = player.traits.limits
    given = {name: value for name, value in vars(limit).items() if value is not None}
    taken = {name: value for name, value in given.items() if name in obeyed}
    refused = [name for name in given if name not in obeyed]
    if refused and not any(name in taken for name in WORK):
        raise InputError(
            f"{player_text(player)} has no limit of {' or '.join(refused)}; it is limited by "
            f"{', '.join(name for name in WORK if name in obeyed)}"
        )
    return Limit(**taken)


def limit_in_force(player: Player, limit: Limit) -> dict[str, float]:
    """How much the player may think for a move in a match: by its own limit, or by the match's."""
    found = limit_for(player, limit)
    if found is None and isinstance(player, Engine):
        found = player.limit
    return {name: value for name, value in vars(found).items() if value is not None}
