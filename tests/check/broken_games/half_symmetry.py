"""symmetries without transform."""

from countdown import Countdown

FINDING = "missing"
SAYS = "symmetries needs transform"


class Game(Countdown):
    def symmetries(self):
        return 2
