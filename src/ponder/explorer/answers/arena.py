"""What a worker does about matches: see `ponder.explorer.messages.arena`."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ponder.arena.game import Played
from ponder.arena.player import player_of
from ponder.arena.record import parse_records
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import parse_game, saved_engine
from ponder.errors import InputError
from ponder.explorer.messages.arena import LARGEST_FILE
from ponder.explorer.messages.play import LIMITS
from ponder.explorer.tournament import Tournament

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

NAME = "match"
"""A page has one match at a time: the session's name."""
_parts: list[bytes] = []
"""Of the file that is being sent."""


def match(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    made = tournament(
        desk,
        message["game"],
        message["engines"],
        {name: message[name] for name in LIMITS if name in message},
        message.get("seed", 1),
    )
    made.wish(message["games"], message.get("openings"))
    match_stop(desk, message)
    desk.sessions[NAME] = made
    made.go()
    return made.state()


def tournament(
    desk: Desk, game: str, engines: list[str], limit: dict[str, Any], seed: int
) -> Tournament:
    """A match that nobody has played yet."""
    if len(engines) < 2:
        raise InputError("a match needs two engines or more")
    start = Position(parse_game(game))
    if start.is_terminal:
        raise InputError("the game is over before it begins: there is nothing to play")
    players = [player_of(saved_engine(text)) for text in engines]
    return Tournament(NAME, start, players, Limit(**limit), seed)


def running(desk: Desk) -> Tournament:
    found = desk.sessions.get(NAME)
    if not isinstance(found, Tournament):
        raise InputError("there is no match here: begin one first")
    return found


def match_stop(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    found = desk.sessions.get(NAME)
    if isinstance(found, Tournament):
        found.end()
    return {}


def match_go(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = running(desk)
    if "games" in message:
        if not re.fullmatch(r"random\(\d+\)", one.pairs[0].about["openings"]):
            # a file of this machine is not read because somebody's data name it
            raise InputError(
                "this match has openings of its own: continue it with ponder match --resume"
            )
        one.end()
        one.wish(message["games"], None)
    one.go()
    return {}


def match_file(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    if message["first"]:
        _parts.clear()
    _parts.append(message["part"].encode())
    if sum(map(len, _parts)) > LARGEST_FILE:
        _parts.clear()
        raise InputError(f"{message['name']} is larger than {LARGEST_FILE >> 20} megabytes")
    if not message["last"]:
        return {}
    data = b"".join(_parts)
    _parts.clear()
    made = opened(desk, Path(message["name"]), data)
    match_stop(desk, message)
    desk.sessions[NAME] = made
    return made.state()


def opened(desk: Desk, name: Path, data: bytes) -> Tournament:
    """The match in a file; of more than two engines, the files of all pairs one after another."""
    files = [
        parse_records(name, part)
        for part in re.split(rb'^(?={"ponder_match)', data, flags=re.M)
        if part
    ]
    if not files:
        raise InputError(f"{name} is empty")
    headers = [header for header, _, _ in files]
    for header in headers:
        check_header(name, header)
        if any(header[key] != headers[0][key] for key in ("game", "limit", "seed", "openings")):
            raise InputError(f"{name} has matches of different games, limits, seeds or openings")
    first = headers[0]
    # the pairs in their order: first with second, third ..., then second with third ...
    others = round((math.sqrt(8 * len(headers) + 1) - 1) / 2)
    engines = [first["engines"][0], *(header["engines"][1] for header in headers[:others])]
    if others * (others + 1) != 2 * len(headers):
        raise InputError(f"{name} lacks matches: {len(headers)} are not one of each pair")
    made = tournament(desk, first["game"], engines, first["limit"], first["seed"])
    for pair, (header, games, _) in zip(made.pairs, files, strict=True):
        if [engines[number] for number in pair.engines] != header["engines"]:
            raise InputError(f"{name} has its matches in another order")
        check_games(name, made.start, games)
        pair.records, pair.about["openings"] = list(games), header["openings"]
        pair.tasks = [played.task for played in games]
    return made


def check_header(name: Path, header: dict[str, Any]) -> None:
    """Refuse a first line that does not say which match it is."""
    engines, limit = header.get("engines"), header.get("limit")
    if (
        not isinstance(header.get("game"), str)
        or not isinstance(engines, list)
        or len(engines) != 2
        or not all(isinstance(text, str) for text in engines)
        or not isinstance(limit, dict)
        or not set(limit) <= {"memory", *LIMITS}
    ):
        raise InputError(f"{name} does not say which match it is: its first line is damaged")


def check_games(name: Path, start: Position, games: list[Played]) -> None:
    """Refuse games of another number of players."""
    for played in games:
        seats = 1 if start.players == 1 else start.players
        if len(played.task.seats) != seats or (seats > 1 and 0 not in played.task.seats):
            raise InputError(f"{name} has a game with {len(played.task.seats)} seats, not {seats}")


ANSWERS = {
    "match": match,
    "match_stop": match_stop,
    "match_go": match_go,
    "match_file": match_file,
}
