"""The pile is empty before anybody has moved."""

from plain_countdown import PlainCountdown

FINDING = "over"
SAYS = "over at the start"


class Game(PlainCountdown):
    def start(self):
        return (0, 0)
