"""in_check with fewer noisy moves than legal ones."""

from countdown import Countdown

FINDING = "in_check"
SAYS = "noisy_actions leaves moves out"


class Game(Countdown):
    def in_check(self, s):
        return True

    def noisy_actions(self, s, out):
        out[0] = 0
        return 1
