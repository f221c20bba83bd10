"""The rules change, once and for all, when 150 moves have been made."""

from plain_countdown import PlainCountdown

FINDING = "memory"
SAYS = "a different game later: .* outside the state"


class Game(PlainCountdown):
    def __init__(self):
        self.moves = 0

    def apply_action(self, state, action):
        self.moves += 1
        return (state[0] - action, 1 - state[1])

    def legal_actions(self, state):
        actions = super().legal_actions(state)
        return actions if self.moves < 150 else actions[::-1]
