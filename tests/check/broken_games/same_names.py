"""Two actions of one name."""

from countdown import Countdown

FINDING = "action_name"
SAYS = "both called 'take'"


class Game(Countdown):
    def action_name(self, s, a):
        return "take"
