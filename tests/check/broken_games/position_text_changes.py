"""parse_position reads another position."""

from countdown import Countdown

FINDING = "position_text"
SAYS = "reads back as"


class Game(Countdown):
    def position_text(self, s):
        return f"{s.pile}/{s.player}"

    def parse_position(self, text, s):
        s.pile = int(text[0]) - 1
        s.player = int(text[-1])
