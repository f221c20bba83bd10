"""Endgame tables in a Monte Carlo search: leaves that a table knows have their exact values."""

from __future__ import annotations

import pytest

from ponder import MCTS, InputError, Position, position
from ponder.endgame.tables import build, open_tables
from ponder.evaluate import Probed
from reference.naive_tictactoe import NaiveTicTacToe
from reference.whole_game import solve_all


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """All positions that can be reached after a1 b2."""
    folder = tmp_path_factory.mktemp("tables")
    build(position("tictactoe").play_all("a1 b2"), folder=folder)
    return str(folder)


def test_every_leaf_in_the_table_has_its_exact_value(table):
    start = position("tictactoe").play_all("a1 b2")
    known = {k.position.key: k for k in solve_all(start).values()}
    for moves in ("", "c1", "c1 b1", "c3 a2"):
        here = start.play_all(moves)
        choices = len(here.legal_actions)
        result = MCTS(evaluate=Probed(table)).search(here, simulations=choices, seed=1)
        for row in result.moves:
            exact = known[here.play(row.action).key].value
            assert (row.visits, row.value) == (1, -exact if here.current_player else exact)


def test_a_ply_may_cost_a_little_so_that_the_sooner_win_is_the_better(table):
    tables = open_tables("tictactoe", table)
    here = position("tictactoe").play_all("a1 b2 c3")  # corners against the centre
    result = MCTS(evaluate=Probed(table, step=0.01)).search(here, simulations=6, seed=1)
    seen = set()
    for row in result.moves:
        found = tables.probe(here.play(row.action))
        assert row.value == pytest.approx(-found.value * (1 - 0.01 * found.distance))
        seen.add(found.value)
    assert len(seen) == 2


def test_leaves_that_are_not_in_the_table_are_left_to_the_rule_inside(table):
    start = position("tictactoe").play_all("b1 a1")  # another corner: not in the table
    assert (
        MCTS(evaluate=Probed(table)).search(start, simulations=300, seed=3).moves
        == MCTS().search(start, simulations=300, seed=3).moves
    )


def test_what_tables_cannot_do_is_refused(table, tmp_path):
    with pytest.raises(InputError, match="no endgame table of tictactoe"):
        MCTS(evaluate=Probed(str(tmp_path))).search(position("tictactoe"), simulations=1)
    with pytest.raises(InputError, match="probed is for compiled games"):
        MCTS(evaluate=Probed(table)).search(Position(NaiveTicTacToe()), simulations=1)
    with pytest.raises(InputError, match="two players"):
        MCTS(evaluate=Probed(table)).search(position("connect4(players=3)"), simulations=1)
