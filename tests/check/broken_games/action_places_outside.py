"""action_places points beside the drawing."""

from countdown import Countdown

FINDING = "board"
SAYS = "not on the drawing"


class Game(Countdown):
    def board_svg(self, s, last=None, legal=()):
        return '<svg viewBox="0 0 10 10"></svg>'

    def action_places(self, s, a):
        return [(5, 5, 2), (5, 12, 2)]
