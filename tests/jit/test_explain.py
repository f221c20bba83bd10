"""Games that do not compile: one line that names the game, the place and the fault."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ponder import CompileError, GameError, Position, Spec, record


class Misspelt(NamedTuple):
    def spec(self):
        return Spec(2, 2, 4, record(ply="i4"))

    def start(self, s):
        s.plly = 0

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        return 0

    def apply_action(self, s, a):
        s.ply += 1

    def is_terminal(self, s):
        return False

    def returns(self, s, out):
        out[0] = 0.0


class WrongIndex(NamedTuple):
    def spec(self):
        return Spec(2, 2, 4, record(ply="i4", cells=("i1", 3)))

    def start(self, s):
        s.cells[0.5] = 1

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        return 0

    def apply_action(self, s, a):
        s.ply += 1

    def is_terminal(self, s):
        return False

    def returns(self, s, out):
        out[0] = 0.0


class Raises(NamedTuple):
    def spec(self):
        return Spec(2, 2, 4, record(ply="i4"))

    def start(self, s):
        if s.ply == 0:
            raise ValueError("the box is empty")

    def current_player(self, s):
        return 0

    def legal_actions(self, s, out):
        return 0

    def apply_action(self, s, a):
        s.ply += 1

    def is_terminal(self, s):
        return False

    def returns(self, s, out):
        out[0] = 0.0


@pytest.mark.parametrize(
    ("game", "kind", "words"),
    [
        (Misspelt(), CompileError, ["Misspelt", "plly", "field"]),
        (WrongIndex(), CompileError, ["WrongIndex", "setitem", "float64", "test_explain.py, line"]),
        (Raises(), GameError, ["Raises", "ValueError", "the box is empty"]),
    ],
)
def test_a_broken_game_is_explained_in_one_line(game, kind, words):
    with pytest.raises(kind) as caught:
        Position(game)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    for word in words:
        assert word in message
