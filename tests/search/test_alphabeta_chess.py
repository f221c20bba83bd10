"""Alpha-beta on chess: mates, quiescence, null moves and zugzwang."""

from __future__ import annotations

import pytest

from ponder import AlphaBeta, Position, position
from ponder.core.game import rules_of
from ponder.games.chess.game import Chess


def chess(fen: str) -> Position:
    return Position.parse(Chess(), fen)


def test_every_mate_in_two_is_found_at_its_depth(corpora):
    lines = (corpora / "chess" / "mate2.fen").read_text().split("\n")
    positions = [chess(" ".join(line.split()[:4]) + " 0 1") for line in lines if line.strip()]
    assert len(positions) == 212
    engine = AlphaBeta(memory=4)
    for here in positions:
        result = engine.search(here, depth=3)
        assert result.value == 1, here
        assert result.stopped_by == "solved"
        end = here.play_all(result.pv)
        assert end.is_terminal
        assert end.returns[here.current_player] == 1
        assert f"wins in {len(result.line)} plies" in result.notes[0]
        assert len(result.line) in (1, 3)


def test_quiescence_sees_that_a_check_leaves_no_time_to_stand_pat():
    # Black has just taken on a1 with check: White is mated, whatever the material says
    here = chess("6k1/8/8/8/8/8/q4PPP/R5K1 b - - 0 1")
    result = AlphaBeta().search(here, depth=1)
    assert (result.value, result.best_move.name) == (1, "a2a1")


def test_quiescence_ends_a_search_of_one_ply_after_the_captures():
    # the queen can take a protected pawn: without quiescence that looks like a pawn won
    here = chess("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1")
    assert AlphaBeta(quiescence=False).search(here, depth=1).best_move.name == "d2d6"
    assert AlphaBeta().search(here, depth=1).best_move.name != "d2d6"


def test_a_pass_changes_the_turn_and_the_key_and_nothing_on_the_board():
    rules = rules_of(Chess())
    here = chess("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3")
    state = here.state
    assert rules.pass_turn(state)
    other = chess("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR b KQkq - 1 3")
    assert rules.key(state) == other.key
    for field in ("board", "side", "passant", "checkers", "pinned", "rights", "ending"):
        assert (state[field] == other.state[field]).all()


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/4q3/R3K3 w - - 0 1",  # in check
        "8/8/8/3k4/3P4/3K4/8/8 b - - 0 1",  # king and pawns alone
    ],
)
def test_there_is_no_pass_in_check_or_with_king_and_pawns(fen):
    here = chess(fen)
    state = here.state
    assert not rules_of(Chess()).pass_turn(state)
    assert state == here.state


def test_null_moves_do_not_hide_that_zugzwang_wins():
    # White, to move, only draws; with Black to move, Black loses the pawn and the game
    mutual = "8/8/8/1p6/1Pk5/8/1K6/8"
    for side in ("w", "b"):
        here = chess(f"{mutual} {side} - - 0 1")
        with_null = AlphaBeta(null_move=True).search(here, depth=9)
        without = AlphaBeta().search(here, depth=9)
        assert with_null.value == pytest.approx(without.value)


def test_null_moves_and_reductions_find_mates_and_search_fewer_nodes(corpora):
    lines = (corpora / "chess" / "mate2.fen").read_text().split("\n")[:40]
    pruned = AlphaBeta(memory=4, null_move=True, reductions=True)
    for line in lines:
        assert pruned.search(chess(" ".join(line.split()[:4]) + " 0 1"), depth=5).value == 1
    start = position("chess")
    nodes = [
        engine.search(start, depth=7).nodes
        for engine in (AlphaBeta(), AlphaBeta(null_move=True), AlphaBeta(reductions=True))
    ]
    assert nodes[1] < nodes[0]
    assert nodes[2] < nodes[0]
