"""A sound plain Python game: take 1 or 2 from a pile; the last one wins."""

from __future__ import annotations


class PlainCountdown:
    """States are tuples (pile, player)."""

    players = 2

    def start(self):
        return (7, 0)

    def current_player(self, state):
        return state[1]

    def legal_actions(self, state):
        return [n for n in (1, 2) if n <= state[0]]

    def apply_action(self, state, action):
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def returns(self, state):
        return (1, -1) if state[1] else (-1, 1)
