"""A generator that never ends."""

import itertools

from plain_countdown import PlainCountdown

FINDING = "count"
SAYS = "legal_actions gave more than 1,048,576 values"


class Game(PlainCountdown):
    def legal_actions(self, state):
        return itertools.count(1)
