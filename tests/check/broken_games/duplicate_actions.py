"""The same action twice."""

from countdown import Countdown

FINDING = "duplicate"
SAYS = "list 0 more than once"


class Game(Countdown):
    def legal_actions(self, s, out):
        out[0] = 0
        out[1] = 0
        return 2
