"""exact_key does not fit in 56 bits."""

from countdown import Countdown

from ponder.jit import U

FINDING = "exact_key"
SAYS = "accepted: 0 to 2\\*\\*56 - 1"


class Game(Countdown):
    def exact_key(self, s):
        return U(s.pile) << U(56)
