"""winning_action gives a move that leaves counters."""

from countdown import Countdown

FINDING = "winning_action"
SAYS = "gave 0, which does not win"


class Game(Countdown):
    def winning_action(self, s, out):
        return 0 if s.pile > 2 else s.pile - 1
