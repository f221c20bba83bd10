"""No Ctrl-C is lost: one that comes at any moment of a block is asked about or raised.

Rules of a user's may never return: wherever they are called from the main thread, a second Ctrl-C
is heard. That it then ends the process: tests/cli/test_hard_cases.py."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import NamedTuple

import pytest

from ponder import Limit, Position, Spec, match, record
from ponder.core import interrupt
from ponder.core.driver import drive
from ponder.core.registry import parse_engine
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


def press():
    signal.raise_signal(signal.SIGINT)


@pytest.mark.plain
def test_a_press_that_nobody_asked_about_is_raised_at_the_end_of_the_block():
    done = []

    def block():
        with interrupt.interruptible() as pressed:
            assert not pressed.is_set()
            press()
            done.append("the rest of the block")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert done


@pytest.mark.plain
def test_a_press_that_was_asked_about_is_not_raised():
    with interrupt.interruptible() as pressed:
        press()
        assert pressed.is_set()


@pytest.mark.plain
def test_a_press_in_an_inner_block_is_known_to_the_outer_one():
    with interrupt.interruptible() as outer:
        with interrupt.interruptible():
            press()
        assert outer.is_set()


@pytest.mark.plain
def test_a_press_that_comes_with_the_end_of_a_search_is_told():
    def last_moment(told):
        if not pressed:
            pressed.append(told)
            press()

    pressed = []
    result = uct().search(
        Position(Pile()), seconds=60, stop=None, progress=last_moment, simulations=10**9
    )
    assert result.stopped_by == "interrupt"
    assert drive(Done(), Limit(nodes=1)) == "interrupt"


class Done:
    """A run that has nothing left to do; somebody presses Ctrl-C while it is brought to rest."""

    unit, done, ended, milestone = "nodes", 0, "solved", 0

    def allow(self, limit):
        pass

    def pause(self):
        press()


@pytest.mark.plain
def test_a_match_that_was_pressed_in_any_players_search_ends(tmp_path):
    class Deaf:
        """A player that hears nothing of the press that comes while it thinks."""

        name = "deaf"

        def search(self, position, limit=None, *, seed=None):
            with interrupt.interruptible():
                if len(position.history) == 2:
                    press()
                return parse_engine("random()").search(position, seed=seed)

    result = match("tictactoe", Deaf(), "random()", games=50, seed=1)
    assert result.interrupted
    assert len(result.records) < 2


@pytest.mark.plain
def test_processes_that_are_begun_unheard_live_through_a_press():
    program = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('alive')"
    with interrupt.unheard():
        done = subprocess.run(
            [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stdout) == (0, "alive\n")
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, []) & {signal.SIGINT}
