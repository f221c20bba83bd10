"""legal_actions forgets the array."""

from countdown import Countdown

FINDING = "signature"
SAYS = "legal_actions takes \\(self, s\\), expected legal_actions\\(self, s, out\\)"


class Game(Countdown):
    def legal_actions(self, s):
        return 1
