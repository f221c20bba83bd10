"""A signed and an unsigned number: plain Python and compiled code differ."""

from countdown import Countdown
from numba.extending import overload

FINDING = "disagree"
SAYS = "when compiled"


def whichever():
    return 1


@overload(whichever)
def _whichever():
    return lambda: 2


class Game(Countdown):
    def apply_action(self, s, a):
        s.pile -= a + 1
        s.player = 1 - s.player
        s.spare = whichever()
