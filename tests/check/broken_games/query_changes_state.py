"""legal_actions changes the state."""

from countdown import Countdown

FINDING = "query-changes-state"
SAYS = "legal_actions changes the state"


class Game(Countdown):
    def legal_actions(self, s, out):
        s.spare += 1
        out[0] = 0
        out[1] = 1
        return 2 if s.pile > 1 else 1
