"""returns takes no state."""

from plain_countdown import PlainCountdown

FINDING = "signature"
SAYS = "returns takes \\(self\\), expected returns\\(self, state\\)"


class Game(PlainCountdown):
    def returns(self):
        return (0, 0)
