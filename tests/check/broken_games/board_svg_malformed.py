"""board_svg is not well-formed."""

from countdown import Countdown

FINDING = "board"
SAYS = "not well-formed"


class Game(Countdown):
    def board_svg(self, s, last=None, legal=()):
        return "<svg><p></svg>"
