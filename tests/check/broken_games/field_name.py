"""A field of the state has the name of an attribute that every NumPy record has."""

from countdown import Countdown

from ponder import record

FINDING = "spec"
SAYS = "field 'size' is hidden"


class Game(Countdown):
    def spec(self):
        return super().spec()._replace(state=record(size="i4", pile="i4", player="i4"))
