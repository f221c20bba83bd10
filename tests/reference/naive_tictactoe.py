"""Tic-tac-toe once more, as naively as possible: nine letters and eight lines."""

from __future__ import annotations

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(cells: str) -> str:
    """x, o, or nothing."""
    for a, b, c in LINES:
        if cells[a] != "." and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return ""


class NaiveTicTacToe:
    """A plain Python game; the state is a text of nine cells."""

    players = 2

    def start(self):
        return "........."

    def current_player(self, cells):
        return (9 - cells.count(".")) % 2

    def legal_actions(self, cells):
        return [i for i, cell in enumerate(cells) if cell == "."]

    def apply_action(self, cells, a):
        return cells[:a] + "xo"[self.current_player(cells)] + cells[a + 1 :]

    def is_terminal(self, cells):
        return "." not in cells or winner(cells) != ""

    def returns(self, cells):
        return {"x": (1, -1), "o": (-1, 1), "": (0, 0)}[winner(cells)]


def images(rows: str) -> set[str]:
    """The eight images of a board ``xo./.x./...`` under rotation and reflection."""
    grid = [list(row) for row in rows.split("/")]
    found = set()
    for _ in range(4):
        grid = [list(row) for row in zip(*grid[::-1], strict=True)]
        for shown in (grid, [row[::-1] for row in grid]):
            found.add("/".join("".join(row) for row in shown))
    return found
