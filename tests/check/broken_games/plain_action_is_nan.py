"""An action that is not equal to itself is never found again."""

from plain_countdown import PlainCountdown

FINDING = "unequal"
SAYS = "not equal to itself"


class Game(PlainCountdown):
    def legal_actions(self, state):
        return [float("nan")]

    def apply_action(self, state, n):
        return super().apply_action(state, 1)
