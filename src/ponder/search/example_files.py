"""A saved search, and its reader: see `ponder.core.formats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.core.session import Session
from ponder.search.alphabeta import AlphaBeta


def write_session(path: Path) -> None:
    session = AlphaBeta(depth=9).start(Position(parse_game("tictactoe")), seed=1)
    session.run(nodes=20)
    session.save(path)


def read_session(path: Path) -> Any:
    return Session.load(path).history.to_json()
