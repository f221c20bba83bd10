"""order gives no number."""

import numpy as np
from countdown import Countdown

FINDING = "order"
SAYS = "order gave nan"


class Game(Countdown):
    def order(self, s, a):
        return np.nan
