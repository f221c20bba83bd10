"""A method of the contract is missing."""

from countdown import Countdown

FINDING = "missing"
SAYS = "lacks is_terminal"


class Game(Countdown):
    is_terminal = None
