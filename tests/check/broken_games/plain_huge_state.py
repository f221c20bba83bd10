"""A state of a million cells."""

from plain_countdown import PlainCountdown

FINDING = "state-size"
SAYS = "bytes when it is written, accepted: up to 1,048,576"


class Game(PlainCountdown):
    def start(self):
        return (*super().start(), (0,) * 1_000_000)
