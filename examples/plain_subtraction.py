"""Subtraction as a plain Python game: states and actions are ordinary Python values.

ponder check examples/plain_subtraction.py:PlainSubtraction
ponder play examples/plain_subtraction.py:PlainSubtraction
"""

from __future__ import annotations


class PlainSubtraction:
    """States are pairs: the counters left, and whose turn it is. Actions are 1, 2 and 3."""

    players = 2

    def __init__(self, counters: int = 21) -> None:
        self.counters = counters

    def start(self):
        return (self.counters, 0)

    def current_player(self, state):
        return state[1]

    def legal_actions(self, state):
        return [n for n in (1, 2, 3) if n <= state[0]]

    def apply_action(self, state, n):
        return (state[0] - n, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def returns(self, state):
        return (-1, 1) if state[1] == 0 else (1, -1)

    def board_text(self, state):
        return f"{'| ' * state[0]}({state[0]} left)"
