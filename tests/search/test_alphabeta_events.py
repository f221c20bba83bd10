"""The events of alpha-beta: the textbook's example step by step, and the file of --trace."""

from __future__ import annotations

import json

import pytest

from plain_games import Countdown
from ponder import AlphaBeta, position
from ponder.cli import run

TEXTBOOK = "tree"  # [[3, 12, 8], [2, 4, 6], [14, 5, 2]], value 3
PLAIN = AlphaBeta(table=False, killers=False, history=False, scout=False, aspiration=False)


def events_of(engine, game, depth):
    session = engine.start(position(game))
    session.run(depth=depth)
    return session.events(), session.result()


def test_the_textbook_example_visits_and_cuts_what_the_textbook_says():
    events, result = events_of(PLAIN, TEXTBOOK, 9)
    assert result.value == 3
    leaves = [e for e in events if e.kind == "leave" and len(e.path) == 2]
    # the leaves in the order of the book; 4 and 6 are never looked at. Values are those of MAX
    assert [e.facts["value"] for e in leaves] == [3, 12, 8, 2, 14, 5, 2]
    cut = next(e for e in events if e.kind == "cut")
    assert cut.path == ("2",)
    assert cut.facts == {"move": "1", "reason": "window", "alpha": 3, "value": 2}
    assert [e.facts["move"] for e in events if e.kind == "best" and e.path == ()] == ["1"]


def test_every_position_entered_is_left_again():
    events, result = events_of(AlphaBeta(), TEXTBOOK, 9)
    open_paths = []
    for event in events:
        if event.kind == "enter":
            open_paths.append(event.path)
        elif event.kind == "leave":
            assert open_paths.pop() == event.path
    assert open_paths == []
    entered = [e.moment for e in events if e.kind == "enter"]
    assert entered == list(range(1, result.nodes + 1))


def test_events_since_a_moment_are_the_rest_of_all_events():
    session = PLAIN.start(position("tictactoe"))
    session.run(nodes=500)
    every = session.events()
    assert every[-1].moment == 500
    for since in (0, 1, 250, 499):
        assert session.events(since) == [e for e in every if e.moment > since]
    assert session.events(500) == []
    assert session.events(most=5) == every[:5]


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
        (["--engine", "random()", "--trace", "x.jsonl"], "reports no events"),
        (["--engine", "alphabeta()", "--trace", "x.txt"], "ends in .jsonl"),
    ],
)
def test_a_trace_that_cannot_be_is_refused_before_the_search(arguments, words, capsys):
    assert run(["search", TEXTBOOK, *arguments]) == 2
    assert words in capsys.readouterr().err


def test_plain_python_games_have_events_too():
    events, result = events_of(AlphaBeta(), Countdown(), 9)
    assert sum(e.kind == "enter" for e in events) == result.nodes > 0
    assert {e.path[0] for e in events if e.path} == {"1", "2"}
