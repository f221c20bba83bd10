"""The same action twice."""

from plain_countdown import PlainCountdown

FINDING = "duplicate"
SAYS = "list 1 more than once"


class Game(PlainCountdown):
    def legal_actions(self, state):
        return [1, 1]
