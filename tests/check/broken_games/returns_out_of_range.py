"""A utility beyond the promised range."""

from countdown import Countdown

FINDING = "returns"
SAYS = "outside \\[-1, 1\\]"


class Game(Countdown):
    def returns(self, s, out):
        out[s.player] = -2.0
        out[1 - s.player] = 2.0
