"""Games on disk: one JSON object a line, its checksum at the end. The first line says which match
it is.

A line is written at once when its game is over, so that an interrupted match leaves whole lines;
should the machine fail in the middle of one, reading drops that torn last line, and its game is
played again. While a match is played its file is locked: a second one cannot write to it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ponder.arena.game import FORFEIT, LENGTH, RULES, Played, Task
from ponder.arena.openings import Opening
from ponder.errors import InputError
from ponder.files import line_of, lock, object_of, read_file
from ponder.json_text import json_object

FORMAT = 2


def game_to_json(played: Played) -> dict[str, Any]:
    """A game as plain data: a line of the file."""
    task = played.task
    data: dict[str, Any] = {
        "round": task.round,
        "game": task.number,
        "seats": list(task.seats),
        "opening": list(task.opening.moves),
        "moves": list(played.moves),
        "returns": None if played.returns is None else list(played.returns),
        "points": played.points() if len(task.seats) > 1 else None,
        "ended": played.ended,
        "reason": played.reason,
        "forfeited_by": played.forfeited_by,
        "movers": list(played.movers),
        "seconds": list(played.seconds),
    }
    for name in ("simulations", "nodes"):
        if any(n is not None for n in getattr(played, name)):
            data[name] = list(getattr(played, name))
    return data


LISTS = ("seats", "opening", "moves", "returns", "movers", "seconds", "simulations", "nodes")


def game_from_json(data: dict[str, Any]) -> Played:
    """The game in a line of the file; ValueError and the like if it is none."""
    lists = (data.get(name) for name in LISTS)
    if not all(one is None or isinstance(one, list) for one in lists):
        raise ValueError("a text is no list of its letters")
    moves, returns = tuple(data["moves"]), data["returns"]
    nothing = [None] * len(moves)
    played = Played(
        Task(data["round"], data["game"], tuple(data["seats"]), Opening(tuple(data["opening"]))),
        moves,
        None if returns is None else tuple(returns),
        data["ended"],
        data["reason"],
        data["forfeited_by"],
        tuple(data["movers"]),
        tuple(data["seconds"]),
        tuple(data.get("simulations", nothing)),
        tuple(data.get("nodes", nothing)),
    )
    if not is_game(played) or data["points"] not in (None, played.points()):
        raise ValueError("not a game")
    return played


def is_game(played: Played) -> bool:
    """Is it one that `play_game` could have given?"""
    task, seats = played.task, played.task.seats
    efforts = played.movers, played.seconds, played.simulations, played.nodes
    return (
        all(type(n) is int and 0 <= n < 1 << 62 for n in (task.round, task.number))
        and all(type(seat) is int for seat in seats)
        and (seats in ((0,), (1,)) or (seats.count(0) == 1 and seats.count(1) == len(seats) - 1))
        and all(isinstance(name, str) for name in (*played.moves, *task.opening.moves))
        and all(len(effort) == len(played.moves) for effort in efforts)
        and all(mover is None or (type(mover) is int and mover in seats) for mover in efforts[0])
        and all(
            n is None or (type(n) in (int, float) and 0 <= n < 1 << 62)
            for effort in efforts[1:]
            for n in effort
        )
        and played.ended in (RULES, FORFEIT, LENGTH)
        and (played.ended == RULES) == (played.returns is not None)
        and (played.ended == FORFEIT) == (played.forfeited_by is not None)
        and (played.forfeited_by is None or type(played.forfeited_by) is int)
        and played.forfeited_by in (None, 0, 1)
        and (played.returns is None or len(played.returns) == len(seats))
        and all(type(u) in (int, float) and abs(u) <= 1e300 for u in played.returns or ())
        and isinstance(played.reason, str)
    )


def read_records(path: str | Path) -> tuple[dict[str, Any], list[Played], int]:
    """The match's own line, its games, and how many bytes of the file are whole lines."""
    return parse_records(Path(path), read_file(path))


def parse_records(path: Path, data: bytes) -> tuple[dict[str, Any], list[Played], int]:
    """The same of the contents of a file."""
    if not data:
        raise InputError(f"{path} is empty: delete it, and a match can begin there")
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].split(b"\n")[:-1]
    header = _header(path, lines[0] if lines else b"")
    games: dict[tuple[int, int], Played] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            played = game_from_json(object_of(line))
        except (ValueError, KeyError, TypeError):
            if number == len(lines):
                return header, list(games.values()), whole - len(line) - 1  # torn: played again
            raise InputError(
                f"line {number} of {path} is damaged: delete it, and its game is played again"
            ) from None
        key = played.task.round, played.task.number
        if key in games:
            raise InputError(
                f"line {number} of {path} has game {key[1]} of round {key[0]} a second time: "
                "delete one of the two"
            )
        games[key] = played
    return header, list(games.values()), whole


def _header(path: Path, line: bytes) -> dict[str, Any]:
    """The first line: which match it is."""
    try:
        if json_object(line)["ponder_match"] != FORMAT:
            raise InputError(f"{path} was written by another version of Ponder")
    except InputError:
        raise
    except (ValueError, KeyError):
        raise InputError(f"{path} is not a file of match records") from None
    try:
        header = object_of(line)
        texts = header["game"], header["openings"], *header["engines"]
        limits = header["limit"]
        if type(header["seed"]) is not int or not all(isinstance(text, str) for text in texts):
            raise ValueError
        if len(texts) != 4 or not all(type(n) in (int, float) for n in limits.values()):
            raise ValueError
        return header
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"the first line of {path} is damaged: begin the match again") from None


class RecordFile:
    """The file of a match while it is played, for this process alone."""

    def __init__(self, path: str | Path, resume: bool) -> None:
        """Take a file that exists (`resume`) and read it; a new one is made by `begin`."""
        self.path = Path(path)
        self.handle: int | None = None
        self.header: dict[str, Any] | None = None
        self.games: list[Played] = []
        self.whole = 0
        if not self.path.absolute().parent.is_dir():
            raise InputError(f"cannot write {path}: there is no folder {self.path.parent}")
        if self.path.is_dir():
            raise InputError(f"cannot write {path}: it is a folder; name a file")
        if not self.path.exists():
            return
        if not resume:
            raise exists(self.path)
        if not self.path.is_file():
            raise InputError(f"cannot write {path}: it is a device or a pipe, not a file")
        self._open(os.O_RDWR)
        try:
            # only now that nobody else writes
            self.header, self.games, self.whole = parse_records(self.path, read_file(self.path))
        except BaseException:
            self.close()
            raise

    def _open(self, flags: int) -> None:
        try:
            self.handle = os.open(self.path, flags | os.O_APPEND, 0o666)
        except FileExistsError:
            raise exists(self.path) from None
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None
        if not lock(self.handle):
            self.close()
            raise InputError(f"{self.path} is being written by another match: let it end first")

    def begin(self, header: dict[str, Any]) -> None:
        """Be ready for games: make a new file, or drop the torn end of the old one."""
        if self.handle is None:
            self._open(os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            self.write({"ponder_match": FORMAT, **header})
        else:
            os.ftruncate(self.handle, self.whole)

    def add(self, played: Played) -> None:
        self.write(game_to_json(played))

    def write(self, data: dict[str, Any]) -> None:
        assert self.handle is not None
        line = line_of(data)
        try:
            while line:
                line = line[os.write(self.handle, line) :]
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def exists(path: Path) -> InputError:
    return InputError(f"{path} exists: continue it (--resume), or name another file")


def check_same_match(path: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Refuse to mix two matches in one file."""
    for key in ("game", "engines", "limit", "seed", "openings"):
        if old.get(key) != new[key]:
            raise InputError(
                f"{path} belongs to another match: its {key} {_word(old.get(key))}, "
                f"not {_word(new[key])}"
            )


def check_same_openings(path: Path, games: Sequence[Played], tasks: dict[Any, Task]) -> None:
    """Refuse games that began elsewhere."""
    for played in games:
        planned = tasks.get((played.task.round, played.task.number))
        if planned is not None and planned != played.task:
            raise InputError(
                f"{path} has other openings: round {played.task.round} began with "
                f"{' '.join(played.task.opening.moves) or 'the start'}"
            )


def _word(value: Any) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)
