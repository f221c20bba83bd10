"""board_svg is not well-formed."""

from plain_countdown import PlainCountdown

FINDING = "board"
SAYS = "board_svg is not well-formed"


class Game(PlainCountdown):
    def board_svg(self, state, last=None, legal=()):
        return "<svg>"
