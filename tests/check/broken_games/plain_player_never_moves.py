"""Three players are declared, and two take turns."""

from plain_countdown import PlainCountdown

FINDING = "players"
SAYS = "player 2 moves in none of 6 games; there are said to be 3"


class Game(PlainCountdown):
    players = 3

    def returns(self, state):
        return (1, -1, 0) if state[1] else (-1, 1, 0)
