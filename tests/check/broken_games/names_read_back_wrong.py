"""parse_action reads another action."""

from countdown import Countdown

FINDING = "action_name"
SAYS = "is read back as"


class Game(Countdown):
    def action_name(self, s, a):
        return str(a + 1)

    def parse_action(self, s, text):
        return 2 - int(text)
