"""The result is drawn anew each time somebody asks."""

import random

from plain_countdown import PlainCountdown

FINDING = "memory"
SAYS = "outside the state"


class Game(PlainCountdown):
    def returns(self, state):
        won = random.uniform(-1, 1)
        return (won, -won)
