"""What a worker answers about boards, trees and simulations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from talking import Talk, worker

from ponder import position
from ponder.core.registry import GAMES, PARTS


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    folder = tmp_path_factory.mktemp("games")
    source = (Path(__file__).parents[1] / "check" / "broken_games" / "countdown.py").read_text()
    (folder / "countdown.py").write_text(source)
    (folder / "wrong.py").write_text("class Oops(:\n")
    with worker(str(folder)) as made:
        made.folder = folder  # type: ignore[attr-defined]
        yield made


def test_a_board_has_a_drawing_and_every_action_with_its_places(talk):
    answer = talk.ask("board", game="connect4", moves=["4", "4"])
    here = position("connect4").play_all("4 4")
    assert answer["svg"] == here.svg()
    assert [one["name"] for one in answer["actions"]] == list(here.legal_names)
    assert answer["actions"][3]["places"] == [list(here.places[3][0])]
    assert (answer["player"], answer["range"], answer["over"]) == (0, [-1.0, 1.0], False)


def test_an_illegal_move_is_answered_with_a_sentence(talk):
    assert "not legal here" in talk.ask("board", game="connect4", moves=["9"])["error"]


def test_the_catalogue_has_every_part_and_the_games_of_the_files(talk):
    answer = talk.ask("catalogue")
    kinds = {kind: [one["name"] for one in rows] for kind, rows in answer["kinds"].items()}
    assert kinds["game"] == list(GAMES)
    assert kinds["select"] == list(PARTS["select"])
    ucb1 = next(one for one in answer["kinds"]["select"] if one["name"] == "ucb1")
    assert ucb1["parameters"] == {"c": "2.0"}
    sound, wrong = answer["files"]
    assert [one["name"].rpartition(":")[2] for one in sound["games"]] == ["Countdown"]
    assert "wrong.py cannot be loaded" in wrong["error"]


def test_names_lines_and_phases_agree_with_the_search(talk):
    talk.ask("open", history={"game": "tictactoe", "engine": "mcts()", "seed": 1})
    talk.ask("step", count=60)
    names, missing = talk.ask("names", paths=[[], [0, 0]])["names"]
    assert names["names"]["4"] == "b2"
    assert missing is None
    (line, *_) = talk.ask("lines")["lines"]
    position("tictactoe").play_all(line["line"])  # the moves are legal
    phases = talk.ask("phases")
    kinds = [event["kind"] for event in phases["events"]]
    assert kinds == sorted(kinds, key=["selected", "expanded", "evaluated", "backed_up"].index)
    chosen = phases["events"][0]
    best = max(one["score"] for one in chosen["candidates"])  # ucb1: the highest sum is taken
    assert next(one for one in chosen["candidates"] if one["name"] == chosen["path"][0])[
        "score"
    ] == pytest.approx(best)
    where = position("tictactoe")
    assert where.action_name(phases["numbers"][0]) == chosen["path"][0]


OWN_RULE = """
from typing import NamedTuple


class Greedy(NamedTuple):
    def shared(self, game, parts, tree, work, depth, n, log):
        return 0.0

    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared
"""


def test_a_search_switches_to_a_rule_of_a_file_only_where_the_server_was_started_with_it(
    talk, tmp_path
):
    talk.ask("open", history={"game": "tictactoe", "engine": "mcts()", "seed": 1})
    talk.ask("step", count=20)
    for folder in (talk.folder, tmp_path):
        (folder / "my_rules.py").write_text(OWN_RULE)
    foreign = talk.ask("change", parts={"select": f"{tmp_path}/my_rules.py:Greedy()"})
    assert "was not started with my_rules.py" in foreign["error"]
    own = talk.ask("change", parts={"select": f"{talk.folder}/my_rules.py:Greedy()"})
    assert own["moment"] == 20
    assert "error" not in talk.ask("step", count=5)


def test_a_classical_search_tells_its_events(talk):
    talk.ask(
        "open", history={"game": "tree('[[3, 12], [2, 4]]')", "engine": "alphabeta()", "seed": 1}
    )
    talk.ask("step", count=1000)
    events = talk.ask("events")["events"]
    assert any(event["kind"] == "cut" and event["reason"] == "window" for event in events)
    assert talk.ask("drawing")["svg"].startswith("<svg")
    assert "no tree" in talk.ask("lines")["error"]
