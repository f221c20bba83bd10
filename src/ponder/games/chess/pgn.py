"""Portable game notation: files of chess games, read and written.

    >>> from ponder.games.chess.pgn import parse_pgn, pgn_text
    >>> (game,) = parse_pgn('[White "Ann"] 1. e4 {best by test} e5 (1... c5) 2. Nf3 *')
    >>> game.tags["White"], game.final.history_names
    ('Ann', ('e2e4', 'e7e5', 'g1f3'))
    >>> pgn_text(game.final).splitlines()[-1]
    '1. e4 e5 2. Nf3 *'

Reading keeps tags, moves of the main line and the result; comments, variations and annotation
numbers are skipped. A game may begin at a FEN tag, be Chess960 (Variant tag), and go on after a
draw that nobody claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ponder.core.parts import identical
from ponder.core.position import Position
from ponder.core.protocols import as_number
from ponder.core.record_formats import PlayedGame
from ponder.core.registry import game_text
from ponder.errors import InputError, quoted
from ponder.games.chess.game import Chess
from ponder.games.chess.notation import find_san, legal_moves, san_of, uci

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UTILITIES = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0)}
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_USUAL = ("", "chess", "normal", "standard", "fromposition")
_CHESS960 = ("chess960", "fischerandom", "fischerrandom")
_WIDTH = 80
_UNKNOWN = {"Date": "????.??.??"}
_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | ^%[^\n]* | ;[^\n]* | \{[^}]*\} | \$\d+ | \d+\s*\.+ | \.+ | [!?]+ )
  | \[\s* (?P<tag>\w+) \s* "(?P<value>(?:\\.|[^"\\\n])*)" \s*\]
  | (?P<open>\() | (?P<close>\))
  | (?P<result> 1-0 | 0-1 | 1/2-1/2 | \* ) (?!\w)
  | (?P<move> [A-Za-z0][A-Za-z0-9\-=+\#:/@]* )
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class PgnGame:
    """One game of a file."""

    tags: dict[str, str]
    final: Position
    """The position after the last move; its history is the game."""
    result: str
    """1-0, 0-1, 1/2-1/2 or * (unknown, unfinished)."""


def parse_pgn(text: str) -> list[PgnGame]:
    """All games of a text. InputError says which game and move cannot be read."""
    return list(each_game(text))


def each_game(text: str, plies: int | None = None) -> Iterator[PgnGame]:
    """The games of a text one by one; of each only the first `plies` moves are looked at."""
    number, played = 1, 0
    tags: dict[str, str] = {}
    here: Position | None = None
    depth, at = 0, 0
    text = text.removeprefix("\ufeff")
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            shown = text[at : at + 20].split("\n")[0]
            raise InputError(f"game {number} of the PGN cannot be read at {shown!r}")
        at = found.end()
        if found["tag"] is not None:
            if depth:
                raise InputError(f"game {number} of the PGN: a tag stands inside a variation")
            if here is not None:  # the last game ended without a result
                yield PgnGame(tags, here, tags.get("Result", "*"))
                tags, here, number, played = {}, None, number + 1, 0
            tags[found["tag"]] = re.sub(r"\\(.)", r"\1", found["value"])
        elif found["open"]:
            depth += 1
        elif found["close"]:
            depth -= 1
            if depth < 0:
                raise InputError(f"game {number} of the PGN: ')' without '('")
        elif depth == 0 and found["move"]:
            if plies is None or played < plies:
                here = _play(here or _start(tags, number), found["move"], number)
            played += 1
        elif depth == 0 and found["result"]:
            yield PgnGame(tags, here or _start(tags, number), found["result"])
            tags, here, number, played = {}, None, number + 1, 0
    if depth:
        raise InputError(f"game {number} of the PGN: '(' without ')'")
    if here is not None or tags:
        yield PgnGame(tags, here or _start(tags, number), tags.get("Result", "*"))


def read_record(text: str, game: Any) -> tuple[Any, ...]:
    """The first game of a text, and how many there are: see `ponder.core.record_formats`."""
    games = parse_pgn(text)
    if not games:
        raise InputError("the PGN has no game: no tags, and no moves")
    more = f"the PGN has {len(games)} games; this is the first"
    return (games[0].final, *([more] if len(games) > 1 else []))


def read_fen(text: str, game: Any) -> tuple[Position]:
    """The position of a FEN, by the variant that is being played."""
    return (Position.parse(game if isinstance(game, Chess) else Chess(), text),)


def write_record(here: Position, result: str | None) -> str:
    return pgn_text(here, result=result)


def each_opening(data: bytes, game: Chess, plies: int | None) -> Iterator[PlayedGame]:
    """The openings of a file's games, which must all be of this game."""
    # Old files are in Latin-1, which every byte can be read as; moves are ASCII in both.
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    for number, record in enumerate(each_game(text, plies), 1):
        if not identical(record.final.game, game):
            raise InputError(
                f"game {number} is one of {game_text(record.final.game)}, not of {game_text(game)}"
            )
        yield PlayedGame(record.final, UTILITIES.get(record.result))


def _start(tags: Mapping[str, str], number: int) -> Position:
    variant = tags.get("Variant", "").lower().replace(" ", "")
    if variant not in _USUAL + _CHESS960:
        raise InputError(
            f"game {number} of the PGN: variant {quoted(tags['Variant'])} has other rules; "
            "known are Standard and Chess960"
        )
    game = Chess(chess960=variant in _CHESS960)
    if "FEN" not in tags:
        return Position(game)
    try:
        return Position.parse(game, tags["FEN"])
    except InputError as error:
        raise InputError(f"game {number} of the PGN: its FEN: {error}") from None


def _play(here: Position, move: str, number: int) -> Position:
    """Not `Position.play`: players may go on after a draw that they could have claimed."""
    s: Any = here.raw_state[0]
    found = find_san(here.game, s, move)
    found = found or [a for a in legal_moves(here.game, s) if uci(a) == move]
    if len(found) != 1:
        turn = f"{s.number}{'...' if s.side else '.'} {move}"
        fault = "is ambiguous" if found else "is not legal there"
        raise InputError(f"game {number} of the PGN: {turn} {fault}")
    return here._after(found[0])


def pgn_text(
    final: Position, tags: Mapping[str, str] | None = None, result: str | None = None
) -> str:
    """The game that led to `final`, from where it was set up. Missing tags are filled in."""
    line = [final]
    while line[-1]._before is not None:
        line.append(line[-1]._before)
    line.reverse()
    result = result or _result_of(final)
    if result not in RESULTS:
        raise InputError(f"the result is one of {' '.join(RESULTS)}, not {quoted(result)}")
    given = {**(tags or {}), "Result": result}
    if line[0] != Position(final.game) or line[0].state.clock or line[0].state.number != 1:
        given |= {"SetUp": "1", "FEN": line[0].text()}
    if final.rules.game.chess960:
        given["Variant"] = "Chess960"
    shown = {name: given.pop(name, _UNKNOWN.get(name, "?")) for name in ROSTER} | given
    lines = [f'[{name} "{_escaped(name, value)}"]' for name, value in shown.items()]
    return "\n".join([*lines, "", *_wrapped([*_move_words(line), result]), ""])


def _move_words(line: list[Position]) -> list[str]:
    words = []
    for i, before in enumerate(line[:-1]):
        s: Any = before.raw_state[0]
        name = san_of(before.game, s, as_number(line[i + 1].last_action))
        if s.side == 0 or i == 0:
            words.append(f"{s.number}{'...' if s.side else '.'} {name}")
        else:
            words.append(name)
    return words


def _wrapped(words: list[str]) -> list[str]:
    lines = [""]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _escaped(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name) or "\n" in value:
        raise InputError(f"the tag {quoted(name)} needs a name of letters and a value of one line")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _result_of(final: Position) -> str:
    if not final.is_terminal:
        return "*"
    return {1.0: "1-0", -1.0: "0-1", 0.0: "1/2-1/2"}[final.returns[0]]
