"""The rules raise an error."""

from plain_countdown import PlainCountdown

FINDING = "raises"
SAYS = "legal_actions raised KeyError"


class Game(PlainCountdown):
    def legal_actions(self, state):
        return {}[state]
