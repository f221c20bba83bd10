"""Rules of a user's may never return: wherever they are called from the main thread, a second
Ctrl-C is heard. That it then ends the process: tests/cli/test_hard_cases.py."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ponder import Position, Spec, record
from ponder.core import interrupt
from ponder.jit import COMPILED
from ponder.presets import plain_alphabeta, uct

HEARD = []
"""Was it so, at each call of the rules?"""


class Pile(NamedTuple):
    """Take one or two; in plain mode it can look around while it is called."""

    def spec(self):
        return Spec(players=2, max_actions=2, max_length=9, state=record(pile="i4", player="i4"))

    def start(self, s):
        s.pile = 9

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        HEARD.append(interrupt._block is not None)
        out[0], out[1] = 0, 1
        return min(2, s.pile)

    def apply_action(self, s, a):
        HEARD.append(interrupt._block is not None)
        s.pile -= a + 1
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.pile == 0

    def returns(self, s, out):
        out[s.player], out[1 - s.player] = -1.0, 1.0


@pytest.mark.plain
@pytest.mark.skipif(COMPILED, reason="the rules look around in plain Python")
@pytest.mark.parametrize(
    "call",
    [
        lambda here: here.play(0).legal_actions,
        lambda here: plain_alphabeta().search(here, depth=9),  # too short for a session
        lambda here: uct().search(here, simulations=5),
    ],
    ids=["a move", "a short search", "a session"],
)
def test_a_second_ctrl_c_is_heard_wherever_rules_of_a_users_are_called(call):
    here = Position(Pile())
    HEARD.clear()
    call(here)
    assert len(HEARD) >= 2
    assert all(HEARD)
