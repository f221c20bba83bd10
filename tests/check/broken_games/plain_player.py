"""A player who does not exist."""

from plain_countdown import PlainCountdown

FINDING = "player"
SAYS = "current_player gave 'x'"


class Game(PlainCountdown):
    def current_player(self, state):
        return "xo"[state[1]]
