"""Who is to move is drawn anew each time somebody asks."""

import random

from plain_countdown import PlainCountdown

FINDING = "memory"
SAYS = "outside the state"


class Game(PlainCountdown):
    def current_player(self, state):
        return random.randrange(2)
