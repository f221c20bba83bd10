"""random_action ignores the end of the pile."""

from countdown import Countdown

from ponder.core.rng import below

FINDING = "random_action"
SAYS = "not legal here"


class Game(Countdown):
    def random_action(self, s, out, rng):
        return below(rng, 2)
