"""Alpha-beta against the reference search and exact values; every part on and off."""

from __future__ import annotations

import itertools
import random
from threading import Event

import pytest

from plain_games import Countdown
from ponder import AlphaBeta, InputError, position
from ponder.search.reference import minimax

PARTS = ("table", "table_moves", "hints", "killers", "history", "scout", "aspiration", "deepen")


@pytest.mark.parametrize(
    ("game", "value", "plies"),
    [
        ("tictactoe", 0, None),
        ("connect4(4, 4)", 0, None),
        ("connect4(5, 4)", 0, None),
        ("connect4(4, 5)", 0, None),
        ("connect4(6, 4)", -1, 24),
        ("nim(heaps=(2, 4, 6))", -1, None),
        ("nim(heaps=(1, 3, 5))", 1, None),
    ],
)
def test_small_games_have_their_known_values(game, value, plies):
    result = AlphaBeta().search(position(game), depth=99)
    assert result.value == value
    assert result.stopped_by == "solved"
    if plies is not None:
        assert f"in {plies} plies" in result.notes[0]


@pytest.mark.parametrize("off", [*PARTS, "all"])
def test_no_part_changes_the_value(off):
    rng = random.Random(5)
    plain = AlphaBeta(**dict.fromkeys(PARTS, False), quiescence=False)
    changed = plain if off == "all" else AlphaBeta(**{off: False})
    for game, _ in itertools.product(("connect4(5, 4)", "tictactoe"), range(3)):
        here = position(game)
        for _ in range(rng.randrange(6)):
            here = here.play(rng.choice(here.legal_actions))
            if here.is_terminal:
                here = position(game)
        wanted = AlphaBeta(quiescence=False).search(here, depth=99).value
        assert changed._replace(quiescence=False).search(here, depth=99).value == wanted


def test_games_that_alphabeta_cannot_search_are_refused_with_what_can():
    with pytest.raises(InputError, match="cannot handle chance"):
        AlphaBeta().search(position("pig"), depth=3)
    with pytest.raises(InputError, match="one or two players"):
        AlphaBeta().search(position("connect4(players=3)"), depth=3)
    with pytest.raises(InputError, match="has no evaluate"):
        AlphaBeta().search(position("tictactoe"), depth=3)


GAMES = ("connect4", "othello", "breakthrough", "hex(size=4)", "checkers", "chess")
WITHOUT_PARTS = ("connect4", "checkers")
"""Without its parts it is another kernel of each game; above they are tested one by one."""


def some_positions(game, count, rng):
    """After a few random moves, nobody having won."""
    while count:
        here = position(game)
        for _ in range(rng.randrange(2, 12)):
            here = here.play(rng.choice(here.legal_actions))
            if here.is_terminal:
                break
        else:
            count -= 1
            yield here


@pytest.mark.parametrize("game", GAMES)
def test_every_depth_has_the_value_of_the_reference(game):
    rng = random.Random(7)
    tiny = AlphaBeta(quiescence=False, memory=1e-4)
    engines = [
        AlphaBeta(quiescence=False),
        tiny,
        tiny._replace(mtdf=True),
        tiny._replace(all_moves=True),
        tiny._replace(evaluation_order=True),
    ]
    if game in WITHOUT_PARTS:
        engines.append(AlphaBeta(**dict.fromkeys(PARTS, False), quiescence=False))
    for here in some_positions(game, 3, rng):
        for depth in (1, 2, 3):
            if depth == 3 and len(here.legal_actions) > 12:
                continue
            wanted = minimax(here, depth)
            for engine in engines:
                result = engine.search(here, depth=depth)
                assert result.value == pytest.approx(wanted.value, abs=1e-8)
                assert here.play_all(result.line).history[-1:] == result.line[-1:]
            exact = engines[3].search(here, depth=depth)
            for row in exact.moves:
                below = minimax(here.play(row.action), depth - 1, player=here.current_player)
                assert row.value == pytest.approx(below.value, abs=1e-8)


@pytest.mark.plain
def test_a_beam_of_all_moves_is_no_beam_and_a_narrow_one_searches_less():
    here = position("othello")
    wide = AlphaBeta(beam=64).search(here, depth=6)
    full = AlphaBeta().search(here, depth=6)
    assert (wide.value, wide.nodes) == (full.value, full.nodes)
    narrow = AlphaBeta(beam=2).search(here, depth=6)
    assert narrow.nodes < full.nodes
    assert narrow.stopped_by == "depth"


def test_a_node_limit_is_kept_exactly_and_leaves_a_playable_line():
    here = position("othello")
    for nodes in (1, 2, 10, 100, 1000, 12345):
        result = AlphaBeta().search(here, nodes=nodes)
        assert result.nodes == nodes
        assert result.stopped_by == "nodes"
        assert result.action in here.legal_actions
        here.play_all(result.line)


def test_a_stopped_depth_improves_the_line_of_the_one_before():
    here = position("othello").play_all(position("othello").legal_names[:1])
    engine = AlphaBeta(aspiration=False)
    shallow, deep = (engine.search(here, depth=d) for d in (4, 5))
    of_moves = {row.value for row in engine._replace(all_moves=True).search(here, depth=5).moves}
    seen = [engine.search(here, nodes=n).value for n in range(shallow.nodes, deep.nodes, 3)]
    assert seen[0] == shallow.value
    improved = [value for value in seen if value != shallow.value]
    assert improved == sorted(improved)  # better and better moves of the unfinished depth
    assert set(improved) <= of_moves
    assert improved
    assert improved[-1] <= deep.value


def test_a_search_that_is_told_to_stop_at_once_still_names_a_move():
    stop = Event()
    stop.set()
    here = position("othello")
    result = AlphaBeta().search(here, depth=40, stop=stop)
    assert result.action in here.legal_actions
    assert result.stopped_by == "stop"


def test_nothing_is_random():
    results = [AlphaBeta().search(position("othello"), depth=6, seed=s) for s in (None, 1, 2)]
    assert {r.seed for r in results} == {0}
    assert len({(r.nodes, r.value, r.line) for r in results}) == 1


def test_cutting_short_in_an_earlier_window_does_not_look_solved():
    # the second window of a depth finds everything in the table
    for depth in range(1, 9):
        result = AlphaBeta().search(position("connect4"), depth=depth)
        assert result.stopped_by == "depth"
        assert result.depth >= depth


def test_parts_that_need_an_evaluation_stay_off_without_one():
    engine = AlphaBeta(reductions=True, null_move=True)
    assert engine.search(position("tictactoe"), depth=9).value == 0


def test_plain_python_games_are_searched_too():
    here = position(Countdown(pile=21, most=3)).play_all([3, 3, 3])
    result = AlphaBeta().search(here, depth=30)
    assert result.value == -1
    assert AlphaBeta().search(here.play(1), depth=30).action == 3
