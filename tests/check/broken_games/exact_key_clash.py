"""exact_key is the same for piles with one move and with two."""

from countdown import Countdown

from ponder.jit import U

FINDING = "exact_key"
SAYS = "stands for positions with"


class Game(Countdown):
    def exact_key(self, s):
        return U(3)
