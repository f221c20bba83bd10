"""The events of alpha-beta: the textbook's example step by step, and the file of --trace."""

from __future__ import annotations

import json

import pytest

from plain_games import Countdown
from ponder import AlphaBeta, position
from ponder.cli import run
from ponder.search.events import EventLog

TEXTBOOK = "tree"  # [[3, 12, 8], [2, 4, 6], [14, 5, 2]], value 3
PLAIN = AlphaBeta(table=False, killers=False, history=False, scout=False, aspiration=False)


def events_of(engine, game, depth):
    log = EventLog()
    result = engine.search(position(game), depth=depth, trace=log)
    return list(log), result


def test_the_textbook_example_visits_and_cuts_what_the_textbook_says():
    events, result = events_of(PLAIN, TEXTBOOK, 9)
    assert result.value == 3
    leaves = [e for e in events if e.kind == "leave" and e.ply == 2]
    # the leaves in the order of the book; 4 and 6 are never looked at. For MIN, whose move it is
    assert [round(-e.value) for e in leaves] == [3, 12, 8, 2, 14, 5, 2]
    cuts = [e for e in events if e.kind == "cut"]
    assert next((e.ply, e.move, e.detail, round(e.value)) for e in cuts) == (1, "1", "beta", -2)
    assert [e.move for e in events if e.kind == "best" and e.ply == 0] == ["1"]


def test_every_position_entered_is_left_again():
    events, result = events_of(AlphaBeta(), TEXTBOOK, 9)
    open_plies = []
    for event in events:
        if event.kind == "enter":
            open_plies.append(event.ply)
        elif event.kind == "leave":
            assert open_plies.pop() == event.ply
    assert open_plies == []
    assert sum(e.kind == "enter" for e in events) + 1 == result.nodes


def test_a_full_log_keeps_the_beginning_and_counts_the_rest():
    log, whole = EventLog(5), EventLog()
    PLAIN.search(position(TEXTBOOK), depth=9, trace=log)
    PLAIN.search(position(TEXTBOOK), depth=9, trace=whole)
    assert list(log) == list(whole)[:5]
    assert log.total == whole.total == len(whole)
    assert log.dropped == whole.total - 5


def test_the_trace_option_writes_one_event_a_line(tmp_path, capsys):
    file = tmp_path / "steps.jsonl"
    line = ["search", TEXTBOOK, "--engine", "alphabeta()", "--depth", "9", "--trace", str(file)]
    assert run(line) == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {line["kind"] for line in lines} >= {"enter", "leave", "cut", "best"}
    assert f"{len(lines)} events" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--engine", "minimax()", "--trace", "x.jsonl"], "records nothing"),
        (["--engine", "alphabeta()", "--trace", "x.txt"], "ends in .jsonl"),
    ],
)
def test_a_trace_that_cannot_be_is_refused_before_the_search(arguments, words, capsys):
    assert run(["search", TEXTBOOK, *arguments]) == 2
    assert words in capsys.readouterr().err


def test_plain_python_games_have_events_too():
    log = EventLog()
    found = AlphaBeta().search(position(Countdown()), depth=9, trace=log)
    assert log.total >= found.nodes > 0
