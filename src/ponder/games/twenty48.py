"""2048: slide the tiles; equal ones that meet become one of twice the value, which is scored.

One player against chance: after every move that changes the board a 2 (90 %) or a 4 (10 %)
appears on a random empty cell; two such tiles lie there at the start. The game ends when no move
changes the board. The score is the sum of all tiles made by merging.

Moves are up, right, down and left; a new tile is written b3=2 (columns a, b ... from the left,
rows 1, 2 ... from the top). A position is its rows from the top, then the score and how many tiles
chance has still to add, each left out where it is 0:
``2 . . 16/. . . ./. 4 . ./. . . . score 48 new 1``.

How far can it go? With n cells no tile exceeds 2^(n + 1): it needs two of half its value, the
second of which must be made on n - 1 cells, and so on down to a single 4 from chance. A tile 2^k
made of twos has scored (k - 1) 2^k, so that a whole game scores at most

    (n - 1) 2^(n + 2) + 4        the sum of (k - 1) 2^k for k = 2 .. n + 1

and the tiles, which grow by 2 or more at each appearance, add up to 2^(n + 2) - 4 at most. From 17
cells on that is out of reach: there a game also ends when the tiles add up to 2^18 or more.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, Place, column_letters, picture
from ponder.core.game import CHANCE, Spec, Term, record
from ponder.core.geometry import square_image
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.errors import InputError, quoted

MOVES = ("up", "right", "down", "left")
TILES = len(MOVES)
"""Actions from here on are new tiles: ``TILES + 2 * cell`` a 2, ``TILES + 2 * cell + 1`` a 4."""
SIDE, MARGIN = 64, 28
"""Of a cell and around the board, in its drawing."""
LONGEST = 1 << 18
"""The tiles of a game on 17 cells or more do not add up to more before it ends."""


@registered
class Twenty48(NamedTuple):
    """2048 on a board of 2 to 6 columns and 2 to 6 rows."""

    columns: int = 4
    rows: int = 4

    def problem(self) -> str | None:
        if not (2 <= self.columns <= 6 and 2 <= self.rows <= 6):
            return (
                f"twenty48 needs 2 to 6 columns and 2 to 6 rows, not {self.columns} and {self.rows}"
            )
        return None

    def spec(self) -> Spec:
        cells = self.columns * self.rows
        most = min(1 << (cells + 2), LONGEST)  # what the tiles can add up to
        return Spec(
            players=1,
            max_actions=max(4, 2 * cells),
            max_length=most,  # at most most / 2 tiles appear, each after at most one move
            # cells: row by row from the top, the exponent of 2, 0 for an empty one; total: the
            # sum of the tiles; new: how many tiles chance has to add now
            state=record(score="i8", total="i8", cells=("i1", cells), empty="i1", new="i1"),
            distinct_actions=TILES + 2 * cells,
            lowest=0.0,
            highest=self.most_points(),
            zero_sum=False,
        )

    def most_points(self):
        """No game scores more: see the top of this file.

        Where the total ends a game, no tile exceeds 2^18 and each point of the total (less than
        2^18 before the last tile) has scored at most 17 times.
        """
        cells = self.columns * self.rows
        if cells < 17:
            return float((cells - 1) * (1 << (cells + 2)) + 4)
        return float(17 * (LONGEST + 2))

    def start(self, s):
        s.empty = self.columns * self.rows
        s.new = 2

    def current_player(self, s):
        return CHANCE if s.new > 0 else 0

    def chance_outcomes(self, s, out, p):
        n = 0
        share = 1.0 / s.empty
        for cell in range(self.columns * self.rows):
            if s.cells[cell] == 0:
                out[n], out[n + 1] = TILES + 2 * cell, TILES + 2 * cell + 1
                p[n], p[n + 1] = 0.9 * share, 0.1 * share
                n += 2
        return n

    def legal_actions(self, s, out):
        n = 0
        for direction in range(4):
            if self.changes(s, direction):
                out[n] = direction
                n += 1
        return n

    def random_action(self, s, out, rng):
        while True:  # uniform: every direction is equally likely until one changes the board
            direction = below(rng, 4)
            if self.changes(s, direction):
                return direction

    def line(self, direction, i):
        """First cell, step and length of the i-th line, seen from where the tiles slide to."""
        if direction == 0:
            return i, self.columns, self.rows
        if direction == 1:
            return i * self.columns + self.columns - 1, -1, self.columns
        if direction == 2:
            return (self.rows - 1) * self.columns + i, -self.columns, self.rows
        return i * self.columns, 1, self.columns

    def lines(self, direction):
        return self.columns if direction % 2 == 0 else self.rows

    def changes(self, s, direction):
        """Does a move in this direction slide or merge any tile?"""
        for i in range(self.lines(direction)):
            cell, step, length = self.line(direction, i)
            front = s.cells[cell]
            for _ in range(1, length):
                cell += step
                here = s.cells[cell]
                if here != 0 and (front == 0 or front == here):
                    return True
                front = here
        return False

    def apply_action(self, s, a):
        if s.new > 0:
            value = (a - TILES) % 2 + 1
            s.cells[(a - TILES) // 2] = value
            s.total += 2 * value
            s.empty -= 1
            s.new -= 1
            return
        direction = np.int64(a)
        for i in range(self.lines(direction)):
            self.slide(s, direction, i)
        s.new = 1

    def slide(self, s, direction, i):
        """Push the tiles of one line together; each merges at most once."""
        cell, step, length = self.line(direction, i)
        target = cell
        waiting = 0  # the last tile met, not yet set down
        for _ in range(length):
            here = np.int64(s.cells[cell])
            s.cells[cell] = 0
            cell += step
            if here == 0:
                continue
            if here == waiting:
                s.cells[target] = here + 1
                s.score += np.int64(2) << here
                s.empty += 1
                target += step
                waiting = 0
                continue
            if waiting:
                s.cells[target] = waiting
                target += step
            waiting = here
        if waiting:
            s.cells[target] = waiting

    def is_terminal(self, s):
        if s.total >= LONGEST:
            return True
        if s.new > 0 or s.empty > 0:
            return False
        # a full board: a move needs two equal neighbours
        return not (self.changes(s, 0) or self.changes(s, 3))

    def returns(self, s, out):
        out[0] = float(s.score)

    def evaluate(self, s, out):
        """The score so far, and as a guess of what follows up to six times the tiles on the board.

        Three things make it more, each a share between 0 and 1: empty cells, lines that rise or
        fall in one direction (monotonicity), and neighbours of like value (smoothness).
        """
        out[0] = float(s.score)
        if not self.is_terminal(s):
            empty = float(s.empty) / (self.columns * self.rows)
            quality = 0.4 * empty + 0.4 * self.monotonicity(s) + 0.2 * self.smoothness(s)
            out[0] = min(out[0] + 6.0 * float(s.total) * quality, self.most_points())

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        total, cells = float(s.total), self.columns * self.rows
        return [
            Term("score", float(s.score), 1.0),
            Term("tiles, by empty cells", total * float(s.empty) / cells, 6.0 * 0.4),
            Term("tiles, by lines in order", total * float(self.monotonicity(s)), 6.0 * 0.4),
            Term("tiles, by like neighbours", total * float(self.smoothness(s)), 6.0 * 0.2),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        return float(min(score, self.most_points()))

    def monotonicity(self, s):
        """1 if all lines of each direction rise the same way or all fall; 0.5 at the worst."""
        with_order, in_all = 0, 0
        for direction in range(2):
            up, down = 0, 0
            for i in range(self.lines(direction)):
                cell, step, length = self.line(direction, i)
                for _ in range(1, length):
                    rise = np.int64(s.cells[cell + step]) - s.cells[cell]
                    up += max(rise, 0)
                    down += max(-rise, 0)
                    cell += step
            with_order += max(up, down)
            in_all += up + down
        return with_order / in_all if in_all > 0 else 1.0

    def smoothness(self, s):
        """1 where all neighbouring tiles are equal, less the more their exponents differ."""
        rough, pairs = 0, 0
        for direction in range(2):
            for i in range(self.lines(direction)):
                cell, step, length = self.line(direction, i)
                for _ in range(1, length):
                    here, there = np.int64(s.cells[cell]), np.int64(s.cells[cell + step])
                    if here > 0 and there > 0:
                        rough += abs(here - there)
                        pairs += 1
                    cell += step
        return 1.0 / (1.0 + rough / pairs) if pairs > 0 else 1.0

    # Symmetry k: mirror left-right if k & 1, top-bottom if k & 2, then swap rows and columns
    # if k & 4 (square boards only).

    def symmetries(self):
        return 8 if self.columns == self.rows else 4

    def transform(self, s, k, t):
        t.score, t.total, t.empty, t.new = s.score, s.total, s.empty, s.new
        for cell in range(self.columns * self.rows):
            t.cells[self.image(cell, k)] = s.cells[cell]

    def transform_action(self, a, k):
        if a >= TILES:
            return TILES + 2 * self.image((a - TILES) // 2, k) + (a - TILES) % 2
        mirrored = (k & 2) if a % 2 == 0 else (k & 1)
        direction = (a + 2) % 4 if mirrored else a
        return 3 - direction if k & 4 else direction  # up and left change places, right and down

    def image(self, cell, k):
        return square_image(cell, k, self.rows, self.columns)

    # ------------------------------------------------------------ for people

    def cell_name(self, cell: int) -> str:
        return column_letters(self.columns)[cell % self.columns] + str(cell // self.columns + 1)

    def action_name(self, s: Any, a: int) -> str:
        if a < TILES:
            return MOVES[a]
        cell, four = divmod(a - TILES, 2)
        return f"{self.cell_name(cell)}={4 if four else 2}"

    def parse_action(self, s: Any, text: str) -> int | None:
        initials = [move[0] for move in MOVES]
        word = text.strip().lower()
        return initials.index(word) if not s.new and word in initials else None

    def tiles(self, s: Any) -> list[list[str]]:
        """The rows from the top, "." for an empty cell."""
        shown = [str(1 << int(e)) if e else "." for e in s.cells]
        return [shown[r * self.columns : (r + 1) * self.columns] for r in range(self.rows)]

    def board_text(self, s: Any) -> str:
        rows = self.tiles(s)
        width = max(4, *(len(tile) + 1 for row in rows for tile in row))
        lines = ["".join(tile.rjust(width) for tile in row) for row in rows]
        return "\n".join([*lines, f"score {s.score}"])

    def position_text(self, s: Any) -> str:
        board = "/".join(" ".join(row) for row in self.tiles(s))
        return board + (f" score {s.score}" if s.score else "") + (f" new {s.new}" if s.new else "")

    def parse_position(self, text: str, s: Any) -> None:
        found = re.fullmatch(
            r"([\d. /]+?)(?: score (\d{1,15}))?(?: new ([0-2]))?", text.strip(), re.ASCII
        )
        rows = [row.split() for row in found[1].split("/")] if found else []
        if not found or [len(row) for row in rows] != [self.columns] * self.rows:
            example = "/".join([" ".join(["2"] + ["."] * (self.columns - 1))] * self.rows)
            raise InputError(
                f"a position has {self.rows} rows of {self.columns} cells (a tile or .), joined by "
                f"'/', then the score and the number of tiles to come: {example} score 16 new 1"
            )
        exponents = [self._exponent(tile) for row in rows for tile in row]
        tiles = [e for e in exponents if e]
        score, new = int(found[2] or 0), int(found[3] or 0)
        if (new == 2 and tiles) or len(tiles) < 2 - new:
            raise InputError(
                f"{len(tiles)} tiles and {new} to come are impossible: "
                "before a move lie two or more, after it one or more; new 2 is the empty board"
            )
        if new > exponents.count(0):
            raise InputError("the board is full: no tile can come (new 0)")
        most = sum((e - 1) << e for e in tiles)
        if score > most or score % 4:
            raise InputError(
                f"score {score} is impossible: a multiple of 4, and {most} at most with these tiles"
            )
        total, limit = sum(1 << e for e in tiles), min(4 << len(exponents), LONGEST + 6) - 4
        if total > limit:
            raise InputError(f"the tiles add up to {total}; in a game they never exceed {limit}")
        s.cells[...] = exponents
        s.score, s.total, s.empty, s.new = score, total, exponents.count(0), new

    def _exponent(self, tile: str) -> int:
        """Of 2, for a tile in text; 0 for an empty cell."""
        if tile == ".":
            return 0
        value = int(tile) if tile.isdigit() and len(tile) < 12 else 0
        largest = min(self.columns * self.rows + 1, 18)
        if value < 2 or value & (value - 1) or value > 1 << largest:
            raise InputError(
                f"{quoted(tile)} is not a tile: 2, 4, 8 ... up to {1 << largest}, or . for none"
            )
        return value.bit_length() - 1

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        """Coloured tiles; a ring marks the newest one, arrows the moves that change the board."""
        side, margin = SIDE, MARGIN
        parts = []
        for cell, e in enumerate(int(e) for e in s.cells):
            x, y = margin + side * (cell % self.columns), margin + side * (cell // self.columns)
            newest = last is not None and last >= TILES and (last - TILES) // 2 == cell
            edge = f'stroke="{LAST}" stroke-width="3"' if newest else f'stroke="{LINE}"'
            parts.append(
                f'<rect x="{x + 3}" y="{y + 3}" width="{side - 6}" height="{side - 6}" rx="6" '
                f'fill="{tile_colour(e)}" {edge}/>'
            )
            if e:
                size = 26 if e < 7 else 22 if e < 10 else 17 if e < 14 else 13
                parts.append(_centred(x + side / 2, y + side / 2, str(1 << e), size, e > 2))
        width, height = side * self.columns + 2 * margin, side * self.rows + 2 * margin
        if not s.new:
            for direction in legal:
                x_arrow, y_arrow, _ = self.action_places(s, direction)[0]
                parts.append(_centred(x_arrow, y_arrow, "↑→↓←"[direction], 20, False, LEGAL))
        parts.append(_centred(width / 2, height + 4, f"score {s.score}", 14, False))
        return picture(width, height + 20, parts)

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        """A direction is at the middle of its side; new tiles are nowhere."""
        if s.new:
            return ()
        width, height = SIDE * self.columns + 2 * MARGIN, SIDE * self.rows + 2 * MARGIN
        middle = (
            (width / 2, 14.0),
            (width - 14.0, height / 2),
            (width / 2, height - 14.0),
            (14.0, height / 2),
        )
        return ((*middle[a], 13.0),)


def tile_colour(exponent: int) -> str:
    """From pale yellow over orange to deep red, then violet; the paper for an empty cell."""
    if exponent == 0:
        return PAPER
    hue = max(50 - 5 * (exponent - 1), -60) % 360
    return f"hsl({hue},{min(60 + 3 * exponent, 90)}%,{max(84 - 4 * exponent, 34)}%)"


def _centred(x: float, y: float, text: str, size: int, light: bool, colour: str = INK) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="sans-serif" '
        f'fill="{"#ffffff" if light else colour}" text-anchor="middle" '
        f'dy="0.35em">{text}</text>'
    )
