"""position_text leaves out whose turn it is."""

from countdown import Countdown

FINDING = "position_text"
SAYS = "reads back as a position with another player"


class Game(Countdown):
    def position_text(self, s):
        return str(s.pile)

    def parse_position(self, text, s):
        s.pile = int(text)
        s.player = 0
