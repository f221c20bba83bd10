"""winning_action gives None where an action wins."""

from plain_countdown import PlainCountdown

FINDING = "winning_action"
SAYS = "winning_action gave None, but [12] wins"


class Game(PlainCountdown):
    def winning_action(self, state):
        return None
