"""The key of a state does not say who is to move."""

from plain_countdown import PlainCountdown

FINDING = "equal"
SAYS = "the same by key"


class Game(PlainCountdown):
    def key(self, state):
        return 0
