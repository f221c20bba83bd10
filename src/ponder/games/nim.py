"""Nim: take any number of counters from one heap. Who takes the last one wins, or loses (misere).

Any number of heaps up to 32, of 1 to 255 counters each. A move is called ``heap:take``, heaps
counted from 1: ``4:5`` takes five counters from the fourth heap. As a number it is
``(take - 1) * heaps + heap - 1``. A position is its heaps and the player to move, ``1-3-5-2 1``.

Bouton (1901): in normal Nim the player to move wins unless the exclusive or of the heaps is 0; in
misere Nim the same holds as long as some heap has two counters or more, and among heaps of one
counter the player to move wins if their number is even.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ponder.core.draw import INK, STONES, Board, Place, square_place
from ponder.core.game import Spec, record
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError, quoted

MOST_HEAPS, LARGEST_HEAP = 32, 255
TALLEST_DRAWING = 16  # counters; taller heaps are drawn as numbers


@registered
class Nim(NamedTuple):
    """Nim with heaps of 1, 3, 5 and 7 unless told otherwise; the last counter wins."""

    heaps: tuple[int, ...] = (1, 3, 5, 7)
    misere: bool = False

    def problem(self) -> str | None:
        if not 1 <= len(self.heaps) <= MOST_HEAPS:
            return f"nim takes 1 to {MOST_HEAPS} heaps, not {len(self.heaps)}"
        if not all(1 <= heap <= LARGEST_HEAP for heap in self.heaps):
            return f"heaps of nim have 1 to {LARGEST_HEAP} counters, not {self.heaps}"
        return None

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=sum(self.heaps),
            max_length=sum(self.heaps),
            distinct_actions=len(self.heaps) * max(self.heaps),
            # counters in each heap; left: all of them together
            state=record(heaps=("i2", (len(self.heaps),)), left="i4", player="i1"),
        )

    def start(self, s):
        for i in range(len(self.heaps)):
            s.heaps[i] = self.heaps[i]
            s.left += self.heaps[i]

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        n = 0
        take = 1
        heaps = len(self.heaps)
        while n < s.left:  # as many moves as counters
            for i in range(heaps):
                if s.heaps[i] >= take:
                    out[n] = (take - 1) * heaps + i
                    n += 1
            take += 1
        return n

    def random_action(self, s, out, rng):
        take = below(rng, s.left) + 1
        heap = 0
        while take > s.heaps[heap]:
            take -= s.heaps[heap]
            heap += 1
        return (take - 1) * len(self.heaps) + heap

    def apply_action(self, s, a):
        heap = a % len(self.heaps)
        take = a // len(self.heaps) + 1
        s.heaps[heap] -= take
        s.left -= take
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.left == 0

    def returns(self, s, out):
        winner = s.player if self.misere else 1 - s.player  # the other took the last counter
        share_out(winner, 2, out)

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return f"{a % len(self.heaps) + 1}:{a // len(self.heaps) + 1}"

    def board_text(self, s: Any) -> str:
        width = len(str(len(self.heaps)))
        lines = []
        for i, heap in enumerate(map(int, s.heaps), 1):
            counters = "|" * min(heap, 60) + ("..." if heap > 60 else "")
            lines.append(f"heap {i:>{width}}: {heap:>3}  {counters}".rstrip())
        lines.append("the game is over" if s.left == 0 else f"player {s.player} to move")
        return "\n".join(lines)

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        heaps = [int(heap) for heap in s.heaps]
        high = _high(self.heaps)
        board = Board(len(heaps), high, below=[str(i + 1) for i in range(len(heaps))])
        for i, heap in enumerate(heaps):
            if high == 1:
                board.glyph(i, 0, str(heap), INK, 22)
            else:
                for n in range(heap):
                    board.stone(i, high - 1 - n, STONES[0], 0.3)
        if last is not None:
            heap = last % len(heaps)
            board.last(heap, 0 if high == 1 else high - 1 - heaps[heap])
        moves = {(a % len(heaps), a // len(heaps) + 1) for a in legal}
        # taking n counters leaves the mark on the lowest one taken
        return board.legal(
            (heap, 0 if high == 1 else high - 1 - heaps[heap] + take)
            for heap, take in sorted(moves)
        ).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        """The lowest counter that is taken; nowhere where heaps are numbers."""
        heap, take = a % len(self.heaps), a // len(self.heaps) + 1
        high = _high(self.heaps)
        return (square_place(heap, high - 1 - int(s.heaps[heap]) + take),) if high > 1 else ()

    def position_text(self, s: Any) -> str:
        return "-".join(str(int(heap)) for heap in s.heaps) + f" {s.player}"

    def parse_position(self, text: str, s: Any) -> None:
        found = re.fullmatch(r"([0-9]{1,3}(?:-[0-9]{1,3})*) ([01])", text.strip())
        if not found:
            raise InputError(
                f"{quoted(text)} is not a nim position: heaps joined by '-', a blank and the "
                "player to move (0 or 1), such as 1-3-5-2 1"
            )
        heaps, player = [int(heap) for heap in found[1].split("-")], int(found[2])
        if len(heaps) != len(self.heaps):
            raise InputError(f"this game has {len(self.heaps)} heaps, not {len(heaps)}")
        taken = [full - heap for full, heap in zip(self.heaps, heaps, strict=True)]
        if min(taken) < 0:
            raise InputError(f"heaps only shrink: they began as {'-'.join(map(str, self.heaps))}")
        # From one move for each touched heap to one for each counter taken, any number is possible.
        fewest, most = sum(n > 0 for n in taken), sum(taken)
        if fewest == most and fewest % 2 != player:
            raise InputError(f"exactly {fewest} moves lead to these heaps: {1 - player} is to move")
        for i, heap in enumerate(heaps):
            s.heaps[i] = heap
        s.left = sum(heaps)
        s.player = player


def _high(heaps: tuple[int, ...]) -> int:
    """Rows of the drawing; one where heaps are drawn as numbers."""
    return max(heaps) if max(heaps) <= TALLEST_DRAWING else 1
