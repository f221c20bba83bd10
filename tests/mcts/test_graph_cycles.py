"""Positions that repeat, searched as a graph: walks end, values are right."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ponder import MCTS, Position
from ponder.core.game import Spec, record
from ponder.jit import U

FIELDS = 4
LONGEST = 40


class Walk(NamedTuple):
    """Two players step a token left or right in turn; who reaches the right end wins a point.

    The left end costs nothing: the token stays. After 40 steps nobody has won. The state knows the
    steps, the key does not: positions repeat.
    """

    def spec(self) -> Spec:
        return Spec(2, 2, LONGEST, record(at="i8", mover="i8", winner="i8", steps="i8"))

    def start(self, s):
        s.at = 1
        s.winner = -1

    def current_player(self, s):
        return s.mover

    def legal_actions(self, s, out):
        out[0] = 0
        out[1] = 1
        return 2

    def apply_action(self, s, a):
        if a == 1:
            s.at += 1
        elif s.at > 0:
            s.at -= 1
        if s.at == FIELDS:
            s.winner = s.mover
        s.mover = 1 - s.mover
        s.steps += 1

    def is_terminal(self, s):
        return s.winner >= 0 or s.steps == LONGEST

    def returns(self, s, out):
        out[0] = 0.0
        out[1] = 0.0
        if s.winner >= 0:
            out[s.winner] = 1.0
            out[1 - s.winner] = -1.0

    def key(self, s):
        return U(s.at * 2 + s.mover + 1)


def exact(at, mover, steps, known):
    """The value for player 0, by plain minimax over all positions and steps."""
    place = (at, mover, steps)
    if place in known:
        return known[place]
    values = []
    for to in (max(at - 1, 0), at + 1):
        if to == FIELDS:
            values.append(1.0 if mover == 0 else -1.0)
        elif steps + 1 == LONGEST:
            values.append(0.0)
        else:
            values.append(exact(to, 1 - mover, steps + 1, known))
    known[place] = max(values) if mover == 0 else min(values)
    return known[place]


def test_positions_that_repeat_are_searched_to_an_end():
    start = Position(Walk())
    result = MCTS(transpositions=True).search(start, simulations=20_000, seed=1)
    assert result.simulations == 20_000
    assert sum(row.visits for row in result.moves) == 20_000
    assert result.tree.size <= 1 + 2 * 2 * FIELDS, "no position has children of its own twice"
    assert all(-1 <= row.value <= 1 for row in result.moves)
    assert start.play_all(result.line).history == result.line
    assert len(list(result.tree.walk())) <= result.tree.size


@pytest.mark.parametrize("moves", [(1,), (1, 1), (1, 0, 1, 0, 1)])
def test_the_best_move_of_a_game_with_cycles_is_found(moves):
    here = Position(Walk())
    at, mover = 1, 0
    for move in moves:
        here = here.play(move)
        at, mover = (at + 1 if move else max(at - 1, 0)), 1 - mover
    sign = 1 if mover == 0 else -1
    left = sign * exact(max(at - 1, 0), 1 - mover, len(moves) + 1, {})
    right = 1.0 if at + 1 == FIELDS else sign * exact(at + 1, 1 - mover, len(moves) + 1, {})
    assert left != right, "one move is to be better"
    result = MCTS(transpositions=True).search(here, simulations=5000, seed=1)
    assert result.action == int(right > left)
    if right == 1.0:
        assert result.value == pytest.approx(1.0, abs=0.1)
