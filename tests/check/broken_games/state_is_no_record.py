"""The state is a plain number."""

import numpy as np
from countdown import Countdown

FINDING = "spec"
SAYS = "expected a record dtype"


class Game(Countdown):
    def spec(self):
        return super().spec()._replace(state=np.dtype("i4"))
