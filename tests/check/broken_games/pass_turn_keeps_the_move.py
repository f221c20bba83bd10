"""pass_turn does not let the opponent move."""

from countdown import Countdown

FINDING = "pass_turn"
SAYS = "not the opponent's move"


class Game(Countdown):
    def pass_turn(self, s):
        return True
