"""No legal action, and yet the game is not over."""

from countdown import Countdown

FINDING = "no-actions"
SAYS = "no legal actions"


class Game(Countdown):
    def legal_actions(self, s, out):
        if s.pile == 1:
            return 0
        out[0] = 0
        out[1] = 1
        return 2
