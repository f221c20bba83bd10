"""A utility is not a number."""

import numpy as np
from countdown import Countdown

FINDING = "returns"
SAYS = "nothing, or nan"


class Game(Countdown):
    def returns(self, s, out):
        out[0] = np.nan
        out[1] = 0.0
