"""The mirror image keeps the player, but not the actions."""

from countdown import Countdown

FINDING = "symmetry"
SAYS = "symmetry 1"


class Game(Countdown):
    def symmetries(self):
        return 2

    def transform(self, s, k, t):
        t.pile = s.pile
        t.player = s.player
        t.spare = s.spare

    def transform_action(self, a, k):
        return a + k
