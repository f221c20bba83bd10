"""A dictionary of strings in the rules."""

from countdown import Countdown

FINDING = "compile"
SAYS = "does not compile"


class Game(Countdown):
    def apply_action(self, s, a):
        taken = {"none": 0, 3: "three"}
        s.pile -= a + len(taken) - 1
        s.player = 1 - s.player
