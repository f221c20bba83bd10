"""Actions are numbers 0 to distinct_actions - 1, these are 1 and 2."""

from countdown import Countdown

FINDING = "action-range"
SAYS = "action 2 is outside 0 .. 1"


class Game(Countdown):
    def legal_actions(self, s, out):
        out[0] = 1
        out[1] = 2
        return 2 if s.pile > 1 else 1

    def apply_action(self, s, a):
        s.pile -= a
        s.player = 1 - s.player
