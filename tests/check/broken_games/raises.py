"""The rules raise an error."""

from countdown import Countdown

FINDING = "raises"
SAYS = "apply_action raised ZeroDivisionError"


class Game(Countdown):
    def apply_action(self, s, a):
        s.pile -= (a + 1) // (1 if s.pile != 3 else 0)
        s.player = 1 - s.player
