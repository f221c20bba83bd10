"""A plain game without is_terminal."""

from plain_countdown import PlainCountdown

FINDING = "missing"
SAYS = "lacks is_terminal"


class Game(PlainCountdown):
    is_terminal = None
