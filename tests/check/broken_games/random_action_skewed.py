"""random_action prefers the first action."""

from countdown import Countdown

from ponder.core.rng import below

FINDING = "not-uniform"
SAYS = "chi-square"


class Game(Countdown):
    def random_action(self, s, out, rng):
        if s.pile == 1 or below(rng, 4) > 0:
            return 0
        return 1
