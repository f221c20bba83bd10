"""The range of utilities under a name that nobody asks for."""

from plain_countdown import PlainCountdown

FINDING = "hook"
SAYS = "^utilites is never asked for; did you mean utilities"


class Game(PlainCountdown):
    utilites = (-1, 1)
