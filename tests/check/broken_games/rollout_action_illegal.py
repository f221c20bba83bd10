"""rollout_action gives an action that is not legal."""

from countdown import Countdown

FINDING = "rollout_action"
SAYS = "not legal here"


class Game(Countdown):
    def rollout_action(self, s, out, rng):
        return 1
