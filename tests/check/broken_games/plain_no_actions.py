"""No legal action, and yet the game is not over."""

from plain_countdown import PlainCountdown

FINDING = "no-actions"
SAYS = "no legal actions"


class Game(PlainCountdown):
    def legal_actions(self, state):
        return [2] if state[0] > 1 else []
