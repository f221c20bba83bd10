"""Mistakes on solved positions, and games recovered from what a run keeps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ponder import position, solve
from ponder.learn.sample_games import sample_games
from ponder.learn.solved_positions import mistakes, solved_positions

START = position("tictactoe")


@pytest.fixture(scope="module")
def solved():
    return solved_positions(START, 12)


def test_solved_positions_are_worth_what_solve_says(solved):
    assert len({one.position.key for one in solved}) == 12
    for here, values in solved:
        known = {move.action: move.value for move in solve(here, method="minimax").moves}
        assert values == known
        assert len(set(values.values())) > 1  # a mistake is possible


def test_games_with_dice_or_more_players_have_none():
    assert solved_positions(position("pig")) == []
    assert solved_positions(position("connect4(columns=4, rows=4, players=3)")) == []
    assert mistakes([], None) is None


def player(solved, policy, search):
    """One whose likeliest and whose chosen move are the best (max) or the worst (min) there is."""
    by_key = {one.position.key: one.values for one in solved}

    def found(here, seed):
        values = by_key[here.key]
        likeliest = policy(values, key=values.get)
        rows = [SimpleNamespace(action=a, prior=float(a == likeliest)) for a in values]
        return SimpleNamespace(moves=rows, action=search(values, key=values.get))

    return SimpleNamespace(search=found)


def test_a_mistake_is_a_move_worth_less_than_the_best(solved):
    assert mistakes(solved, player(solved, max, max)) == (12, 0.0, 0.0)
    assert mistakes(solved, player(solved, min, max)) == (12, 1.0, 0.0)
    assert mistakes(solved, player(solved, max, min)) == (12, 0.0, 1.0)


def test_games_are_recovered_move_by_move(trained):
    """They are legal games with the result that the run has learned from."""
    games = sample_games(trained.folder, START, 4)
    assert len(games) == 4
    played = trained.replay.played
    for game in games:
        end = START.play_all(game.moves)
        assert end.is_terminal
        assert end.returns == game.returns
        rows = played.games == game.number
        assert played.results[rows][0].tolist() == list(game.returns)
        assert len(game.moves) == rows.sum()
