"""The lowest utility is not below the highest."""

from countdown import Countdown

FINDING = "spec"
SAYS = "expected lowest < highest"


class Game(Countdown):
    def spec(self):
        return super().spec()._replace(lowest=1.0, highest=1.0)
