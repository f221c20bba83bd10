"""cells gives a code that the board does not have."""

from plain_countdown import PlainCountdown

from ponder.core.geometry import Geometry

FINDING = "cells"
SAYS = "cells gave 7; codes are 0 to 3"


class Game(PlainCountdown):
    board = Geometry(rows=1, columns=1, codes=4)

    def cells(self, state, player):
        return state[:1]
