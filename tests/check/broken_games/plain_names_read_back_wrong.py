"""parse_action reads another action."""

from plain_countdown import PlainCountdown

FINDING = "action_name"
SAYS = "'1', action 1, is read back as 2"


class Game(PlainCountdown):
    def parse_action(self, state, text):
        return 3 - int(text)
