"""Games as texts: pasted or loaded ones are recognised, others written. Nothing in them is run."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ponder.core.position import Position
from ponder.core.registry import game_text, parse_game
from ponder.errors import IllegalAction, InputError, PonderError
from ponder.explorer.messages.play import FORMS
from ponder.explorer.positions import reached
from ponder.json_text import json_object

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

FEN = re.compile(r"[pnbrqkPNBRQK1-8]+(/[pnbrqkPNBRQK1-8]+){7}(\s+[wb](\s|$).*)?")
NUMBERS = re.compile(r"(?<!\S)\d+\.+\s*")
"""Numbers of moves: 1. and 12..."""


def read_game(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """The game that a text means, where `game` is what is being played."""
    words = message["text"].removeprefix("\ufeff").strip()
    if not words:
        raise InputError(
            "nothing to read: paste moves, a position, a FEN, a PGN, an SGF or a saved game"
        )
    form, final, notes = recognised(message["game"], words)
    final, cut = as_far_as_it_goes(final)
    if cut:
        notes.append(
            f"the rules end the game after {len(final.history)} moves: {cut} more left out"
        )
    return {"form": form, **final.to_json(), "notes": notes}


def recognised(game: str, words: str) -> tuple[str, Position, list[str]]:
    """What kind of text it is, the position after its last move, and what was left out."""
    if words.startswith("{"):
        return "a saved game", saved(words), []
    if re.match(r"\(\s*;", words):
        from ponder.games.go.sgf import read_sgf

        return "SGF", read_sgf(words.encode()), []
    if re.search(r'^\s*\[\s*\w+\s+"', words, re.MULTILINE) or (
        game.startswith("chess") and NUMBERS.match(words)
    ):
        from ponder.games.chess.pgn import parse_pgn

        games = parse_pgn(words)
        more = f"the PGN has {len(games)} games; this is the first"
        return "PGN", games[0].final, [more] if len(games) > 1 else []
    if FEN.fullmatch(words):
        return "FEN", Position.parse(parse_game(game if "chess" in game else "chess"), words), []
    return moves_or_position(parse_game(game), words)


def saved(words: str) -> Position:
    try:
        data = json_object(words)
    except ValueError:
        raise InputError("the text begins like a saved game, but it is not JSON") from None
    return Position.from_json(data)


def moves_or_position(game: Any, words: str) -> tuple[str, Position, list[str]]:
    """Moves of the game, with or without numbers; else a position in its own text form."""
    start = Position(game)
    listed = NUMBERS.sub("", " ".join(words.split()))
    try:
        return "moves", start.play_all(listed), []
    except IllegalAction as error:
        wrong = error
    try:
        return "a position", Position.parse(game, words), []
    except PonderError:
        raise InputError(f"this is no game that can be read; as moves: {wrong}") from None


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
    form, here = message["form"], reached(message)
    if form not in FORMS:
        raise InputError(f"there is no form {form!r} (accepted: {', '.join(FORMS)})")
    return {"text": written(form, here, message.get("result")), "forms": forms_of(here)}


def forms_of(here: Position) -> list[str]:
    """The forms that this game can be written in."""
    name = game_text(here.game).partition("(")[0]
    own = {"chess": ["pgn"], "go": ["sgf"]}.get(name, [])
    return [*own, "position", "moves", "json"]


def written(form: str, here: Position, result: str | None) -> str:
    if form == "json":
        return json.dumps(here.to_json(), indent=1) + "\n"
    if form == "position":
        return here.text()
    if form == "moves":
        names = here.history_names
        return (", " if any(" " in name for name in names) else " ").join(names)
    if form not in forms_of(here):
        raise InputError("PGN is for chess and SGF for Go: take moves or json for other games")
    if form == "pgn":
        from ponder.games.chess.pgn import pgn_text

        return pgn_text(here, result=result)
    from ponder.games.go.sgf import write_sgf

    return write_sgf(here).decode()
