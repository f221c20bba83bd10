"""Hex: players put stones on a rhombus of hexagons; whoever joins his two sides wins.

Player 0 (Black, ``x``) moves first and joins the top row with the bottom row; player 1 (White,
``o``) joins the left column with the right column. There are no draws (Nash 1952).

Cells are called a1 (top left) to k11: column letter, then row number from the top. The number of
an action is ``row * size + column``. The six neighbours of (row, column):

        (-1, 0) (-1, +1)
     (0, -1)   .   (0, +1)
        (+1, -1) (+1, 0)

With ``swap=True`` the second player may answer the first stone with ``swap`` (action
size * size): the stone is mirrored in the long diagonal (c1 becomes a3) and turns White, so that
he owns the same opening, seen from his own sides; then Black moves.

A position is written row by row from the top, then who moves: ``.../.x./... o``.

Every stone knows which of its owner's two sides its group touches. A new stone takes over what
its neighbours know; only if that is news to some of them, a flood fill tells it on. Each stone
hears at most twice in a game, so that a move costs a few nanoseconds, and the record depends on
the stones alone, not on the order in which they came.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, STONES, Place, column_letters, picture
from ponder.core.game import Spec, Term, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError
from ponder.games.hex_rollout import random_winner
from ponder.jit import kernel

LARGEST = 19
LETTERS = column_letters(LARGEST)
SYMBOLS = "xo"

# What a cell of the record holds: whose stone it is, the sides its group touches, and whether it
# is not a cell but part of the frame around the board.
BLACK, WHITE, FIRST_SIDE, SECOND_SIDE, FRAME = 1, 2, 4, 8, 16
BOTH_SIDES = FIRST_SIDE | SECOND_SIDE
REACHED, IN_LAYER = 32, 64  # only while `missing_stones` runs


@registered
class Hex(NamedTuple):
    """Hex on size x size cells; `swap`: the second player may take over the first stone."""

    size: int = 11
    swap: bool = False

    def problem(self) -> str | None:
        if not 1 <= self.size <= LARGEST:
            return f"hex needs a size of 1 to {LARGEST}, not {self.size}"
        return None

    def rules(self) -> HexRules:
        return HexRules(self.size, self.swap, places(self.size))

    def spec(self) -> Spec:
        cells = self.size * self.size
        return Spec(
            players=2,
            max_actions=cells,
            max_length=cells + self.swap,
            distinct_actions=cells + self.swap,
            state=record(cells=("i1", ((self.size + 2) ** 2,)), ply="i2", player="i1", winner="i1"),
            board=Geometry(self.size, self.size, codes=3, kind="hex"),
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        if a == self.size * self.size:
            return "swap"
        return LETTERS[a % self.size] + str(a // self.size + 1)

    def rows(self, s: Any) -> list[str]:
        """The stones, row by row from the top."""
        cells = s.cells.reshape(self.size + 2, self.size + 2)[1:-1, 1:-1]
        return ["".join("." if v == 0 else SYMBOLS[int(v) >> 1 & 1] for v in row) for row in cells]

    def position_text(self, s: Any) -> str:
        return "/".join(self.rows(s)) + " " + SYMBOLS[s.player]

    def parse_position(self, text: str, s: Any) -> None:
        rows, mover = _split(text)
        if len(rows) != self.size or any(len(row) != self.size for row in rows):
            raise InputError(
                f"a position has {self.size} rows of {self.size} cells, joined by '/', the top row "
                "first, then a blank and who moves (x or o); cells are . x o"
            )
        cells = "".join(rows)
        wrong = set(cells) - set("." + SYMBOLS)
        if wrong:
            raise InputError(f"unknown cell {min(wrong)!r}; accepted: . x o")
        counts = [cells.count(symbol) for symbol in SYMBOLS]
        ahead = counts[0] - counts[1]
        if mover is None:
            mover = ahead
        swapped = ahead == mover - 1  # White got a stone without having put one
        if not (ahead == mover and mover in (0, 1)) and not (self.swap and swapped and counts[1]):
            who = f" with {SYMBOLS[mover]} to move" if mover in (0, 1) else ""
            raise InputError(
                f"{counts[0]} x and {counts[1]} o are impossible{who}: x begins and they take turns"
            )
        rules = self.rules()
        for player in (0, 1):
            for a, symbol in enumerate(cells):
                if symbol == SYMBOLS[player]:
                    rules.place(s, player, a)
        if s.winner == mover:
            raise InputError(
                "the game was over before the last stone: only its player can have won"
            )
        s.ply, s.player = sum(counts) + swapped, mover

    def board_text(self, s: Any) -> str:
        letters = LETTERS[: self.size]
        lines = ["  " + " ".join(letters)]
        for r, row in enumerate(self.rows(s)):
            lines.append(" " * r + str(r + 1).rjust(2) + " " + " ".join(row) + f"  {r + 1}")
        lines.append(" " * (self.size + 3) + " ".join(letters))
        moves = "" if s.winner >= 0 else f"   {SYMBOLS[s.player]} moves"
        lines.append("x joins top and bottom, o left and right" + moves)
        return "\n".join(lines)

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        return _drawing(self.size, self.rows(s), last, legal)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        if a >= self.size**2:  # the swap
            return ()
        return ((*_centre(a // self.size, a % self.size), 14.0),)


class HexRules(NamedTuple):
    """The rules; `place_of[a]` is the place of action a in the framed board of the record."""

    size: int
    swap: bool
    place_of: Any

    def start(self, s):
        s.winner = -1
        wide = self.size + 2
        for i in range(1, self.size + 1):
            s.cells[i] = FRAME | BLACK | FIRST_SIDE
            s.cells[(wide - 1) * wide + i] = FRAME | BLACK | SECOND_SIDE
            s.cells[i * wide] = FRAME | WHITE | FIRST_SIDE
            s.cells[i * wide + wide - 1] = FRAME | WHITE | SECOND_SIDE

    def current_player(self, s):
        return s.player

    def may_swap(self, s):
        return self.swap and s.ply == 1

    def legal_actions(self, s, out):
        n = 0
        cells = self.size * self.size
        for a in range(cells):
            if s.cells[self.place_of[a]] == 0:
                out[n] = a
                n += 1
        if self.may_swap(s):
            out[n] = cells
            n += 1
        return n

    def random_action(self, s, out, rng):
        cells = self.size * self.size
        while True:  # uniform: every cell is equally likely until one is free
            a = below(rng, cells)
            if s.cells[self.place_of[a]] == 0:
                return a
            if self.may_swap(s):  # as many choices as cells: the taken one stands for the swap
                return np.int64(cells)

    def random_rollout(self, s, out, rng):
        if self.may_swap(s):
            self.apply_action(s, self.random_action(s, out, rng))
        if not (self.swap and s.ply == 0):  # the swap may still come
            player, ply = np.int64(s.player), np.int64(s.ply)
            s.winner = random_winner(s.cells, self.place_of, self.size, player, ply, rng, out)
        while s.winner < 0:
            self.apply_action(s, self.random_action(s, out, rng))

    def apply_action(self, s, a):
        if a == self.size * self.size:
            self.take_over(s)
        else:
            self.place(s, s.player, a)
        s.player = 1 - s.player
        s.ply += 1

    def take_over(self, s):
        """The swap: the only stone is mirrored in the long diagonal and becomes White's."""
        for a in range(self.size * self.size):
            if s.cells[self.place_of[a]] != 0:
                s.cells[self.place_of[a]] = 0
                mirrored = (a % self.size) * self.size + a // self.size
                self.place(s, 1, mirrored)
                return

    def place(self, s, player, a):
        """Put a stone, join it with its neighbours and see whether it wins."""
        at = np.int64(self.place_of[a])
        wide = self.size + 2
        own = BLACK << player
        around = known(s.cells[at - wide], player) | known(s.cells[at - wide + 1], player)
        around |= known(s.cells[at - 1], player) | known(s.cells[at + 1], player)
        around |= known(s.cells[at + wide - 1], player) | known(s.cells[at + wide], player)
        sides = around & BOTH_SIDES
        s.cells[at] = own | sides
        if sides & (around >> 8):
            tell(s.cells, at, wide, own, sides)
        if sides == BOTH_SIDES:
            s.winner = player

    def is_terminal(self, s):
        return s.winner >= 0

    def returns(self, s, out):
        share_out(s.winner, 2, out)

    # ------------------------------------------------------------ hooks

    def evaluate(self, s, out):
        """Who needs fewer stones to join his sides? (White's missing - Black's missing, squashed.)

        Missing: empty cells on the shortest path between the sides, half a stone less for the
        player to move. v = d / (1 + |d|).
        """
        if s.winner >= 0:
            share_out(s.winner, 2, out)
            return
        d = 0.5 if s.player == 0 else -0.5
        d += missing_stones(s.cells, self.size, WHITE)
        d -= missing_stones(s.cells, self.size, BLACK)
        v = d / (1.0 + abs(d))
        out[0] = v
        out[1] = -v

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        ahead = int(missing_stones(s.cells, self.size, WHITE))
        ahead -= int(missing_stones(s.cells, self.size, BLACK))
        return [
            Term("lead in missing stones", ahead if player == 0 else -ahead, 1.0),
            Term("the move", 1 if player == s.player else -1, 0.5),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        return score / (1.0 + abs(score))

    def order(self, s, a):
        """Nearer to the centre first; the swap last."""
        if a == self.size * self.size:
            return -2 * self.size
        row, column = a // self.size, a % self.size
        return -abs(2 * row + 1 - self.size) - abs(2 * column + 1 - self.size)

    # Both players see their own sides above and below: for the second rows and columns are swapped.

    def cells(self, s, player, out):
        """0 empty, 1 own, 2 the other's."""
        for a in range(self.size * self.size):
            stone = s.cells[self.place_of[a]] & (BLACK | WHITE)
            own = WHITE if player else BLACK
            code = 0
            if stone != 0:
                code = 1 if stone == own else 2
            out[self.seen_action(a, player)] = code

    def seen_action(self, a, player):
        if player == 0 or a == self.size * self.size:
            return a
        return a % self.size * self.size + a // self.size

    def symmetries(self):
        return 2

    def transform(self, s, k, t):
        """Symmetry 1: half a turn. The sides of each player change places."""
        last = (self.size + 2) * (self.size + 2) - 1
        for i in range(last + 1):
            v = s.cells[i]
            if k == 1 and v & BOTH_SIDES in (FIRST_SIDE, SECOND_SIDE):
                v ^= BOTH_SIDES
            t.cells[last - i if k == 1 else i] = v
        t.ply = s.ply
        t.player = s.player
        t.winner = s.winner

    def transform_action(self, a, k):
        if k == 0 or a == self.size * self.size:
            return a
        return self.size * self.size - 1 - a


@kernel
def known(v, player):
    """If the cell is the player's: the sides it knows of, and 8 bits further up those it does not.

    No branches: whose a neighbour is cannot be guessed.
    """
    v = np.int64(v)  # the cell itself is too short for the upper bits
    return ((v & BOTH_SIDES) | (~v & BOTH_SIDES) << 8) * ((v >> player) & 1)


@kernel
def tell(cells, at, wide, own, sides):
    """Tell the group of the stone at `at` (which knows) the sides it touches."""
    for step in (-wide, 1 - wide, -1, 1, wide - 1, wide):
        v = cells[at + step]
        if v & own and not v & FRAME and v & BOTH_SIDES != sides:
            cells[at + step] = own | sides
            tell(cells, at + step, wide, own, sides)


@kernel
def missing_stones(cells, size, own):
    """How many empty cells the cheapest path between own's sides has; the game must not be over.

    Breadth first: layer after layer of empty cells, each with the own stones it leads to. The
    marks stand in spare bits of the cells and are taken away again.
    """
    wide = size + 2
    layers = 0
    arrived = False
    while not arrived:
        layers += 1
        for i in range(wide + 1, wide * (wide - 1) - 1):
            if cells[i] == 0 and beside(cells, i, wide, own, REACHED | FIRST_SIDE):
                cells[i] = IN_LAYER
                arrived = arrived or beside(cells, i, wide, own, SECOND_SIDE)
        for i in range(wide + 1, wide * (wide - 1) - 1):
            if cells[i] == IN_LAYER:
                cells[i] = REACHED
                reach_stones(cells, i, wide, own)
    for i in range(wide + 1, wide * (wide - 1) - 1):
        cells[i] &= ~REACHED
    return layers


@kernel
def beside(cells, at, wide, own, marks):
    """Has a neighbour one of these marks: own's stone or frame, or an empty cell reached?"""
    for step in (-wide, 1 - wide, -1, 1, wide - 1, wide):
        v = cells[at + step]
        if v & marks and (v & own or v == REACHED):
            return True
    return False


@kernel
def reach_stones(cells, at, wide, own):
    """Mark the own stones connected with the cell at `at`."""
    for step in (-wide, 1 - wide, -1, 1, wide - 1, wide):
        v = cells[at + step]
        if v & own and not v & (FRAME | REACHED):
            cells[at + step] = v | REACHED
            reach_stones(cells, at + step, wide, own)


@lru_cache(maxsize=LARGEST)
def places(size: int) -> Any:
    """For each action its place in the board with a frame one cell wide."""
    wide = size + 2
    found = np.array([(r + 1) * wide + c + 1 for r in range(size) for c in range(size)], np.int16)
    found.flags.writeable = False
    return found


def _split(text: str) -> tuple[list[str], int | None]:
    """The rows, and the player to move if the text says so."""
    parts = text.split()
    if len(parts) == 2 and parts[1] in SYMBOLS:
        return parts[0].split("/"), SYMBOLS.index(parts[1])
    if len(parts) == 1:
        return parts[0].split("/"), None
    raise InputError("a position is its rows joined by '/', then a blank and who moves (x or o)")


RADIUS, MARGIN = 20.0, 46.0
ACROSS, DOWN = RADIUS * 3**0.5, RADIUS * 1.5
"""Of hexagons as drawn, and room around them."""


def _centre(row: float, column: float) -> tuple[float, float]:
    return MARGIN + (column + row / 2) * ACROSS, MARGIN + row * DOWN


def _drawing(size: int, rows: list[str], last: Any, legal: Any) -> str:
    """Hexagons standing on a point; each player's sides have his colour."""
    corners = [(0, -RADIUS), (ACROSS / 2, -RADIUS / 2), (ACROSS / 2, RADIUS / 2),
               (0, RADIUS), (-ACROSS / 2, RADIUS / 2), (-ACROSS / 2, -RADIUS / 2)]  # fmt: skip
    parts = []

    def line(row: int, column: int, first: int, colour: str) -> None:
        """Two sides of a cell's hexagon, three corners from `first` on, in a player's colour."""
        x, y = _centre(row, column)
        points = " ".join(
            f"{x + corners[i % 6][0]:.1f},{y + corners[i % 6][1]:.1f}"
            for i in range(first, first + 3)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="5"/>'
        )

    def label(x: float, y: float, text: str) -> None:
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" font-family="sans-serif" fill="{INK}" '
            f'text-anchor="middle" dy="0.35em">{text}</text>'
        )

    def disc(a: int, r: float, style: str) -> None:
        x, y = _centre(a // size, a % size)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" {style}/>')

    for r in range(size):
        for c in range(size):
            x, y = _centre(r, c)
            points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
            parts.append(f'<polygon points="{points}" fill="{PAPER}" stroke="{LINE}"/>')
    for i, letter in enumerate(LETTERS[:size]):
        line(0, i, 5, STONES[0])
        line(size - 1, i, 2, STONES[0])
        line(i, 0, 3, STONES[1])
        line(i, size - 1, 0, STONES[1])
        label(*_centre(-1, i + 0.2), letter)
        label(_centre(i, -1)[0] + 4, _centre(i, -1)[1], str(i + 1))
    for a, cell in enumerate("".join(rows)):
        if cell != ".":
            disc(a, 14, f'fill="{STONES[cell == "o"]}" stroke="{INK}"')
    if last is not None:
        shown = last if last < size * size else "".join(rows).find("o")
        disc(shown, 17, f'fill="none" stroke="{LAST}" stroke-width="3"')
    for a in legal:
        if a < size * size:
            disc(a, 3, f'fill="{LEGAL}"')
    width, height = _centre(size - 1, size - 1)
    return picture(round(width + MARGIN), round(height + MARGIN), parts)
