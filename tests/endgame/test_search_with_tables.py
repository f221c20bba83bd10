"""Alpha-beta asks endgame tables: the right value at once, where the file fits."""

from __future__ import annotations

import pytest

from ponder import AlphaBeta, InputError, position
from ponder.endgame.tables import build

MATE = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"


@pytest.fixture(scope="module")
def chess_tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    build(position("chess"), classes="KQK", folder=folder)
    return folder


def test_a_shallow_search_knows_the_distance_to_mate(chess_tables):
    here = position("chess", MATE)
    known = AlphaBeta(endgame=str(chess_tables)).search(here, depth=2)
    assert known.value == 1.0
    plies = int(known.notes[0].split(" in ")[1].split()[0])
    assert 1 <= plies <= 19
    # without the table two plies see no mate
    assert AlphaBeta().search(here, depth=2).value < 1.0
    # the move chosen keeps the promise: the rest of the way is one ply shorter
    after = here.play(known.action)
    reply = AlphaBeta(endgame=str(chess_tables)).search(after, depth=2)
    assert reply.value == -1.0
    assert f"in {plies - 1} plies" in reply.notes[0]


def test_captures_beyond_the_horizon_end_in_the_table(chess_tables):
    # Black can move the king only; then White takes the last pawn, which depth 1 does not reach.
    here = position("chess", "7k/8/8/8/8/p7/K7/3Q4 b - - 0 1")
    engine = AlphaBeta(endgame=str(chess_tables))
    assert engine.search(here, depth=1).value == -1.0
    assert engine._replace(quiescence=False).search(here, depth=1).value > -1.0
    assert AlphaBeta().search(here, depth=1).value > -1.0


def test_a_folder_without_a_fitting_table_is_refused_or_changes_nothing(tmp_path):
    with pytest.raises(InputError):
        AlphaBeta(endgame=str(tmp_path / "nowhere")).search(position("chess", MATE), depth=2)
