"""board_text fails."""

from countdown import Countdown

FINDING = "text-hook"
SAYS = "board_text raised"


class Game(Countdown):
    def board_text(self, s):
        return "o" * s.counters
