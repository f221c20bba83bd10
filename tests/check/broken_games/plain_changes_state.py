"""apply_action changes the old state."""

from plain_countdown import PlainCountdown

FINDING = "apply_action"
SAYS = "changes the old state"


class Game(PlainCountdown):
    def start(self):
        return [7, 0]

    def apply_action(self, state, action):
        state[0] -= action
        state[1] = 1 - state[1]
        return state
