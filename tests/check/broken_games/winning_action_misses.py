"""winning_action does not see the win with one counter left."""

from countdown import Countdown

FINDING = "winning_action"
SAYS = "gave -1, but 0 wins"


class Game(Countdown):
    def winning_action(self, s, out):
        return 1 if s.pile == 2 else -1
