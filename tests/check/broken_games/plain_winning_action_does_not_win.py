"""winning_action gives an action that does not win."""

from plain_countdown import PlainCountdown

FINDING = "winning_action"
SAYS = "winning_action gave 1, which does not win"


class Game(PlainCountdown):
    def winning_action(self, state):
        return 1
