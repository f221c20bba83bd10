"""A small file of each kind of table, and its reader: see `ponder.core.formats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.endgame import storage
from ponder.endgame.bearoff import table_shape
from ponder.endgame.material import UNKNOWN, parse_class
from ponder.endgame.positions import build_positions
from ponder.endgame.probe import Scale
from ponder.endgame.tables import open_tables
from ponder.endgame.values import save_values
from ponder.games.backgammon.game import Backgammon
from ponder.games.chess.game import Chess

NIM = "nim(heaps=(2, 1))"
ROOK_ENDING = "8/8/8/8/8/2k5/8/K1r5 w - - 0 1"


def opened(game: Any, path: Path, text: str = "") -> Any:
    """What the table says of a position, and its header and arrays."""
    tables = open_tables(game, path)
    start = Position(tables.game)
    here = Position.parse(tables.game, text) if text else start
    entry = tables.probe(here)
    if tables.chess or tables.positions or tables.values:  # as a search takes them
        tables.part(Scale(1.0, 0.001))
    header, arrays = storage.read(path)
    return entry, header, {name: array.tobytes() for name, array in arrays.items()}


def write_positions(path: Path) -> None:
    build_positions(Position(parse_game(NIM)), path, part="from the start")


def read_positions(path: Path) -> Any:
    return opened(NIM, path)


def write_values(path: Path) -> None:
    start = Position(parse_game(NIM))
    states = np.concatenate([start.raw_state, start.play(start.legal_actions[0]).raw_state])
    words = states.view(np.uint64).reshape(2, -1)
    save_values(start, words, np.array([0.5, -0.5]), np.zeros(0, np.int64), path)


def read_values(path: Path) -> Any:
    return opened(NIM, path)


def write_chess(path: Path) -> None:
    """Of KRK, with nothing known."""
    cls = parse_class("KRK")
    header = {**storage.identity(Chess()), "kind": "chess", "class": cls.name}
    storage.write(path, header, {"codes": np.full(cls.size, UNKNOWN, np.int8)})


def read_chess(path: Path) -> Any:
    return opened(Chess(), path, ROOK_ENDING)


def write_bearing_off(path: Path) -> None:
    header = {**storage.identity(Backgammon()), "kind": "bearoff", "class": "wins1"}
    storage.write(path, header, {"values": np.full(table_shape("wins1"), 0.5)})


def read_bearing_off(path: Path) -> Any:
    return opened(Backgammon(), path)
