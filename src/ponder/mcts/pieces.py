"""A run as the driver sees it: pieces of a few milliseconds, each some simulations long."""

from __future__ import annotations

import time
from typing import Any, Literal

from ponder.core.driver import Progress
from ponder.core.limits import Limit, StopReason
from ponder.core.position import Position
from ponder.core.result import MoveRow
from ponder.mcts.decide import decide, fitted, said
from ponder.mcts.report import root_rows, root_values


class Pieces:
    """Common to all runs (`ponder.core.driver.Run`); a run has `advance(n)`, n simulations more."""

    unit: Literal["simulations"] = "simulations"
    milestone = 0
    piece_seconds = 0.005
    """How long a piece of kernel work should take: clock and stop are looked at between pieces."""
    piece, pace = 1, 0.0
    """Simulations of the next piece; seconds for one, in the last piece."""

    done: int
    full: bool
    solved: bool
    decide: Any
    """The decide rule: it says what would be played now, and may ask for more simulations."""
    position: Position
    seed: int
    until_full = False
    """Does the search end when the tree may not grow any more?"""

    @property
    def counted_out(self) -> bool:
        """Has the root as many visits as can be counted? Abstract."""
        raise NotImplementedError

    def advance(self, n: int) -> None:
        """Make n simulations; abstract."""
        raise NotImplementedError

    @property
    def ended(self) -> StopReason | None:
        if self.solved:
            return "solved"
        if self.counted_out:
            return "visits"
        return "memory" if self.until_full and self.full else None

    def allow(self, limit: Limit) -> None:
        self.piece, self.pace = 1, 0.0

    def proceed(self, most: int | None, seconds: float | None) -> None:
        piece = self.piece
        if most is not None:
            piece = min(piece, most)
        if seconds is not None and seconds > 0.0 and self.pace > 0.0:
            # a whole piece could end long after the limit
            piece = max(1, int(min(piece, seconds / self.pace)))
        began = time.perf_counter()
        self.advance(piece)
        spent = time.perf_counter() - began
        self.pace = spent / piece
        # As many as should fill half the time, if more; fewer when a piece proves long.
        if spent < self.piece_seconds:
            piece *= max(2, min(64, int(self.piece_seconds / (2 * max(spent, 1e-9)))))
        elif spent > 2 * self.piece_seconds:
            piece = max(1, piece // 2)
        self.piece = piece

    def pause(self) -> None:
        """Between pieces nothing goes on."""

    def more(self, share: float, limit: int | None) -> int:
        """What the decide rule asks for past the limit, if it may.

        In simulations the same number whatever the clock says, so that a seed gives the same
        result.
        """
        rule = self.decide
        if self.position.is_chance or not hasattr(rule, "agreed") or share >= 1.0 + rule.extra:
            return 0
        if said(rule, "agreed", root_rows(self)):
            return 0
        if limit is None:
            return 1
        return max(1, min(limit // 100, int(limit * (1.0 + rule.extra)) - round(share * limit)))

    def told(self, seconds: float) -> Progress:
        if self.position.is_chance:
            return Progress(seconds, simulations=self.done, value=root_values(self)[0])
        rows = root_rows(self, tried=True)
        rule = fitted(self.decide, self.position)
        best = rows[decide(rule, rows, self.seed)] if rows else MoveRow("", 0, None)
        return Progress(seconds, simulations=self.done, best=best.name, value=best.value)

    def copy(self) -> Any:
        """The same search once more, to go its own way; None where threads work at it."""
        return None
