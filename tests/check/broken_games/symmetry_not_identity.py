"""Symmetry 0 is not the identity."""

from countdown import Countdown

FINDING = "symmetry"
SAYS = "must be the identity"


class Game(Countdown):
    def symmetries(self):
        return 1

    def transform(self, s, k, t):
        t.pile = s.pile
        t.player = s.player
        t.spare = s.spare + 1

    def transform_action(self, a, k):
        return a
