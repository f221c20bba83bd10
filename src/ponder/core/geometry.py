"""How the cells of a board lie: what a network makes its patterns of.

A game that says how it looks has the hook `cells` and, in its `Spec`, a `Geometry`:

    board=Geometry(rows=6, columns=7, codes=4)

Cell (row, column) is number row * columns + column; `extra` cells that lie nowhere (dice, stones
beside the board, whose third move it is) come after them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.jit import kernel

KINDS = ("grid", "hex", "loose")
MOST_CODES = 64
MOST_CELLS = 4096


class Geometry(NamedTuple):
    """rows x columns cells with codes 0 .. codes - 1, and `extra` ones beside the board.

    kind    "grid": neighbours are left, right, above and below, and diagonally;
            "hex": each row lies half a cell further right, so that (row, column) touches
            (row - 1, column + 1) but not (row - 1, column - 1); "loose": nothing touches
    line    how long the lines are that matter (four in a row: 4); 0: nothing is known
    """

    rows: int
    columns: int
    codes: int
    kind: str = "grid"
    extra: int = 0
    line: int = 0

    @property
    def cells(self) -> int:
        return self.rows * self.columns + self.extra


def geometry_problem(board: Any) -> str | None:
    """A sentence if this cannot be the geometry of a board."""
    if board is None:
        return None
    if not isinstance(board, Geometry):
        return f"board is {board!r}, expected ponder.Geometry(rows=..., columns=..., codes=...)"
    whole = (board.rows, board.columns, board.codes, board.extra, board.line)
    if not all(isinstance(n, int | np.integer) and 0 <= n <= MOST_CELLS for n in whole):
        return (
            f"board is {board}: rows, columns, codes, extra and line are whole numbers from 0 to "
            f"{MOST_CELLS}"
        )
    if board.kind not in KINDS:
        return f"the kind of board is {board.kind!r}, accepted: {', '.join(KINDS)}"
    if not 2 <= board.codes <= MOST_CODES:
        return f"board has {board.codes} codes, accepted: 2 to {MOST_CODES}"
    if not 1 <= board.cells <= MOST_CELLS:
        return f"board has {board.cells} cells, accepted: 1 to {MOST_CELLS}"
    return None


@kernel
def square_image(cell: Any, k: Any, rows: Any, columns: Any) -> Any:
    """Where symmetry k takes a cell: mirrored left-right if k & 1, top-bottom if k & 2, rows and
    columns exchanged if k & 4 (square boards only)."""
    row, column = cell // columns, cell % columns
    if k & 1:
        column = columns - 1 - column
    if k & 2:
        row = rows - 1 - row
    if k & 4:
        row, column = column, row
    return row * columns + column
