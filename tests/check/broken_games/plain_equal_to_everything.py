"""States say that they are equal to everything: a search knows one state alone."""

from plain_countdown import PlainCountdown

FINDING = "equal"
SAYS = "the same by __eq__"


class Same(tuple):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


class Game(PlainCountdown):
    def start(self):
        return Same(super().start())

    def apply_action(self, state, n):
        return Same(super().apply_action(state, n))
