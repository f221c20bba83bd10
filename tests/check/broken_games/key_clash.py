"""key forgets whose turn it is."""

from countdown import Countdown

FINDING = "key"
SAYS = "stands for two positions"


class Game(Countdown):
    def key(self, s):
        return s.pile
