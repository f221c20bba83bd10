"""Limits: depth in whole moves, as a lecture counts it."""

from __future__ import annotations

import pytest

from ponder import InputError, Limit, Minimax, position


def lecture_value(s, depth, agent):
    """V(s, d) with d taken off at the opponent's turn, cut off at d = 0 by the evaluation."""
    if s.is_terminal:
        return s.returns[agent]
    if depth == 0:
        return s.rules.evaluate(s.raw_state)[agent]
    mine = s.current_player == agent
    values = [lecture_value(s.play(a), depth - (not mine), agent) for a in s.legal_actions]
    return max(values) if mine else min(values)


@pytest.mark.parametrize("moves", [1, 2])
def test_whole_moves_are_what_a_lecture_calls_depth(moves):
    s = position("breakthrough(columns=3, rows=5)")
    for _ in range(2):  # by either player
        found = Minimax().search(s, Limit.whole_moves(moves))
        assert found.value == lecture_value(s, moves, s.current_player)
        s = s.play(s.legal_actions[0])


def test_a_whole_move_is_a_ply_of_every_player():
    assert Limit.whole_moves(4) == Limit(depth=8)
    assert Limit.whole_moves(2, players=3) == Limit(depth=6)
    with pytest.raises(InputError, match="depth must be a whole number above 0"):
        Limit.whole_moves(0)
