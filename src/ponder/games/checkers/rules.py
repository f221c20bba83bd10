"""Checkers (English draughts) on 8 x 8: men, kings, forced captures.

Black (player 0, ``b``, kings ``B``) begins on squares 1 to 12 at the top and moves down; White
(``w``, ``W``) has 21 to 32. Men step diagonally forward, kings (not flying) in all four
directions; a capture jumps over an adjacent enemy onto the empty square behind it. Who can
capture must, but may choose which; a jump continues with the same piece while it can, except that
a man who reaches the far row is crowned and stops. A player without a legal move has lost.

**Each jump is an action of its own**: in the middle of a multiple jump the same player moves
again (so turns do not alternate), and only the jumping piece may move. **Draw**: 40 actions in
a row without a capture. There is no rule of repetition (40 quiet actions end every cycle).

Moves are written with the usual square numbers, ``11-15``, captures ``22x18``. A position is a
PDN FEN, ``B:W18,24,27,K10:B12,16,K22``: who moves, White's pieces, Black's pieces. ``:H7`` after
it says that 7 actions passed without a capture, ``:J18`` that the piece on 18 must go on jumping.

         1   2   3   4        bit of the record:   0   1   2   3
       5   6   7   8                             4   5   6   7
         9  10  11  12                         (8)  9  10  11  12
      13  14  15  16                            13  14  15  16
        ...                                    (17)

Two rows take nine bits: the bits 8, 17 and 26 belong to no square. So a step down left is always
+4 and down right +5, and whoever leaves the board at the side lands on one of them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import STONES, Board, Place, square_place
from ponder.core.game import Spec, Term, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError
from ponder.games.checkers.fen import read_fen
from ponder.jit import U, kernel, lowest_bit, popcount

QUIET_LIMIT = 40
"""So many actions in a row without a capture are a draw."""

PIECES = 12
BOARD = sum(1 << (i + i // 8) for i in range(32))
TOP_ROW = 0b1111
BOTTOM_ROW = 0b1111 << 31
STEPS = (4, 5, -4, -5)
"""Directions 0 to 3: down left, down right, up right, up left."""
COLOURS = "BW"


@registered
class Checkers(NamedTuple):
    """English draughts. Action 4 * (square - 1) + direction: a step, or a jump where one is due."""

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=4 * PIECES,
            # at most 23 captures, each after at most 39 quiet actions, then 40 more
            max_length=24 * QUIET_LIMIT,
            distinct_actions=128,
            # jumper: the bit of the piece that must go on jumping, or -1
            state=record(
                pieces=("u8", 2), kings="u8", quiet="i1", jumper="i1", player="i1", winner="i1"
            ),
            board=Geometry(8, 8, codes=5, extra=1, line=3),
        )

    # Both players see their own men move down: for the second the board is turned by half.

    def cells(self, s, player, out):
        """0 empty, 1 and 2 own man and king, 3 and 4 the other's; then how near the draw is."""
        for i in range(64):
            out[i] = 0
        for square in range(32):
            at = square if player == 0 else 31 - square
            bit = U(at + at // 8)
            code = 0
            if (s.pieces[player] >> bit) & U(1) != U(0):
                code = 1
            elif (s.pieces[1 - player] >> bit) & U(1) != U(0):
                code = 3
            if code > 0 and (s.kings >> bit) & U(1) != U(0):
                code += 1
            row = square // 4
            out[8 * row + 2 * (square % 4) + 1 - row % 2] = code
        out[64] = s.quiet // 10

    def seen_action(self, a, player):
        # square 31 - n, and the opposite direction
        return a if player == 0 else 4 * (31 - a // 4) + (a + 2) % 4

    def start(self, s):
        for i in range(PIECES):
            s.pieces[0] |= U(1) << U(i + i // 8)
            s.pieces[1] |= U(1) << U(34 - i - i // 8)
        s.jumper = -1
        s.winner = -1

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        n = self.noisy_actions(s, out)
        if n == 0:
            for d in range(4):
                n = list_moves(self.steppers(s, d), d, out, n)
        return n

    def random_action(self, s, out, rng):
        a, b, c, d = self.jumpers(s, 0), self.jumpers(s, 1), self.jumpers(s, 2), self.jumpers(s, 3)
        if (a | b | c | d) == U(0):
            a, b = self.steppers(s, 0), self.steppers(s, 1)
            c, d = self.steppers(s, 2), self.steppers(s, 3)
        to_b = popcount(a)
        to_c = to_b + popcount(b)
        to_d = to_c + popcount(c)
        k = below(rng, to_d + popcount(d))
        if k < to_b:
            return 4 * nth_square(a, k)
        if k < to_c:
            return 4 * nth_square(b, k - to_b) + 1
        if k < to_d:
            return 4 * nth_square(c, k - to_c) + 2
        return 4 * nth_square(d, k - to_d) + 3

    def apply_action(self, s, a):
        player = s.player
        square = a >> 2
        at = square + (square >> 3)
        step = step_of(a & 3)
        here = U(1) << U(at)
        middle = U(1) << U(at + step)
        jump = (s.pieces[1 - player] & middle) != U(0)
        target = at + 2 * step if jump else at + step
        there = U(1) << U(target)
        was_king = (s.kings & here) != U(0)
        s.pieces[player] ^= here | there
        s.kings &= ~here
        crowned = not was_king and (there & U(BOTTOM_ROW if player == 0 else TOP_ROW)) != U(0)
        if was_king or crowned:
            s.kings |= there
        s.jumper = -1
        if jump:
            s.pieces[1 - player] &= ~middle
            s.kings &= ~middle
            s.quiet = 0
            s.jumper = target
            if crowned or not self.can_jump(s):
                s.jumper = -1
        else:
            s.quiet += 1
        if s.jumper < 0:
            s.player = 1 - player
            if s.quiet < QUIET_LIMIT and not self.can_move(s):
                s.winner = player

    def is_terminal(self, s):
        return s.winner >= 0 or s.quiet >= QUIET_LIMIT

    def returns(self, s, out):
        share_out(s.winner, 2, out)

    # ------------------------------------------------------------ moves as sets of pieces

    def able(self, s, d):
        """The mover's pieces that may go in direction d: kings, and men forward."""
        own = s.pieces[s.player]
        if (d < 2) != (s.player == 0):
            own &= s.kings
        return own

    def steppers(self, s, d):
        """The mover's pieces that can step in direction d."""
        free = U(BOARD) & ~(s.pieces[0] | s.pieces[1])
        return self.able(s, d) & back(free, d)

    def jumpers(self, s, d):
        """The mover's pieces that can jump in direction d; in a multiple jump only that one."""
        free = U(BOARD) & ~(s.pieces[0] | s.pieces[1])
        found = self.able(s, d) & back(s.pieces[1 - s.player] & back(free, d), d)
        if s.jumper >= 0:
            found &= U(1) << U(s.jumper)
        return found

    def can_jump(self, s):
        jumps = self.jumpers(s, 0) | self.jumpers(s, 1) | self.jumpers(s, 2) | self.jumpers(s, 3)
        return jumps != U(0)

    def can_move(self, s):
        steps = (
            self.steppers(s, 0) | self.steppers(s, 1) | self.steppers(s, 2) | self.steppers(s, 3)
        )
        return steps != U(0) or self.can_jump(s)

    # ------------------------------------------------------------ hooks

    def noisy_actions(self, s, out):
        """The captures."""
        n = 0
        for d in range(4):
            n = list_moves(self.jumpers(s, d), d, out, n)
        return n

    def evaluate(self, s, out):
        """Material, how far the men have come, and the guarded back row, squashed.

        A man counts 1 and 0.03 for each row he has come, a king 1.5, a man at home on the back
        row 0.1 more, the move 0.05; v = d / (1.5 + |d|), drawn nearer to 0 as the 40 quiet
        actions run out.
        """
        if self.is_terminal(s):
            self.returns(s, out)
            return
        d = side_worth(s, 0) - side_worth(s, 1) + (0.05 if s.player == 0 else -0.05)
        v = d / (1.5 + abs(d)) * (1.0 - 0.5 * s.quiet / QUIET_LIMIT)
        out[0] = v
        out[1] = -v

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        own, other = side_counts(s, player), side_counts(s, 1 - player)
        men, rows, home, kings = (a - b for a, b in zip(own, other, strict=True))
        return [
            Term("men", men, 1.0),
            Term("kings", kings, 1.5),
            Term("rows that men have come", rows, 0.03),
            Term("men at home on the back row", home, 0.1),
            Term("the move", 1 if player == s.player else -1, 0.05),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        return float(score / (1.5 + abs(score)) * (1.0 - 0.5 * s.quiet / QUIET_LIMIT))

    def order(self, s, a):
        """Captures (of kings first), then crowning, then men before kings, the foremost first."""
        square = a >> 2
        at = square + (square >> 3)
        middle = U(1) << U(at + step_of(a & 3))
        if s.pieces[1 - s.player] & middle:
            return 120 if s.kings & middle else 100
        if s.kings & (U(1) << U(at)):
            return 0
        rows = square >> 2 if s.player == 0 else 7 - (square >> 2)
        return 50 if rows == 6 else rows + 1

    # ------------------------------------------------------------ for people

    def squares_of(self, s: Any, a: int) -> tuple[int, int, bool]:
        """Where the piece comes from and goes to (numbers 1 to 32), and whether it jumps."""
        at, step = bit_of(a // 4 + 1), STEPS[a % 4]
        jump = bool(int(s.pieces[1 - s.player]) >> (at + step) & 1) if at + step >= 0 else False
        return a // 4 + 1, number_of(at + step * (1 + jump)), jump

    def action_name(self, s: Any, a: int) -> str:
        start, end, jump = self.squares_of(s, a)
        return f"{start}{'x' if jump else '-'}{end}"

    def parse_action(self, s: Any, text: str) -> int | None:
        """Also 11x15, 11:15 or 11 15: the squares say it all."""
        found = re.fullmatch(r"(\d{1,2})\s*[-x:* ]\s*(\d{1,2})", text.strip().lower())
        if not found:
            return None
        out = np.zeros(4 * PIECES, np.int32)
        for a in out[: self.legal_actions(s, out)].tolist():
            if self.squares_of(s, a)[:2] == (int(found[1]), int(found[2])):
                return int(a)
        return None

    def grid(self, s: Any) -> list[list[str]]:
        """Rows from the top: b and w men, B and W kings, '.' an empty square, ' ' a light one."""
        rows = [[" "] * 8 for _ in range(8)]
        for number in range(1, 33):
            bit = 1 << bit_of(number)
            row, column = place_of(number)
            rows[row][column] = "."
            for player, letter in enumerate("bw"):
                if int(s.pieces[player]) & bit:
                    rows[row][column] = letter.upper() if int(s.kings) & bit else letter
        return rows

    def board_text(self, s: Any) -> str:
        lines = []
        for r, row in enumerate(self.grid(s)):
            first = 4 * r + 1
            lines.append(f"{' '.join(row)}   {first:2}-{first + 3}")
        if not self.is_terminal(s):
            must = f", {number_of(int(s.jumper))} must go on jumping" if s.jumper >= 0 else ""
            lines.append(f"{'bw'[s.player]} moves{must}")
        return "\n".join(lines)

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        board = Board(8, 8, [str(4 * r + 1) for r in range(8)], checkered=True)
        for r, row in enumerate(self.grid(s)):
            for c, piece in enumerate(row):
                if piece not in " .":
                    board.stone(c, r, STONES[piece.lower() == "w"])
                if piece in COLOURS:
                    board.glyph(c, r, "♔", "#ffffff")
        if last is not None:  # after a jump the square between is empty
            at, step = bit_of(last // 4 + 1), STEPS[last % 4]
            stepped = (int(s.pieces[0]) | int(s.pieces[1])) >> (at + step) & 1
            for bit in (at, at + step * (2 - stepped)):
                board.last(*reversed(place_of(number_of(bit))))
        targets = {place_of(self.squares_of(s, a)[1]) for a in legal}
        return board.legal((column, row) for row, column in sorted(targets)).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        start, end, _ = self.squares_of(s, a)
        return tuple(square_place(*reversed(place_of(number))) for number in (start, end))

    def position_text(self, s: Any) -> str:
        text = COLOURS[s.player]
        for player in (1, 0):
            numbers = [n for n in range(1, 33) if int(s.pieces[player]) >> bit_of(n) & 1]
            crowned = [n for n in numbers if int(s.kings) >> bit_of(n) & 1]
            men = [str(n) for n in numbers if n not in crowned]
            text += f":{COLOURS[player]}" + ",".join(men + [f"K{n}" for n in crowned])
        if s.quiet:
            text += f":H{s.quiet}"
        if s.jumper >= 0:
            text += f":J{number_of(int(s.jumper))}"
        return text

    def parse_position(self, text: str, s: Any) -> None:
        found = read_fen(text)
        s.pieces[0] = s.pieces[1] = s.kings = 0
        for player in (0, 1):
            for number, king in found.pieces[player].items():
                bit = U(1 << bit_of(number))
                s.pieces[player] |= bit
                if king:
                    s.kings |= bit
        s.player, s.quiet, s.jumper, s.winner = found.player, found.quiet, -1, -1
        if found.jumper:
            s.jumper = bit_of(found.jumper)
            if not int(s.pieces[s.player]) >> int(s.jumper) & 1 or not self.can_jump(s):
                raise InputError(
                    f"J{found.jumper}: no piece of the player to move can jump from there"
                )
        if s.quiet < QUIET_LIMIT and not self.can_move(s):
            s.winner = 1 - s.player


@kernel
def step_of(d):
    """How far a step in direction d is, in bits."""
    distance = 4 + (d & 1)
    return distance if d < 2 else -distance


@kernel
def back(x, d):
    """The squares from which a step in direction d leads to a square of x."""
    if d == 0:
        return x >> U(4)
    if d == 1:
        return x >> U(5)
    if d == 2:
        return x << U(4)
    return x << U(5)


@kernel
def list_moves(pieces, d, out, n):
    """Append the move in direction d of each piece; the new length."""
    while pieces:
        out[n] = 4 * square_at(lowest_bit(pieces)) + d
        pieces &= pieces - U(1)
        n += 1
    return n


@kernel
def square_at(bit):
    """The square (0 to 31) of a bit."""
    return bit - bit // 9


@kernel
def nth_square(x, n):
    """The square of the n-th set bit (0 = the lowest)."""
    for _ in range(n):
        x &= x - U(1)
    return square_at(np.int64(lowest_bit(x)))


@kernel
def side_worth(s, player):
    """Material and placement of one player, in men."""
    men = s.pieces[player] & ~s.kings
    home = U(TOP_ROW if player == 0 else BOTTOM_ROW)
    worth = 1.5 * popcount(s.pieces[player] & s.kings) + 0.1 * popcount(men & home)
    while men:
        row = square_at(lowest_bit(men)) >> 2
        worth += 1.0 + 0.03 * (row if player == 0 else 7 - row)
        men &= men - U(1)
    return worth


def side_counts(s: Any, player: int) -> tuple[int, int, int, int]:
    """Men, the rows they have come, men on the back row, and kings: what `side_worth` weighs."""
    men = [number_of(bit) - 1 for bit in range(36) if int(s.pieces[player] & ~s.kings) >> bit & 1]
    rows = [square >> 2 if player == 0 else 7 - (square >> 2) for square in men]
    kings = int(s.pieces[player] & s.kings).bit_count()
    return len(men), sum(rows), rows.count(0), kings


def bit_of(number: int) -> int:
    """The bit of the square with that number, 1 to 32."""
    return number - 1 + (number - 1) // 8


def number_of(bit: int) -> int:
    return bit - bit // 9 + 1


def place_of(number: int) -> tuple[int, int]:
    """Row (from the top) and column of a square."""
    row, place = divmod(number - 1, 4)
    return row, 2 * place + 1 - row % 2
