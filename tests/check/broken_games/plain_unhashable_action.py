"""Actions are lists."""

from plain_countdown import PlainCountdown

FINDING = "unhashable"
SAYS = "cannot be hashed"


class Game(PlainCountdown):
    def legal_actions(self, state):
        return [[1]]

    def apply_action(self, state, action):
        return (state[0] - action[0], 1 - state[1])
