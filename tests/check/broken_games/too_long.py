"""Games last longer than max_length promises."""

from countdown import Countdown

FINDING = "max-length"
SAYS = "not over after 3 actions"


class Game(Countdown):
    def spec(self):
        return super().spec()._replace(max_length=3)
