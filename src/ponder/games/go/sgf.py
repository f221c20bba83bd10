"""Go game records in SGF, through the library sgfmill.

The main line of a record becomes a `Position`: set-up stones (AB, AW, AE, PL) in its first node,
then moves. SGF does not ask for turns: where a colour moves twice in a row, or PL gives the turn to
the other side, the side that was to move passes. Passes after the end of the game are left out.
Text that sgfmill cannot read, moves that are not legal, set-up stones after the first move and
boards that Ponder does not have raise `InputError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from sgfmill import sgf

from ponder.core.position import Position
from ponder.core.protocols import as_number
from ponder.core.record_formats import PlayedGame
from ponder.core.registry import game_text
from ponder.errors import IllegalAction, InputError
from ponder.files import read_file
from ponder.games.go.game import Go, final_score
from ponder.games.go.text import LARGEST, Grid, point_name, stones_of

COLOURS = {"b": "X", "w": "O"}
GO = b"1"
"""The number of Go among the games that SGF can hold."""


def read_sgf(
    source: str | Path | bytes,
    *,
    simple_ko: bool = False,
    suicide: bool = False,
    max_length: int = 0,
) -> Position:
    """The position at the end of the record's main line, its moves as history.

    `source` is the name of a file, or the record itself as bytes. Size and komi are the record's
    (komi 7.5 where it gives none, 0 with a handicap), the other parameters of `Go` are yours; a
    record with more moves than `max_length` allows gets twice its own length.
    """
    record = _parse(source)
    try:
        size, komi = record.get_size(), _komi(record.get_root())
        moves, set_up, turn = _main_line(record)
    except (ValueError, LookupError) as error:
        raise InputError(f"not a usable SGF record: {_one_line(error)}") from None
    plies = len(moves) + sum(one == two for (one, _), (two, _) in pairwise(moves))
    if plies > (max_length or 2 * size * size):
        max_length = 2 * plies
    game = Go(size, komi, 0, simple_ko, suicide, max_length)
    here = Position.parse(game, set_up) if set_up else Position(game)
    for number, (colour, point) in enumerate(moves, 1):
        name = point_name(*point) if point else "pass"
        action = point[0] * size + point[1] if point else size * size
        if here.is_terminal:
            if point is None:
                continue  # more passes than the two that end a game
            raise InputError(f"move {number} of the record comes after the end of the game")
        here = _turned(here, colour, f"move {number} of the record")
        try:
            here = here.play(action)  # by its number: names are looked for among all legal moves
        except IllegalAction:
            raise InputError(f"move {number} of the record, {name}, is not legal") from None
    return _turned(here, turn, "the last PL of the record") if turn else here


def _turned(here: Position, colour: str, what: str) -> Position:
    """The position with this colour to move: the other side passes where it is its turn."""
    if here.is_terminal or "bw"[here.current_player] == colour:
        return here
    passed = here.play(here.rules.game.rules().passing)
    if passed.is_terminal:
        raise InputError(f"{what} is out of turn, and a pass in between would end the game")
    return passed


def write_sgf(position: Position) -> bytes:
    """The game so far as an SGF record: set-up stones, komi, moves, the result if it is over."""
    game = position.game
    if not isinstance(game, Go):
        raise InputError(f"SGF records are written for go, not for {type(game).__name__}")
    rules = game.rules()
    if rules.rows != rules.columns:
        raise InputError("SGF records are written for square boards only")
    chain = [position]
    while chain[-1].last_action is not None:
        chain.append(chain[-1].undo())
    chain.reverse()
    record = sgf.Sgf_game(size=rules.rows)
    root = record.get_root()
    root.set("KM", game.komi)
    root.set("RU", "Tromp-Taylor" if game.suicide and not game.simple_ko else "Chinese")
    _write_set_up(root, stones_of(rules, chain[0].raw_state[0]), chain[0].current_player)
    for before, after in pairwise(chain):
        action = as_number(after.last_action)
        point = None if action == rules.passing else divmod(action, rules.columns)
        record.extend_main_sequence().set_move("bw"[before.current_player], point)
    if position.is_terminal:
        root.set("RE", result_text(final_score(position)))
    return bytes(record.serialise())


def read_record(text: str, game: Any) -> tuple[Position]:
    """See `ponder.core.record_formats`."""
    return (read_sgf(text.encode()),)


def write_record(here: Position, result: str | None) -> str:
    return write_sgf(here).decode()


def each_opening(data: bytes, game: Go, plies: int | None) -> Iterator[PlayedGame]:
    """The opening of the record's game, played again by these rules."""
    record = read_sgf(data, simple_ko=game.simple_ko, suicide=game.suicide)
    size = record.rules.game.size
    if (size, size) != (game.size, game.columns or game.size):
        raise InputError(f"this is a game on {size} lines, not one of {game_text(game)}")
    start = record
    while start.last_action is not None:
        start = start.undo()
    here = Position.parse(game, start.text())
    for name in record.history_names[:plies]:
        if here.is_terminal:  # these rules end the game earlier
            break
        try:
            here = here.play(name)
        except IllegalAction:
            raise InputError(f"{name} is not legal by {game_text(game)}") from None
    yield PlayedGame(here, _result_of(_parse(data)))


def _result_of(record: Any) -> tuple[float, ...] | None:
    winner = record.get_winner()
    if winner is not None:
        return (1.0, -1.0) if winner == "b" else (-1.0, 1.0)
    root = record.get_root()
    said = root.get("RE").strip().lower() if root.has_property("RE") else ""
    return (0.0, 0.0) if said in ("0", "draw", "jigo") else None


def result_text(score: float) -> str:
    """``B+3.5``, ``W+2``, or ``0`` for a tie."""
    if score == 0:
        return "0"
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}"


# ------------------------------------------------------------------ reading


def _parse(source: str | Path | bytes) -> Any:
    data = source if isinstance(source, bytes) else read_file(source)
    try:
        return sgf.Sgf_game.from_bytes(data)
    except (ValueError, LookupError) as error:
        raise InputError(f"not an SGF record: {_one_line(error)}") from None


def _komi(root: Any) -> float:
    if not root.has_property("KM"):
        return 0.0 if root.has_property("HA") else 7.5
    try:
        return float(root.get("KM"))
    except ValueError:
        raise ValueError(f"komi {_shown(root, 'KM')} is not a number") from None


def _main_line(record: Any) -> tuple[list[tuple[str, Any]], str, str]:
    """The moves as (colour, point or None), the position text of the set-up ("" if none), and who
    is to move after the last one, where a PL says so ("" if not)."""
    root, size = record.get_root(), record.get_size()
    if root.has_property("GM") and root.get_raw("GM").strip() != GO:
        raise ValueError(f"it is of another game: GM is {_shown(root, 'GM')}, of Go it is 1")
    if not 1 < size <= LARGEST:
        raise ValueError(f"boards have 2 to {LARGEST} lines, not {size}")
    moves: list[tuple[str, Any]] = []
    grid: Grid = [["."] * size for _ in range(size)]
    first_mover = turn = ""
    for node in record.get_main_sequence():
        if node.has_setup_stones():
            if moves:
                raise ValueError("set-up stones after the first move are not supported")
            set_up = node.get_setup_stones()
            if sum(map(len, set_up)) > len(set().union(*set_up)):
                raise ValueError("a point is set up twice in one node")
            for cell, points in zip("XO.", set_up, strict=True):
                for row, column in points:
                    grid[row][column] = cell
        if node.has_property("PL"):
            turn = node.get("PL")
            first_mover = first_mover if moves else turn
        try:
            colour, point = node.get_move()
        except ValueError:
            raise ValueError(f"move {len(moves) + 1} cannot be read") from None
        if colour is not None:
            moves.append((colour, point))
            turn = ""  # moves say themselves whose they are
    stones = any(cell != "." for row in grid for cell in row)
    if not first_mover and moves:
        first_mover = moves[0][0]
    if not first_mover:  # a handicap without moves: White begins
        black_only = stones and not any(cell == "O" for row in grid for cell in row)
        first_mover = "w" if black_only else "b"
    if not stones and first_mover == "b":
        return moves, "", turn
    rows = "/".join("".join(row) for row in reversed(grid))
    return moves, f"{rows} {COLOURS[first_mover]} -", turn


def _write_set_up(root: Any, grid: Grid, player: int) -> None:
    cells = [(cell, (r, c)) for r, row in enumerate(grid) for c, cell in enumerate(row)]
    black = [point for cell, point in cells if cell == "X"]
    white = [point for cell, point in cells if cell == "O"]
    if black or white:
        root.set_setup_stones(black, white)
    if len(black) > 1 and not white and player == 1:
        root.set("HA", len(black))
    if player == 1 or black or white:
        root.set("PL", "bw"[player])


def _shown(root: Any, name: str) -> str:
    return repr(root.get_raw(name).decode("latin-1"))


def _one_line(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error)).strip() or type(error).__name__
