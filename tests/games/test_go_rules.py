"""The rules of Go: against OpenSpiel step by step, and cases made by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder import InputError, position
from ponder.core.game import new_states
from ponder.core.rng import new_rng
from ponder.games.go import Go, final_score, ownership


def compare_games(start, spiel_game, games, seed, pass_rate=1.0):
    """Random games in both programs; returns steps and how often superko forbade a move.

    OpenSpiel lets a player repeat a board and then calls the game a draw; here it is illegal. So
    every legal move of OpenSpiel that is missing here must end its game in a draw at once.
    Moves are uniform, but of the passes only `pass_rate` are kept where other moves exist.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(spiel_game)
    rng = random.Random(seed)
    steps = repeats = 0
    for _ in range(games):
        ours, theirs = start, game.new_initial_state()
        while not ours.is_terminal:
            steps += 1
            assert not theirs.is_terminal()
            assert ours.current_player == theirs.current_player()
            legal, spiel_legal = ours.legal_actions, theirs.legal_actions()
            if list(legal) != spiel_legal:
                assert set(legal) < set(spiel_legal), str(ours)
                for action in set(spiel_legal) - set(legal):
                    repeated = theirs.child(action)
                    assert repeated.is_terminal(), f"{ours}\n{ours.action_name(action)}"
                    assert repeated.returns() == [0, 0]
                    repeats += 1
            action = rng.choice(legal)
            if action == legal[-1] and len(legal) > 1 and rng.random() >= pass_rate:
                action = rng.choice(legal[:-1])
            ours = ours.play(action)
            theirs.apply_action(action)
        assert theirs.is_terminal()
        assert list(ours.returns) == theirs.returns(), str(ours)
    return steps, repeats


def test_9x9_agrees_with_openspiel_at_every_step():
    start = position("go(size=9, komi=7.5)")
    steps, _ = compare_games(start, "go(board_size=9,komi=7.5)", 500, seed=1)
    assert steps > 500 * 50


def test_19x19_agrees_with_openspiel_at_every_step():
    start = position("go(size=19, komi=0.5)")
    steps, _ = compare_games(start, "go(board_size=19,komi=0.5)", 500, seed=2)
    assert steps > 500 * 100


def test_small_boards_agree_with_openspiel_where_superko_matters_most():
    seen = 0
    for size, games in ((2, 300), (3, 300), (5, 300)):
        start = position(Go(size=size, komi=float(size % 2), max_length=20 * size))
        spiel = f"go(board_size={size},komi={size % 2}.0,max_game_length={20 * size})"
        _, repeats = compare_games(start, spiel, games, seed=size, pass_rate=0.1)
        seen += repeats
    assert seen > 1000
