"""`ponder solve`: what it prints, what it leaves with."""

from __future__ import annotations

import json

import pytest

from command_line import assert_one_line


def test_json_has_the_promised_shape(ponder):
    done = ponder("solve", "nim(heaps=(1, 2, 4))", "--json")
    assert done.status == 0
    found = json.loads(done.out)
    named = (
        "game position value low high distance values move moves nodes seconds method stopped_by"
    )
    assert set(found) == {*named.split(), "notes", "help"}
    assert (found["value"], found["distance"], found["method"]) == (1.0, 7, "alphabeta")
    known = {"value": 1.0, "low": 1.0, "high": 1.0, "distance": 7, "values": None}
    assert found["moves"][0] == {"action": 2, "name": "3:1", **known}
    assert [move["value"] for move in found["moves"]] == [1.0] + [-1.0] * 6


def test_people_see_the_board_the_moves_and_the_best_of_them(ponder):
    done = ponder("solve", "tictactoe", "--moves", "b2 a2")
    assert done.status == 0
    assert "value   +1 for player 0, over in 5 plies" in done.out
    assert done.out.count("best") == sum(" best" in line for line in done.out.splitlines()) > 0


def test_of_three_players_everybodys_value_is_shown_and_no_empty_column(ponder):
    done = ponder("solve", "connect4(columns=3, rows=3, run=3, players=3)")
    heading = next(line for line in done.out.splitlines() if line.startswith("move"))
    assert heading.split() == ["move", *(word for player in "012" for word in ("player", player))]
    told = next(line for line in done.out.splitlines() if line.startswith("value"))
    assert [f"for player {player}" in told for player in range(3)] == [True] * 3


def test_the_time_being_over_is_no_error_and_is_said(ponder):
    done = ponder("solve", "connect4", "--seconds", "0.1", "--memory", "8")
    assert done.status == 0
    assert "value   unknown" in done.out
    assert "stopped by seconds" in done.out
    found = json.loads(
        ponder("solve", "connect4", "--seconds", "0.1", "--memory", "8", "--json").out
    )
    assert (found["value"], found["stopped_by"]) == (None, "seconds")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("tictactoe", "--method", "guess"), "unknown method"),
        (("tictactoe", "--seconds", "-1"), "seconds must be"),
        (("tictactoe", "--position", "xxx/oo./..."), "over"),
        (("pig", "--method", "proof-number"), "cannot handle chance"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(ponder, arguments, complaint):
    done = ponder("solve", *arguments)
    assert done.status == 2
    assert complaint in done.err
    assert_one_line(done.err)


def test_where_chance_moves_the_outcomes_stand_with_their_probabilities(ponder):
    done = ponder("solve", "pig(target=4)", "--moves", "roll", "--hold", "decisions")
    assert "outcome  probability      value" in done.out
    rows = [line.split() for line in done.out.splitlines() if "16.67%" in line]
    assert [row[0] for row in rows] == ["4", "5", "6", "2", "3", "1"]
    mean = sum(float(row[2]) for row in rows) / 6
    told = float(done.out.partition("value   ")[2].split()[0])
    assert told == pytest.approx(mean, abs=1e-5)
