"""Subtraction: take 1, 2 or 3 counters from a pile; whoever takes the last one wins.

    ponder check examples/subtraction.py:Subtraction
    ponder play examples/subtraction.py:Subtraction

The same game for plain Python objects: examples/plain_subtraction.py
"""

from __future__ import annotations

from typing import NamedTuple

from ponder import Spec, record


class Subtraction(NamedTuple):
    """Take 1, 2 or 3 counters from a pile; whoever takes the last one wins."""

    counters: int = 21

    def spec(self):
        return Spec(
            players=2,
            max_actions=3,
            max_length=self.counters,
            state=record(pile="i4", player="i4"),
        )

    def start(self, s):
        s.pile = self.counters

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        n = min(3, s.pile)
        for i in range(n):
            out[i] = i
        return n

    def apply_action(self, s, a):
        s.pile -= a + 1
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.pile == 0

    def returns(self, s, out):
        out[s.player] = -1.0
        out[1 - s.player] = 1.0

    # for people

    def action_name(self, s, a):
        return str(a + 1)

    def board_text(self, s):
        return f"{'| ' * s.pile}({s.pile} left)"
