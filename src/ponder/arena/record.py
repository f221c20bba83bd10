"""Games on disk: one JSON object a line. The first line says which match it is.

Every line is written at once when its game is over, so that an interrupted match leaves whole
lines; should the machine fail in the middle of one, reading drops that torn last line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ponder.arena.game import Played, Task
from ponder.arena.openings import Opening
from ponder.errors import InputError

FORMAT = 1


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


def game_from_json(data: dict[str, Any]) -> Played:
    """The game in a line of the file."""
    moves = tuple(data["moves"])
    nothing = (None,) * len(moves)
    returns = data["returns"]
    return Played(
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


def read_records(path: str | Path) -> tuple[dict[str, Any], list[Played], int]:
    """The match's own line, its games, and how many bytes of the file are whole lines."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if not data:
        raise InputError(f"{path} is empty: delete it, and a match can begin there")
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    header = _header(path, lines[0] if lines else b"")
    games = []
    for number, line in enumerate(lines[1:], 2):
        try:
            games.append(game_from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"line {number} of {path} is damaged: delete it, and its game is played again"
            ) from None
    return header, games, whole


def _header(path: Path, line: bytes) -> dict[str, Any]:
    """The first line: which match it is."""
    try:
        header = json.loads(line)
        if header["ponder_match"] != FORMAT:
            raise InputError(f"{path} was written by another version of Ponder")
        return {"seed": header["seed"], "openings": header["openings"], **header}
    except InputError:
        raise
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is not a file of match records") from None


class RecordFile:
    """The file of a match while it is played."""

    def __init__(self, path: str | Path, header: dict[str, Any], whole: int) -> None:
        """Begin a new file, or (`whole` bytes are kept) go on with one."""
        self.path = Path(path)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (0 if whole else os.O_EXCL)
            self.handle = os.open(self.path, flags, 0o666)
            if whole:
                os.ftruncate(self.handle, whole)
        except FileExistsError:
            raise exists(self.path) from None
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None
        if not whole:
            self.write({"ponder_match": FORMAT, **header})

    def add(self, played: Played) -> None:
        self.write(game_to_json(played))

    def write(self, data: dict[str, Any]) -> None:
        line = (json.dumps(data) + "\n").encode()
        try:
            while line:
                line = line[os.write(self.handle, line) :]
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        os.close(self.handle)


def exists(path: Path) -> InputError:
    return InputError(f"{path} exists: go on with it (--resume), or name another file")


def check_same_match(path: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Refuse to mix two matches in one file."""
    for key in ("game", "engines", "limit", "seed", "openings"):
        if old.get(key) != new[key]:
            raise InputError(
                f"{path} is of another match: its {key} {_word(old.get(key))}, "
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
