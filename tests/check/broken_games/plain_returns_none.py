"""apply_action changes the state in place and returns nothing."""

from plain_countdown import PlainCountdown

FINDING = "apply_action"
SAYS = "returned None"


class Game(PlainCountdown):
    def start(self):
        return [7, 0]

    def apply_action(self, state, action):
        state[0] -= action
        state[1] = 1 - state[1]
