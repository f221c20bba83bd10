"""The rules keep a counter outside the state, in a table of their own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from countdown import Countdown

from ponder.jit import take_methods

FINDING = "memory"
SAYS = "outside the state"


class Game(Countdown):
    def rules(self):
        return Rules(np.zeros(1, np.int64))


class Rules(NamedTuple):
    counter: Any

    def apply_action(self, s, a):
        self.counter[0] += 1
        s.spare = self.counter[0]
        s.pile -= a + 1
        s.player = 1 - s.player


take_methods(Rules, Countdown)
