"""pass_turn refuses after it has changed the state."""

from countdown import Countdown

FINDING = "pass_turn"
SAYS = "says no, but changes the state"


class Game(Countdown):
    def pass_turn(self, s):
        s.player = 1 - s.player
        return False
