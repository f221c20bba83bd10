"""Games that write outside their record: the whole of a test may end with them."""

from __future__ import annotations

from typing import NamedTuple

from ponder import Spec, record


class Path(NamedTuple):
    """Steps of 1 or 2 along `length` cells, each of which is marked; who steps off the end wins.

    A last step of 2 from the last cell marks what is no cell: one that is `far` beyond it. With
    `rare` only where every step was of 2.
    """

    length: int = 8
    far: int = 1
    rare: bool = False

    def spec(self):
        return Spec(
            players=2,
            max_actions=2,
            max_length=self.length + 2,
            state=record(at="i8", player="i8", ones="i8", cells=("i8", self.length)),
        )

    def start(self, s):
        s.at = -1

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        out[0] = 0
        out[1] = 1
        return 2

    def apply_action(self, s, a):
        s.at += a + 1
        s.ones += 1 - a
        s.player = 1 - s.player
        if s.at < self.length:
            s.cells[s.at] = 1
        elif s.at > self.length and (s.ones == 0 or not self.rare):
            s.cells[self.length - 1 + self.far] = 1

    def is_terminal(self, s):
        return s.at >= self.length

    def returns(self, s, out):
        out[s.player] = -1.0
        out[1 - s.player] = 1.0
