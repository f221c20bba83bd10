"""The pile is empty before anybody has moved."""

from countdown import Countdown

FINDING = "over"
SAYS = "over at the start"


class Game(Countdown):
    def start(self, s):
        s.pile = 0
