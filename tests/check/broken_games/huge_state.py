"""A record of a million cells."""

from countdown import Countdown

from ponder import record

FINDING = "spec"
SAYS = "state takes 1,000,0.. bytes, accepted: up to 262,144"


class Game(Countdown):
    def spec(self):
        state = record(pile="i4", player="i4", cells=("i1", 1_000_000))
        return super().spec()._replace(state=state)
