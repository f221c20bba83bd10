"""order gives a text."""

from plain_countdown import PlainCountdown

FINDING = "order"
SAYS = "order gave 'high' for action 1"


class Game(PlainCountdown):
    def order(self, state, action):
        return "high"
