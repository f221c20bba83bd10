"""A small file of each format of this layer, and its reader: see `ponder.core.formats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ponder.core.position import Position
from ponder.files import read_file, save_file
from ponder.games.chess.pgn import parse_pgn
from ponder.games.go.sgf import read_sgf as read_go_record
from ponder.games.tictactoe import TicTacToe
from ponder.games.tree import TreeGame

PGN = b"""[White "Ann"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 {so} Kd7 (1... Ke7) 2. e5 *
"""


def write_game_tree(path: Path) -> None:
    save_file(path, b"[[3, 12, 8], [2, -4.5, 6], 14]")


def read_game_tree(path: Path) -> Any:
    return Position(TreeGame.from_file(path)).to_json()


def write_pgn(path: Path) -> None:
    save_file(path, PGN)


def read_pgn(path: Path) -> Any:
    games = parse_pgn(read_file(path).decode("latin-1"))
    return [(game.final.to_json(), game.result) for game in games]


def write_position(path: Path) -> None:
    Position.parse(TicTacToe(), "x../.o./...").play_all("b3 b1").save(path)


def read_position(path: Path) -> Any:
    return Position.load(path).to_json()


def write_sgf(path: Path) -> None:
    save_file(path, b"(;GM[1]FF[4]SZ[5]KM[2.5]AB[aa]AW[ee]PL[B];B[cc];W[bb];B[dd];PL[B];B[];W[])")


def read_sgf(path: Path) -> Any:
    return read_go_record(path).to_json()
