"""Utilities beyond the range."""

from plain_countdown import PlainCountdown

FINDING = "returns"
SAYS = "outside \\[-1, 1\\]"


class Game(PlainCountdown):
    def returns(self, state):
        return (10, -10)
