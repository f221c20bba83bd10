"""Two small games for checking rules: what a rule may meet is in one of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.game import CHANCE, Spec, record


class RuleDuel(NamedTuple):
    """Two players, four moves each, one to three to choose from; all hooks that rules may ask."""

    def spec(self) -> Spec:
        return Spec(players=2, max_actions=3, max_length=8, state=record(ply="i4", path="i4"))

    def start(self, s: Any) -> None:
        pass

    def current_player(self, s):
        return s.ply % 2

    def legal_actions(self, s, out):
        n = 3 - (s.path + s.ply) % 3
        for i in range(n):
            out[i] = 2 - i
        return n

    def apply_action(self, s, a):
        s.path = (3 * s.path + a + 1) % 1009
        s.ply += 1

    def is_terminal(self, s):
        return s.ply == 8 or (s.ply > 3 and s.path % 7 == 0)

    def returns(self, s, out):
        out[0] = s.path % 3 - 1.0
        out[1] = -out[0]

    def evaluate(self, s, out):
        out[0] = (s.path % 9 - 4.0) / 8.0
        out[1] = -out[0]

    def order(self, s, a):
        return float((s.path + a) % 3)

    def rollout_action(self, s, out, rng):
        self.legal_actions(s, out)
        return out[0]


class Party(NamedTuple):
    """Three players and a die; two turns in a row now and then; utilities from 0 to 10."""

    def spec(self) -> Spec:
        return Spec(
            players=3,
            max_actions=3,
            max_length=9,
            state=record(ply="i4", path="i4"),
            lowest=0.0,
            highest=10.0,
            zero_sum=False,
        )

    def start(self, s: Any) -> None:
        pass

    def current_player(self, s):
        if s.ply % 3 == 1:
            return CHANCE
        return (s.ply // 2 + s.path % 2) % 3

    def legal_actions(self, s, out):
        for i in range(3):
            out[i] = i
        return 3

    def chance_outcomes(self, s, out, p):
        for i in range(2):
            out[i] = i
        p[0] = 0.25
        p[1] = 0.75
        return 2

    def apply_action(self, s, a):
        s.path = (3 * s.path + a + 1) % 1009
        s.ply += 1

    def is_terminal(self, s):
        return s.ply == 9

    def returns(self, s, out):
        for p in range(3):
            out[p] = float((s.path * (p + 1)) % 11)

    def evaluate(self, s, out):
        for p in range(3):
            out[p] = 5.0

    def order(self, s, a):
        return float(a)
