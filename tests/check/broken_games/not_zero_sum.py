"""The sum of utilities depends on who wins."""

from countdown import Countdown

FINDING = "zero-sum"
SAYS = "although the spec says zero_sum"


class Game(Countdown):
    def returns(self, s, out):
        out[0] = 0.0
        out[1] = 1.0 if s.player == 0 else 0.0
