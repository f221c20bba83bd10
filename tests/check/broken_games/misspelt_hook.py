"""The board is drawn by a method that nobody asks for."""

from countdown import Countdown

FINDING = "hook"
SAYS = "^board_txt is never asked for; did you mean board_text"


class Game(Countdown):
    def board_txt(self, s):
        return "o" * int(s.pile)
