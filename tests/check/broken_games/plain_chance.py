"""CHANCE is to move, but the game has no chance_outcomes."""

from plain_countdown import PlainCountdown

FINDING = "chance"
SAYS = "chance_outcomes is missing"


class Game(PlainCountdown):
    def current_player(self, state):
        return -1
