"""What would help, where solving ended before the value was known."""

from __future__ import annotations

import pytest

from ponder import position, solve
from ponder.search.solve import start_solving
from ponder.search.solving import Solving
from ponder.search.solving_help import what_helps

pytestmark = pytest.mark.plain


def helps(game: str, moves: str = "", nodes: int = 300, **given) -> list[str]:
    """The sentences, after so many nodes."""
    session = start_solving(position(game).play_all(moves), **given)
    session.run(nodes=nodes)
    found = session.result()
    assert found.value is None
    assert found.to_json()["help"] == list(found.help)
    return list(found.help)


def test_what_is_solved_needs_no_help() -> None:
    assert solve(position("nim(heaps=(1, 2))")).help == ()


def test_time_a_later_position_and_a_smaller_game_always_help() -> None:
    said = helps("connect4")
    assert said[-3].startswith("more time: it ended after ")
    assert said[-2:] == [
        "a position further on in the game (--moves)",
        "a smaller game: columns, rows of connect4",
    ]


@pytest.mark.parametrize(
    ("game", "method", "other"),
    [
        ("connect4", None, "--method proof-number"),
        ("connect4", "proof-number", "--method alphabeta"),
        ("connect4", "minimax", "--method alphabeta: minimax visits every line"),
        ("connect4", "maxn", "--method alphabeta: maxn visits every line"),
        ("connect4", "value-iteration", "--method alphabeta: "),
        ("pig(target=20)", None, "--method expectiminimax: "),
    ],
)
def test_the_other_method_that_it_names_fits_the_game(game, method, other) -> None:
    said = helps(game, method=method)
    assert said[0].startswith(other)
    named = said[0].split()[1].rstrip(":,")
    start_solving(position(game), method=named).close()  # it is not refused


def test_three_players_are_sent_to_no_method_that_refuses_them() -> None:
    said = helps("connect4(columns=4, rows=4, run=3, players=3)", nodes=100)
    assert not any("--method" in sentence for sentence in said)


def test_a_larger_table_helps_only_where_this_one_is_full() -> None:
    game = position("connect4(columns=5, rows=4)")
    solving = Solving(game, 1.0, None, ())
    assert not any("--memory" in sentence for sentence in what_helps(solving, "seconds", 1.0))
    solving.method.search.table[0][:] = 1 << 24  # each with some position
    (said,) = [s for s in what_helps(solving, "seconds", 1.0) if "--memory" in s]
    assert "100% full" in said
    assert said.startswith("a larger table (--memory 2):")


def test_where_lines_never_end_a_list_of_positions_does() -> None:
    solving = Solving(position("connect4"), 8.0, "alphabeta", ())
    said = what_helps(solving, "depth", 1.0)
    assert said[0].startswith("--method value-iteration: lines of play go on for up to 42 plies")
    solving.go_over_to("value-iteration")
    assert what_helps(solving, "depth", 1.0)[0].startswith("nothing that there is")
