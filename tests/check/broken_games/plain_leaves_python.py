"""Would end the program without a word."""

import sys

from plain_countdown import PlainCountdown

FINDING = "raises"
SAYS = "apply_action raised SystemExit"


class Game(PlainCountdown):
    def apply_action(self, state, n):
        sys.exit(0)
