"""random_rollout lets the first player win every time."""

from countdown import Countdown

FINDING = "random_rollout"
SAYS = "move by move"


class Game(Countdown):
    def random_rollout(self, s, out, rng):
        s.pile = 0
        s.player = 1
