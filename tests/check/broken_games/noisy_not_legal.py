"""noisy_actions are not all legal."""

from countdown import Countdown

FINDING = "noisy_actions"
SAYS = "not legal here"


class Game(Countdown):
    def noisy_actions(self, s, out):
        out[0] = 1
        return 1
