"""Nobody ever takes anything."""

from countdown import Countdown

FINDING = "max-length"
SAYS = "not over after 7 actions"


class Game(Countdown):
    def apply_action(self, s, a):
        s.player = 1 - s.player
