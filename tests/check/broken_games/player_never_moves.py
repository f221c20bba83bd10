"""The turn never passes to the other player."""

from countdown import Countdown

FINDING = "players"
SAYS = "player 1 moves in none of 6 games; there are said to be 2"


class Game(Countdown):
    def apply_action(self, s, a):
        s.pile -= a + 1
