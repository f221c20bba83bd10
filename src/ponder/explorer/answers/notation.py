"""Games as texts: pasted or loaded ones are recognised, others written. Nothing in them is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ponder.core.position import Position
from ponder.core.record_formats import recognised, writable, written
from ponder.core.registry import parse_game
from ponder.errors import InputError
from ponder.explorer.positions import reached

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk


def read_game(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """The game that a text means, where `game` is what is being played."""
    words = message["text"].removeprefix("\ufeff").strip()
    if not words:
        raise InputError(
            "nothing to read: paste moves, a position, a FEN, a PGN, an SGF or a saved game"
        )
    form, final, left_out = recognised(words, parse_game(message["game"]))
    notes = list(left_out)
    final, cut = as_far_as_it_goes(final)
    if cut:
        notes.append(
            f"the rules end the game after {len(final.history)} moves: {cut} more left out"
        )
    return {"form": form, **final.to_json(), "notes": notes}


def as_far_as_it_goes(final: Position) -> tuple[Position, int]:
    """The game up to where its rules end it: players may have gone on after a draw."""
    way = [final]
    while way[-1].last_action is not None:
        way.append(way[-1].undo())
    way.reverse()
    for number, here in enumerate(way):
        if here.is_terminal:
            return here, len(way) - 1 - number
    return final, 0


def write_game(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """The game in a form that other programs read."""
    here = reached(message)
    text = written(message["form"], here, message.get("result"))
    return {"text": text, "forms": writable(here.game)}
