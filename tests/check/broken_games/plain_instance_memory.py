"""The game object remembers the moves."""

from plain_countdown import PlainCountdown

FINDING = "memory"
SAYS = "outside the state"


class Game(PlainCountdown):
    def __init__(self):
        self.moves = 0

    def apply_action(self, state, action):
        self.moves += 1
        return (state[0] - action, 1 - state[1], self.moves)
