"""evaluate counts counters, not utilities."""

from countdown import Countdown

FINDING = "evaluate"
SAYS = "outside \\[-1, 1\\]"


class Game(Countdown):
    def evaluate(self, s, out):
        out[0] = float(s.pile)
        out[1] = -float(s.pile)
