"""Small games of ordinary Python objects, for tests of everything that must take those too."""

from __future__ import annotations


class Countdown:
    """Take 1 to `most` from the pile; who takes the last one wins."""

    def __init__(self, pile=5, most=2):
        self.pile, self.most = pile, most

    def start(self):
        return (self.pile, 0)

    def current_player(self, state):
        return state[1]

    def legal_actions(self, state):
        return [n for n in range(1, self.most + 1) if n <= state[0]]

    def apply_action(self, state, n):
        return (state[0] - n, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def returns(self, state):
        return (1, -1) if state[1] else (-1, 1)
