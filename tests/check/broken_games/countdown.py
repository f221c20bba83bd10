"""A sound game for the broken ones to inherit from: take 1 or 2 from a pile; the last one wins."""

from __future__ import annotations

from typing import NamedTuple

from ponder import Spec, record


class Countdown(NamedTuple):
    """Action 0 takes one counter, action 1 takes two."""

    def spec(self):
        return Spec(
            players=2, max_actions=2, max_length=7, state=record(pile="i4", player="i4", spare="i4")
        )

    def start(self, s):
        s.pile = 7

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        out[0] = 0
        if s.pile == 1:
            return 1
        out[1] = 1
        return 2

    def apply_action(self, s, a):
        s.pile -= a + 1
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.pile <= 0

    def returns(self, s, out):
        out[s.player] = -1.0
        out[1 - s.player] = 1.0
