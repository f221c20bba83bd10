"""A negative probability."""

from countdown import Countdown

from ponder import CHANCE

FINDING = "chance"
SAYS = "negative"


class Game(Countdown):
    def spec(self):
        return super().spec()._replace(max_length=14)

    def current_player(self, s):
        return CHANCE if s.spare == 0 else s.player

    def apply_action(self, s, a):
        if s.spare == 0:
            s.spare = 1
        else:
            s.pile -= a + 1
            s.player = 1 - s.player
            s.spare = 0

    def chance_outcomes(self, s, out, p):
        out[0], out[1] = 0, 1
        p[0], p[1] = 1.5, -0.5
        return 2
