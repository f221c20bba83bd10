"""Writes far beyond the array."""

from countdown import Countdown

FINDING = "max-actions"
SAYS = "max_actions is 2"


class Game(Countdown):
    def legal_actions(self, s, out):
        for i in range(5000):
            out[i] = i
        return 2
