"""The texts in which games are written down: how each is recognised, read and written.

A game brings the formats of its own records (PGN with chess, SGF with Go), the core those that
every game has: moves, a position, JSON. All meet in `RECORD_FORMATS` of the registry, under the
words by which a page asks for them. Nothing in such a text is run.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, NamedTuple

from ponder.core.formats import RecordFormat
from ponder.core.position import Position
from ponder.core.registry import GAMES, RECORD_FORMATS, game_text, load
from ponder.errors import IllegalAction, InputError, PonderError
from ponder.json_text import json_object

NUMBERS = re.compile(r"(?<!\S)\d+\.+\s*")
"""Numbers of moves: 1. and 12..."""


class ReadRecord(NamedTuple):
    """What a text says."""

    form: str
    """What kind of text it is."""
    final: Position
    """The position after the last move; its history is the game."""
    notes: tuple[str, ...] = ()
    """What was left out."""


class PlayedGame(NamedTuple):
    """A game of a file of records."""

    final: Position
    utilities: tuple[float, ...] | None
    """Its result, if that is known."""


def recognised(text: str, game: Any) -> ReadRecord:
    """What a text means, where `game` is what is being played."""
    for known in RECORD_FORMATS.values():
        if _has(text, known.sign) or (_has(text, known.sign_of_home) and _is_of(known, game)):
            final, *notes = load(known.read)(text, game)
            return ReadRecord(known.title, final, tuple(notes))
    return moves_or_position(text, game)


def writable(game: Any) -> list[str]:
    """The formats that this game can be written in: its own ones first."""
    by_word = [(word, known) for word, known in RECORD_FORMATS.items() if known.write]
    own = [word for word, known in by_word if known.game and _is_of(known, game)]
    return own + [word for word, known in by_word if not known.game]


def written(word: str, here: Position, result: str | None = None) -> str:
    """The game in that format. `result`: how it ended, where the rules do not say it (PGN)."""
    accepted = [name for name, known in RECORD_FORMATS.items() if known.write]
    if word not in accepted:
        raise InputError(f"there is no form {word!r} (accepted: {', '.join(accepted)})")
    if word not in writable(here.game):
        known = RECORD_FORMATS[word]
        raise InputError(f"{known.title} is for {known.game}: take moves or json for other games")
    text: str = load(RECORD_FORMATS[word].write)(here, result)
    return text


class RecordFiles(NamedTuple):
    """How the records of a game come in files."""

    each: Any
    """``each(data, game, plies)``: the games in a file's bytes, as `PlayedGame`; of each the first
    `plies` moves, or all (None)."""
    suffix: str


def files_of(game: Any) -> RecordFiles:
    """The records of this game, as files hold them; InputError if no format is known for it."""
    in_files = [known for known in RECORD_FORMATS.values() if known.each]
    for known in in_files:
        if _is_of(known, game):
            return RecordFiles(load(known.each), known.suffix)
    known_games = " and ".join(sorted(f"{known.game} ({known.title})" for known in in_files))
    raise InputError(f"game records are read for {known_games}, not for {game_text(game)}")


def _has(text: str, sign: str) -> bool:
    return bool(sign) and re.search(sign, text, re.MULTILINE) is not None


def _is_of(known: RecordFormat, game: Any) -> bool:
    """Is the game the one whose records these are? If so its module is loaded: none is for this."""
    module, _, name = GAMES[known.game].partition(":")
    cls = getattr(sys.modules.get(module), name, None)
    return cls is not None and isinstance(game, cls)


# ------------------------------------------------------------------ what every game has


def read_json(text: str, game: Any) -> tuple[Position]:
    try:
        data = json_object(text)
    except ValueError:
        raise InputError("the text begins like a saved game, but it is not JSON") from None
    return (Position.from_json(data),)


def moves_or_position(text: str, game: Any) -> ReadRecord:
    """Moves of the game, with or without numbers; else a position in its own text form."""
    start = Position(game)
    listed = NUMBERS.sub("", " ".join(text.split()))
    try:
        return ReadRecord("moves", start.play_all(listed))
    except IllegalAction as error:
        wrong = error
    try:
        return ReadRecord("a position", Position.parse(game, text))
    except PonderError:
        raise InputError(f"this is no game that can be read; as moves: {wrong}") from None


def json_text(here: Position, result: str | None) -> str:
    return json.dumps(here.to_json(), indent=1) + "\n"


def position_text(here: Position, result: str | None) -> str:
    return here.text()


def moves_text(here: Position, result: str | None) -> str:
    names = here.history_names
    return (", " if any(" " in name for name in names) else " ").join(names)
