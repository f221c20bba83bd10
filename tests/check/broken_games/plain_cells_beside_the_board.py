"""cells gives more codes than the board has cells."""

from plain_countdown import PlainCountdown

from ponder.core.geometry import Geometry

FINDING = "cells"
SAYS = "cells gave 2 codes; the board has 1 cells"


class Game(PlainCountdown):
    board = Geometry(rows=1, columns=1, codes=8)

    def cells(self, state, player):
        return state
