"""Othello (Reversi): enclose the opponent's discs to turn them; most discs at the end wins.

Boards of 4 to 8 columns and rows, both even, with the usual diagonal start: o on the two central
cells of the diagonal that begins top left, x on the other two. x is player 0 and begins. Who
cannot turn a disc must pass; the game is over when neither can.

Actions are cells, ``row * columns + column`` from the top left, called a1 (top left) to h8; one
more, ``columns * rows``, is the pass. A position is its rows from the top and who is to move:
``....../....../..ox../..xo../....../...... x``.

The rules work on bitboards: cell = bit. All discs enclosed in one direction are found at once by
shifting the board (a Kogge-Stone fill): with `through` the opponent's discs, the run of discs
behind a seed grows by 1, 1, 2 and 2 cells, six in all, the most that fit between two discs of a
line of eight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import STONES, Board, Place, column_letters, grid_text, square_place
from ponder.core.game import Spec, Term, record
from ponder.core.geometry import Geometry, square_image
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError
from ponder.jit import U, kernel, lowest_bit, popcount

FEW_EMPTY = 5
"""Empty cells: see `BitRules.order`."""


@registered
class Othello(NamedTuple):
    """Othello on 8 x 8 cells unless told otherwise. x is player 0 and begins.

    `scores`: a game is worth the difference of the discs instead of 1, 0 or -1; cells left empty
    count for the winner, as in tournaments.
    """

    columns: int = 8
    rows: int = 8
    scores: bool = False

    def problem(self) -> str | None:
        if any(n % 2 or not 4 <= n <= 8 for n in (self.columns, self.rows)):
            return (
                f"othello needs 4, 6 or 8 columns and rows, not {self.columns} columns "
                f"and {self.rows} rows"
            )
        return None

    def rules(self) -> DiscRules:
        board = inner = 0
        for cell in range(self.columns * self.rows):
            board |= 1 << cell
            if 0 < cell % self.columns < self.columns - 1:
                inner |= 1 << cell
        return DiscRules(self.columns, self.rows, U(board), U(inner), self.scores)

    def spec(self) -> Spec:
        cells = self.columns * self.rows
        return Spec(
            players=2,
            max_actions=cells - 4,
            max_length=2 * (cells - 4),  # a pass is never followed by a pass
            distinct_actions=cells + 1,
            # discs of the player to move and of the other, legal cells of the player to move
            state=record(mine="u8", theirs="u8", moves="u8", player="i1", over="i1"),
            board=Geometry(self.rows, self.columns, codes=3),
            lowest=-float(cells) if self.scores else -1.0,
            highest=float(cells) if self.scores else 1.0,
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        if a == self.columns * self.rows:
            return "pass"
        return column_letters(self.columns)[a % self.columns] + str(a // self.columns + 1)

    def grid(self, s: Any) -> list[str]:
        """Rows from the top, made of x, o and "."."""
        discs = (int(s.mine), int(s.theirs)) if s.player == 0 else (int(s.theirs), int(s.mine))
        text = "".join(
            "x" if discs[0] >> c & 1 else "o" if discs[1] >> c & 1 else "."
            for c in range(self.columns * self.rows)
        )
        return [text[i : i + self.columns] for i in range(0, len(text), self.columns)]

    def board_text(self, s: Any) -> str:
        labels = [str(r + 1) for r in range(self.rows)]
        grid = grid_text(self.grid(s), labels, column_letters(self.columns))
        x, o = (sum(row.count(symbol) for row in self.grid(s)) for symbol in "xo")
        turn = "the game is over" if s.over else f"{'xo'[s.player]} to move"
        return f"{grid}\nx {x}, o {o}: {turn}"

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        labels = [str(r + 1) for r in range(self.rows)]
        board = Board(self.columns, self.rows, labels, column_letters(self.columns))
        for r, row in enumerate(self.grid(s)):
            for c, cell in enumerate(row):
                if cell != ".":
                    board.stone(c, r, STONES[cell == "o"])
        cells = self.columns * self.rows
        if last is not None and last < cells:
            board.last(last % self.columns, last // self.columns)
        return board.legal((a % self.columns, a // self.columns) for a in legal if a < cells).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        if a >= self.columns * self.rows:  # a pass
            return ()
        return (square_place(a % self.columns, a // self.columns),)

    def position_text(self, s: Any) -> str:
        return "/".join(self.grid(s)) + " " + "xo"[s.player]

    def parse_position(self, text: str, s: Any) -> None:
        words = text.split()
        if len(words) != 2 or words[1] not in ("x", "o"):
            raise InputError("an othello position is its rows, a blank and who is to move: x or o")
        rows = words[0].split("/")
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise InputError(
                f"this othello board has {self.rows} rows of {self.columns} cells, "
                "joined by '/', the top row first; cells are . x o"
            )
        wrong = set("".join(rows)) - set(".xo")
        if wrong:
            raise InputError(f"unknown cell {min(wrong)!r}; accepted: . x o")
        right, below_it = self.columns // 2, self.rows // 2
        if any("." in row[right - 1 : right + 1] for row in rows[below_it - 1 : below_it + 1]):
            raise InputError("the four cells in the centre are never empty in othello")
        discs = {
            symbol: sum(1 << i for i, cell in enumerate("".join(rows)) if cell == symbol)
            for symbol in "xo"
        }
        s.player = "xo".index(words[1])
        s.mine, s.theirs = U(discs["xo"[s.player]]), U(discs["ox"[s.player]])
        self.rules().find_moves(s)


class DiscRules(NamedTuple):
    """The rules: cell ``row * columns + column`` is that bit of a 64-bit word."""

    columns: int
    rows: int
    board: Any
    """All cells."""
    inner: Any
    """All but the first and last column: a disc there is never turned sideways."""
    scores: bool
    """Is a game worth the difference of the discs?"""

    def start(self, s):
        corner = (self.rows // 2 - 1) * self.columns + self.columns // 2 - 1
        rising = (U(2) | (U(1) << U(self.columns))) << U(corner)
        falling = (U(1) | (U(2) << U(self.columns))) << U(corner)
        s.mine = rising
        s.theirs = falling
        s.moves = moves_of(s.mine, s.theirs, self.inner, U(self.columns)) & self.board

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        left = s.moves
        if left == U(0):
            out[0] = self.columns * self.rows
            return 1
        n = 0
        while left != U(0):
            out[n] = lowest_bit(left)
            left &= left - U(1)
            n += 1
        return n

    def random_action(self, s, out, rng):
        left = s.moves
        if left == U(0):
            return self.columns * self.rows
        for _ in range(below(rng, popcount(left))):
            left &= left - U(1)
        return lowest_bit(left)

    def apply_action(self, s, a):
        mine, theirs = s.mine, s.theirs
        if a < self.columns * self.rows:
            move = U(1) << U(a)
            turned = turned_by(move, mine, theirs, self.inner, U(self.columns))
            mine |= move | turned
            theirs ^= turned
        s.mine, s.theirs = theirs, mine
        s.player = 1 - s.player
        self.find_moves(s)

    def find_moves(self, s):
        """Fill in `moves` and `over`, which follow from the discs and the player to move."""
        empty = self.board & ~(s.mine | s.theirs)
        step = U(self.columns)
        s.moves = moves_of(s.mine, s.theirs, self.inner, step) & empty
        if s.moves == U(0):
            s.over = (moves_of(s.theirs, s.mine, self.inner, step) & empty) == U(0)

    def is_terminal(self, s):
        return s.over != 0

    def returns(self, s, out):
        ahead = popcount(s.mine) - popcount(s.theirs)
        winner = -1
        if ahead > 0:
            winner = int(s.player)
        elif ahead < 0:
            winner = 1 - int(s.player)
        share_out(winner, 2, out)
        if self.scores:
            empty = self.columns * self.rows - popcount(s.mine) - popcount(s.theirs)
            for p in range(2):
                out[p] *= abs(ahead) + empty

    def evaluate(self, s, out):
        """Mobility and corners, and towards the end discs: x / (1 + |x|) of a weighted sum."""
        empty = self.board & ~(s.mine | s.theirs)
        my_moves = popcount(s.moves)
        their_moves = popcount(moves_of(s.theirs, s.mine, self.inner, U(self.columns)) & empty)
        mobility = (my_moves - their_moves) / (my_moves + their_moves + 2)
        corners = (popcount(s.mine & self.corners()) - popcount(s.theirs & self.corners())) / 4
        my_discs, their_discs = popcount(s.mine), popcount(s.theirs)
        filled = (my_discs + their_discs) / (self.columns * self.rows)
        discs = (my_discs - their_discs) / (my_discs + their_discs)
        late = filled * filled * filled  # products: a power may round differently when compiled
        score = mobility + 3.0 * corners + 3.0 * late * late * discs
        value = score / (1.0 + abs(score))
        if self.scores:
            value *= self.columns * self.rows
        out[s.player] = value
        out[1 - s.player] = -value

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        sign = 1 if player == s.player else -1  # the record is as the player to move sees it
        empty = self.board & ~(s.mine | s.theirs)
        moves = popcount(s.moves)
        others = popcount(moves_of(s.theirs, s.mine, self.inner, U(self.columns)) & empty)
        corners = popcount(s.mine & self.corners()) - popcount(s.theirs & self.corners())
        discs, their_discs = popcount(s.mine), popcount(s.theirs)
        late = ((discs + their_discs) / (self.columns * self.rows)) ** 6
        ahead = (discs - their_discs) / (discs + their_discs)
        return [
            Term("share of the moves", sign * (moves - others) / (moves + others + 2), 1.0),
            Term("share of the corners", sign * corners / 4, 3.0),
            Term("share of the discs, the more the fuller the board", sign * late * ahead, 3.0),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        return score / (1.0 + abs(score)) * (self.columns * self.rows if self.scores else 1)

    def corners(self):
        """The four corner cells."""
        row = U(1) | (U(1) << U(self.columns - 1))
        return row | (row << U((self.rows - 1) * self.columns))

    def order(self, s, a):
        """Few answers for the opponent first; corners gain, cells next to an empty corner lose.

        Towards the end, where listing the answers costs more than it saves: the place alone.
        """
        if a == self.columns * self.rows:
            return 0.0
        discs = s.mine | s.theirs
        worth = self.place_value(discs, a)
        if self.columns * self.rows - popcount(discs) <= FEW_EMPTY:
            return worth
        move, step = U(1) << U(a), U(self.columns)
        turned = turned_by(move, s.mine, s.theirs, self.inner, step)
        mine, theirs = s.mine | move | turned, s.theirs ^ turned
        answers = moves_of(theirs, mine, self.inner, step) & self.board & ~(mine | theirs)
        return worth - popcount(answers) - popcount(answers & self.corners())

    def place_value(self, discs, a):
        """Corners first, then edges; cells that hand the opponent an empty corner last."""
        row, column = a // self.columns, a % self.columns
        from_side = min(column, self.columns - 1 - column)
        from_end = min(row, self.rows - 1 - row)
        if from_side + from_end == 0:
            return 4.0
        if from_side <= 1 and from_end <= 1:
            corner_row = 0 if row <= 1 else self.rows - 1
            corner_column = 0 if column <= 1 else self.columns - 1
            corner = U(1) << U(corner_row * self.columns + corner_column)
            if discs & corner == U(0):
                return -1.0 if from_side + from_end == 1 else -2.0
        if from_side == 0 or from_end == 0:
            return 1.0
        return 0.0

    def cells(self, s, player, out):
        """0 empty, 1 own, 2 the other's."""
        own, other = s.mine, s.theirs
        if player != s.player:
            own, other = other, own
        for cell in range(self.columns * self.rows):
            mine, theirs = (own >> U(cell)) & U(1), (other >> U(cell)) & U(1)
            out[cell] = np.int64(mine) + 2 * np.int64(theirs)

    # Symmetry k: mirror left-right if k & 1, top-bottom if k & 2, then swap rows and columns
    # if k & 4 (square boards only).

    def symmetries(self):
        return 8 if self.columns == self.rows else 4

    def transform(self, s, k, t):
        t.player, t.over = s.player, s.over
        t.mine = self.image(s.mine, k)
        t.theirs = self.image(s.theirs, k)
        t.moves = self.image(s.moves, k)

    def image(self, bits, k):
        """The image of a set of cells."""
        turned = U(0)
        while bits != U(0):
            turned |= U(1) << U(self.transform_action(lowest_bit(bits), k))
            bits &= bits - U(1)
        return turned

    def transform_action(self, a, k):
        if a == self.columns * self.rows:
            return a
        return square_image(a, k, self.rows, self.columns)


# ------------------------------------------------------------------ shifting whole boards


@kernel
def run_up(seeds, through, step):
    """The discs of `through` that follow a seed without a gap, `step` bits up each, up to six."""
    run = through & (seeds << step)
    run |= through & (run << step)
    pairs = through & (through << step)
    twice = step + step
    run |= pairs & (run << twice)
    run |= pairs & (run << twice)
    return run


@kernel
def run_down(seeds, through, step):
    """The same the other way."""
    run = through & (seeds >> step)
    run |= through & (run >> step)
    pairs = through & (through >> step)
    twice = step + step
    run |= pairs & (run >> twice)
    run |= pairs & (run >> twice)
    return run


@kernel
def moves_of(mine, theirs, inner, row):
    """Cells behind a run of their discs that begins at one of mine; taken cells included.

    `row` is the number of columns. Runs that are not vertical cannot reach the first or last
    column (their end has to be beyond), so shifting the `inner` ones never wraps around.
    """
    one = U(1)
    across = theirs & inner
    found = (run_up(mine, across, one) << one) | (run_down(mine, across, one) >> one)
    found |= (run_up(mine, theirs, row) << row) | (run_down(mine, theirs, row) >> row)
    step = row - one
    found |= (run_up(mine, across, step) << step) | (run_down(mine, across, step) >> step)
    step = row + one
    found |= (run_up(mine, across, step) << step) | (run_down(mine, across, step) >> step)
    return found


@kernel
def turned_by(move, mine, theirs, inner, row):
    """Their discs that one of mine put at `move` encloses."""
    one = U(1)
    across = theirs & inner
    turned = enclosed(move, mine, across, one) | enclosed(move, mine, theirs, row)
    return (
        turned | enclosed(move, mine, across, row - one) | enclosed(move, mine, across, row + one)
    )


@kernel
def enclosed(move, mine, through, step):
    """Their discs between `move` and one of mine, both ways along one line."""
    up = run_up(move, through, step)
    if (up << step) & mine == U(0):
        up = U(0)
    down = run_down(move, through, step)
    if (down >> step) & mine == U(0):
        down = U(0)
    return up | down
