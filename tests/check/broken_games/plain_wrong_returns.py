"""One utility for two players."""

from plain_countdown import PlainCountdown

FINDING = "returns"
SAYS = "gave 1 utilities for 2 players"


class Game(PlainCountdown):
    def returns(self, state):
        return (1,)
