"""Tree reuse in a match: the same as handing the tree on by hand, a seat and a game at a time."""

import pytest

from plain_games import Countdown
from ponder import MCTS, match, position
from ponder.arena.player import seated
from ponder.core.registry import parse_engine

START = position("tictactoe")


@pytest.mark.plain
def test_a_seat_goes_on_with_its_tree():
    player = seated(MCTS(simulations=400, reuse=True))
    first = player.search(START, seed=1)
    later = START.play(first.action).play(START.play(first.action).legal_actions[0])
    again = player.search(later, seed=2)
    by_hand = MCTS(simulations=400).search(later, seed=2, tree=first.tree)
    assert [tuple(row) for row in again.moves] == [tuple(row) for row in by_hand.moves]
    assert sum(row.visits for row in again.moves) > 400  # the new ones, and those brought along


def test_without_reuse_every_move_is_a_new_search():
    engine = MCTS(simulations=400)
    assert seated(engine) is engine


@pytest.mark.plain
def test_a_position_that_is_not_in_the_tree_begins_anew():
    player = seated(MCTS(simulations=400, reuse=True))
    player.search(START.play("a1"), seed=1)
    elsewhere = START.play("b2")
    result = player.search(elsewhere, seed=2)
    alone = MCTS(simulations=400).search(elsewhere, seed=2)
    assert [tuple(row) for row in result.moves] == [tuple(row) for row in alone.moves]


@pytest.mark.parametrize("text", ["mcts(simulations=60, reuse=True)", "strong(simulations=60)"])
def test_games_know_nothing_of_each_other(text):
    whole = match("connect4", text, "mcts(simulations=40)", games=4, seed=3)
    one = match("connect4", text, "mcts(simulations=40)", games=4, seed=3, jobs=2)
    assert [p.moves for p in whole.records] == [p.moves for p in one.records]


def test_reuse_changes_the_games_of_a_match():
    def games(text):
        played = match("connect4", text, "mcts(simulations=40)", games=2, seed=3)
        return [p.moves for p in played.records]

    assert games("mcts(simulations=60, reuse=True)") != games("mcts(simulations=60)")


def test_every_seat_has_a_memory_of_its_own():
    engine = parse_engine("strong(simulations=60)")
    assert seated(engine) is not seated(engine)


@pytest.mark.plain
def test_plain_python_games_are_searched_anew():
    result = match(
        Countdown(), "mcts(simulations=60, reuse=True)", "random()", games=2, openings=0, seed=1
    )
    assert result.games == 2
