"""max_actions of the spec is 0."""

from countdown import Countdown

FINDING = "spec"
SAYS = "max_actions is 0"


class Game(Countdown):
    def spec(self):
        return super().spec()._replace(max_actions=0)
