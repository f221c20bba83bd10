"""spec itself fails."""

from countdown import Countdown

FINDING = "spec"
SAYS = "spec\\(\\) raised ZeroDivisionError"


class Game(Countdown):
    def spec(self):
        return 1 // 0
