"""More actions than max_actions promises."""

from countdown import Countdown

FINDING = "max-actions"
SAYS = "writes 3 actions; max_actions is 2"


class Game(Countdown):
    def legal_actions(self, s, out):
        for i in range(3):
            out[i] = i
        return 3
