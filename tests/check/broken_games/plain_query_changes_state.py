"""legal_actions changes the state."""

from plain_countdown import PlainCountdown

FINDING = "query-changes-state"
SAYS = "legal_actions changes the state"


class Game(PlainCountdown):
    def start(self):
        return [7, 0, 0]

    def legal_actions(self, state):
        state[2] += 1
        return [1, 2] if state[0] > 1 else [1]

    def apply_action(self, state, action):
        return [state[0] - action, 1 - state[1], 0]
