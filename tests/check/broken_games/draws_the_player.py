"""Who is to move is drawn anew each time somebody asks."""

import random

from countdown import Countdown

FINDING = "memory"
SAYS = "outside the state"


class Game(Countdown):
    def current_player(self, s):
        return 0 if random.random() < 0.5 else 1
