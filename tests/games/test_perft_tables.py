"""Counts of move sequences against tables that other programs printed.

The tables name perft(0), perft(1) ...; a finished game contributes 0 and a pass is a ply.
"""

from __future__ import annotations

import numpy as np
import pytest

from ponder import perft, position
from ponder.core.game import new_states
from ponder.jit import kernel

DEEPEST = 9


def counts(corpora, file: str, game: str) -> list[int]:
    """The row of a game: perft(0), perft(1) ..."""
    for line in (corpora / "perft" / file).read_text().splitlines():
        words = line.split("\t")
        if game in words[:2] and not line.startswith("#"):
            row = words[words.index(game) + 1]
            return [int(n) for n in row.split()]
    raise AssertionError(f"no {game} in {file}")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("tictactoe", "tic_tac_toe"),
        ("connect4", "connect_four"),
        ("othello", "othello"),
        ("nim", "nim"),
        ("nim(misere=True)", "nim"),
    ],
)
def test_perft_equals_openspiels(ours, theirs, corpora):
    expected = counts(corpora, "oracle_perft_pyspiel_pyffish.tsv", theirs)
    start = position(ours)
    assert [perft(start, depth) for depth in range(len(expected))] == expected
    assert len(expected) >= DEEPEST


@kernel
def finished(game, states, actions, path, ply, depth, found, n):
    """Write the move sequences of length `depth` that end the game; returns how many."""
    s = states[ply]
    if game.is_terminal(s):
        if ply == depth:
            for i in range(depth):
                found[n, i] = path[i]
            return n + 1
        return n
    if ply == depth:
        return n
    for i in range(game.legal_actions(s, actions[ply])):
        states[ply + 1] = s
        path[ply] = actions[ply, i]
        game.apply_action(states[ply + 1], actions[ply, i])
        n = finished(game, states, actions, path, ply + 1, depth, found, n)
    return n


def test_published_othello_counts_differ_only_by_a_pass_after_the_end(corpora):
    """The published table lets a player without a move pass even where the game is over.

    The shortest games end after nine moves, with one colour wiped out, so from ply 10 on the
    table counts one more sequence for each of them. OpenSpiel confirms that they are over.
    """
    pyspiel = pytest.importorskip("pyspiel")
    expected = counts(corpora, "othello.tsv", "othello")
    start = position("othello")
    assert [perft(start, depth) for depth in range(10)] == expected[:10]
    rules, depth = start.rules, 9
    states = new_states(rules.spec.state, depth + 1)
    states[0] = start.raw_state[0]
    actions = np.zeros((depth + 1, rules.spec.max_actions), np.int32)
    found = np.zeros((1000, depth), np.int32)
    n = finished(rules.part, states, actions, np.zeros(depth, np.int32), 0, depth, found, 0)
    assert perft(start, 10) + n == expected[10]
    game = pyspiel.load_game("othello")
    for sequence in found[:n].tolist():
        state = game.new_initial_state()
        for action in sequence:
            assert not state.is_terminal()
            state.apply_action(action)
        assert state.is_terminal()
