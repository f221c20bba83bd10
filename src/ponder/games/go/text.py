"""Go positions as text: ``.../.X./..O X -``.

Three fields: the rows from the top, with X for Black, O for White and "." for empty; the player
to move, X or O; and "-", or the point where the ko rule forbids to play, or "pass" after one pass,
or "over". The last two fields may be left out: Black is to move then.
"""

from __future__ import annotations

from typing import Any

from ponder.errors import InputError, quoted
from ponder.games.go.board import BLACK, BORDER, EMPTY, in_atari

LARGEST = 19
LETTERS = "ABCDEFGHJKLMNOPQRST"
CELLS = ".XO"

Grid = list[list[str]]
"""Cells "." "X" "O"; row 0 is the lowest."""


def point_name(row: int, column: int) -> str:
    """A1 is the bottom left; there is no column I."""
    return f"{LETTERS[column]}{row + 1}"


def stones_of(rules: Any, s: Any) -> Grid:
    return [
        [CELLS[int(s.colour[rules.point(r * rules.columns + c)])] for c in range(rules.columns)]
        for r in range(rules.rows)
    ]


def text_of(rules: Any, s: Any) -> str:
    board = "/".join("".join(row) for row in reversed(stones_of(rules, s)))
    if rules.is_terminal(s):
        status = "over"
    elif s.passes:
        status = "pass"
    elif s.ko:
        status = point_name(*divmod(rules.action(int(s.ko)), rules.columns))
    else:
        status = "-"
    return f"{board} {CELLS[1 + int(s.player)]} {status}"


def parse_text(rules: Any, text: str, s: Any) -> None:
    """Fill the started record `s`. Boards before this one are not known: only it counts as seen."""
    fields = text.split()
    if not 1 <= len(fields) <= 3:
        raise InputError(
            "a position is written as ROWS PLAYER STATUS: rows from the top joined by '/', "
            "X or O, and '-', a ko point, 'pass' or 'over'"
        )
    board, player, status = fields + ["X", "-"][len(fields) - 1 :]
    grid = parse_rows(rules, board)
    if player not in ("X", "O"):
        raise InputError(f"the player to move is X or O, not {quoted(player)}")
    lifeless = string_without_liberties(grid)
    if lifeless:
        raise InputError(f"the string at {point_name(*lifeless)} has no liberties")
    set_up(rules, s, grid)
    s.player = "XO".index(player)
    if status in ("pass", "over"):
        s.passes = 1 if status == "pass" else 2
    elif status != "-":
        s.ko = parse_ko(rules, s, grid, status)


def parse_rows(rules: Any, board: str) -> Grid:
    rows = board.split("/")
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        raise InputError(
            f"a position has {rules.rows} rows of {rules.columns} points, joined by '/', "
            "the top row first; points are . X O"
        )
    wrong = set(board) - set("/" + CELLS)
    if wrong:
        raise InputError(f"unknown point {min(wrong)!r}; accepted: . X O")
    return [list(row) for row in reversed(rows)]


def parse_ko(rules: Any, s: Any, grid: Grid, name: str) -> int:
    """The ko point: the player to move would take exactly one stone there, and be retaken."""
    names = {point_name(r, c): (r, c) for r in range(rules.rows) for c in range(rules.columns)}
    if name.upper() not in names:
        raise InputError(
            f"unknown status {quoted(name)}; accepted: '-', a ko point, 'pass' or 'over'"
        )
    r, c = names[name.upper()]
    p = rules.point(r * rules.columns + c)
    around = (p - rules.stride, p - 1, p + 1, p + rules.stride)
    enemy = BORDER - (BLACK + int(s.player))
    taken = {
        int(s.head[q]) for q in around if s.colour[q] == enemy and in_atari(int(s.libs[s.head[q]]))
    }
    fits = (
        s.colour[p] == EMPTY
        and all(s.colour[q] in (enemy, BORDER) for q in around)
        and [int(s.stones[h]) for h in taken] == [1]
    )
    if not fits:
        raise InputError(f"there is no ko at {name.upper()}: it would retake exactly one stone")
    return int(p)


def set_up(rules: Any, s: Any, grid: Grid) -> None:
    """Put the stones of `grid` on the empty board s; every string must have a liberty."""
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            s.first[rules.point(r * rules.columns + c)] = CELLS.index(cell)
    rules.lay_out(s)


def neighbours(grid: Grid, row: int, column: int) -> list[tuple[int, int]]:
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [(r, c) for r, c in around if 0 <= r < len(grid) and 0 <= c < len(grid[0])]


def region(grid: Grid, row: int, column: int) -> tuple[set[tuple[int, int]], set[str]]:
    """The points joined to this one with the same content, and what else they touch."""
    inside, border, todo = {(row, column)}, set(), [(row, column)]
    while todo:
        here = todo.pop()
        for r, c in neighbours(grid, *here):
            if grid[r][c] != grid[row][column]:
                border.add(grid[r][c])
            elif (r, c) not in inside:
                inside.add((r, c))
                todo.append((r, c))
    return inside, border


def string_without_liberties(grid: Grid) -> tuple[int, int] | None:
    """A point of a string that touches no empty point, if there is one."""
    known: set[tuple[int, int]] = set()
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            if cell != "." and (r, c) not in known:
                stones, border = region(grid, r, c)
                known |= stones
                if "." not in border:
                    return r, c
    return None


def area_owners(grid: Grid) -> Grid:
    """Each point's owner: its stone, or the only colour that its empty region touches."""
    owners = [list(row) for row in grid]
    known: set[tuple[int, int]] = set()
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            if cell == "." and (r, c) not in known:
                points, border = region(grid, r, c)
                known |= points
                if len(border) == 1:
                    (colour,) = border
                    for y, x in points:
                        owners[y][x] = colour
    return owners
