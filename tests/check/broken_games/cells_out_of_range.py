"""A code that the board does not have."""

from typing import NamedTuple

from ponder import Geometry, Spec, record

FINDING = "cells"
SAYS = r"cells wrote [34] to cell 0; codes are 0 to 2"


class Game(NamedTuple):
    """Two players take 1 or 2 of seven counters; whoever takes the last one wins."""

    def spec(self):
        return Spec(
            players=2,
            max_actions=2,
            max_length=7,
            state=record(left="i4", player="i4"),
            board=Geometry(rows=1, columns=1, codes=3),
        )

    def start(self, s):
        s.left = 7

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        n = min(2, s.left)
        for i in range(n):
            out[i] = i
        return n

    def apply_action(self, s, a):
        s.left -= a + 1
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.left == 0

    def returns(self, s, out):
        out[s.player] = -1.0
        out[1 - s.player] = 1.0

    def cells(self, s, player, out):
        out[0] = s.left // 2
