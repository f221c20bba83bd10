"""`ponder search`."""

from __future__ import annotations

import json

import pytest

from ponder import MCTS, Strong, position

WIN = "......./......./......./......./ooo..../xxx...."


def test_json_is_one_object_with_the_promised_fields(ponder):
    done = ponder("search", "connect4", "--simulations", "500", "--seed", "3", "--json")
    assert done.status == 0
    assert done.out.count("\n") == 1
    data = json.loads(done.out)
    promised = (
        "action name value values line moves simulations depth seconds stopped_by seed engine"
    )
    assert {*promised.split(), "engine", "game"} <= set(data)
    assert data["game"] == "connect4()"
    assert data["simulations"] == sum(row["visits"] for row in data["moves"]) == 500
    assert (data["seed"], data["stopped_by"]) == (3, "simulations")
    assert set(data["moves"][0]) >= {"action", "name", "visits", "value", "prior"}


@pytest.mark.parametrize(("words", "engine"), [((), Strong()), (("--engine", "mcts()"), MCTS())])
def test_it_finds_what_the_library_finds(ponder, words, engine):
    line = ("search", "connect4", "--moves", "4 4 3", "--simulations", "300", "--seed", "7", *words)
    told = json.loads(ponder(*line, "--json").out)
    found = engine.search(position("connect4").play_all("4 4 3"), simulations=300, seed=7).to_json()
    del told["seconds"], found["seconds"]
    assert told == found


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "engine", "moves", "plies"),
    [
        ("connect4", "alphabeta()", 2, 4),
        ("connect4(columns=4, rows=3, run=3, players=3)", "maxn()", 1, 3),
    ],
)
def test_depth_may_be_counted_in_whole_moves(ponder, game, engine, moves, plies):
    line = ("search", game, "--engine", engine, "--seed", "1", "--json")
    told = json.loads(ponder(*line, "--whole-moves", str(moves)).out)
    same = json.loads(ponder(*line, "--depth", str(plies)).out)
    assert told["depth"] == plies
    del told["seconds"], same["seconds"]
    assert told == same


@pytest.mark.plain
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--whole-moves", "0"), "whole-moves must be a whole number above 0, not 0"),
        (("--whole-moves", "2", "--depth", "4"), "--whole-moves one of every player: not both"),
        (("--whole-moves", "half"), "'half' is not a whole number"),
    ],
)
def test_whole_moves_that_cannot_be_are_refused(ponder, words, said):
    done = ponder("search", "tictactoe", "--engine", "minimax()", *words)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.plain
def test_totals_are_the_running_sums_of_the_tree(ponder):
    start = position("tictactoe").play_all("a1 b2")
    result = MCTS().search(start, simulations=150, seed=2)
    children = result.tree._store.children(0)
    sums = {start.action_name(int(child.action)): float(child.value) for child in children}
    line = ("search", "tictactoe", "--moves", "a1 b2", "--engine", "mcts()", "--seed", "2")
    line += ("--simulations", "150", "--why", "--totals")
    told = json.loads(ponder(*line, "--json").out)
    for rows in (told["moves"], told["why"]["moves"]):
        assert {row["name"]: row["total"] for row in rows} == pytest.approx(sums)
    shown = [row.split() for row in ponder(*line).out.splitlines()]
    for head in (row for row in shown if "W" in row):
        at, name = head.index("W"), shown[shown.index(head) + 1][0]
        assert float(shown[shown.index(head) + 1][at]) == pytest.approx(sums[name], abs=5e-4)
    assert sum("W" in row for row in shown) == 2
    assert "total" not in json.loads(ponder(*line[:-1], "--json").out)["moves"][0]


@pytest.mark.plain
def test_totals_need_a_tree(ponder):
    done = ponder("search", "tictactoe", "--engine", "minimax()", "--totals")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "--totals works with mcts() and its presets" in done.err


def test_people_see_board_table_line_and_effort(ponder):
    line = ("search", "connect4", "--position", WIN, "--simulations", "2000", "--seed", "1")
    done = ponder(*line, "--engine", "mcts()")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[5].split() == list("xxx....")
    assert lines[8].split() == ["move", "visits", "share", "value", "spread"]
    assert lines[9].split()[0] == "4"
    assert any(line.startswith("best    4   value +") for line in lines)
    assert any(line.startswith("effort  2,000 simulations in ") for line in lines)


def test_a_proven_win_ends_the_search_and_is_shown(ponder):
    line = ("search", "connect4", "--position", WIN, "--simulations", "2000", "--seed", "1")
    done = ponder(*line, "--engine", "mcts(backup=solver())")
    lines = done.out.splitlines()
    assert lines[8].split() == ["move", "visits", "share", "value", "spread", "proven"]
    assert (lines[9].split()[0], lines[9].split()[-1]) == ("4", "+1")
    assert "stopped by solved" in done.out


def test_there_are_no_control_codes_in_a_pipe(program):
    done = program("search", "tictactoe", "--simulations", "200", "--seed", "1")
    assert done.status == 0
    assert "\x1b" not in done.out + done.err
    assert "\r" not in done.out + done.err


@pytest.mark.parametrize("engine", ["random()", "mcts(select=ucb1(c=0.5), simulations=50)"])
def test_any_engine_can_search(ponder, engine):
    data = json.loads(ponder("search", "tictactoe", "--engine", engine, "--json").out)
    assert data["engine"] == engine
    assert len(data["moves"]) == 9


def test_the_tree_is_written_as_json(ponder, tmp_path):
    file = tmp_path / "tree.json"
    done = ponder("search", "tictactoe", "--simulations", "100", "--json", "--tree", str(file))
    assert done.status == 0
    tree = json.loads(file.read_text())
    assert tree["visits"] == 100
    assert sum(child["visits"] for child in tree["children"]) == 100
    assert str(file) in done.err
    json.loads(done.out)


def test_the_tree_is_written_for_graphviz(ponder, tmp_path):
    file = tmp_path / "tree.dot"
    assert ponder("search", "tictactoe", "--simulations", "50", "--tree", str(file)).status == 0
    text = file.read_text()
    assert text.startswith("digraph")
    assert text.count("->") == text.count("label=") - 1


def test_a_large_tree_is_pruned_to_what_can_be_read(ponder, tmp_path):
    file = tmp_path / "tree.json"
    line = ("search", "tictactoe", "--simulations", "20000", "--json", "--tree", str(file))
    done = ponder(*line, "--engine", "mcts()")
    assert "at least 4 visits" in done.err
    waiting = [json.loads(file.read_text())]
    for node in waiting:
        assert node["visits"] >= 4
        waiting.extend(node.get("children", []))


def test_hints_end_with_commands_that_repeat_the_position(ponder):
    quiet = ponder("search", "connect4", "--moves", "4 4", "--simulations", "10")
    assert "try next" not in quiet.out
    done = ponder("search", "connect4", "--moves", "4 4", "--simulations", "10", "--hints")
    shown = done.out.partition("try next")[2]
    assert "ponder play connect4 --moves '4 4'" in shown


def test_where_chance_moves_outcomes_and_expectation_are_shown(ponder):
    words = ("search", "pig(target=5)", "--moves", "roll", "--engine", "mcts()", "--seed", "1")
    done = ponder(*words, "--simulations", "300")
    assert done.status == 0
    assert "outcome  probability  visits   value" in done.out
    assert "chance  expectation " in done.out
    data = json.loads(ponder(*words, "--simulations", "300", "--json").out)
    assert (data["action"], data["moves"], data["line"], data["player"]) == (None, [], [], 0)
    outcomes = data["outcomes"]
    assert sum(one["probability"] for one in outcomes) == pytest.approx(1.0)
    mean = sum(one["probability"] * one["value"] for one in outcomes)
    assert data["value"] == pytest.approx(mean)


def test_roll_draws_an_outcome_with_the_seed_and_searches_what_follows(ponder):
    words = ("search", "pig", "--moves", "roll", "--engine", "mcts()", "--simulations", "20")
    data = json.loads(ponder(*words, "--roll", "--seed", "5", "--json").out)
    again = json.loads(ponder(*words, "--roll", "--seed", "5", "--json").out)
    assert data["rolled"] == again["rolled"]
    assert data["moves"] == again["moves"] != []
    rolled = {
        json.loads(ponder(*words, "--roll", "--seed", str(seed), "--json").out)["rolled"][0]
        for seed in range(12)
    }
    assert len(rolled) > 2
    done = ponder("search", "pig", "--roll")
    assert done.status == 2
    assert "--roll is for positions in which chance moves" in done.err


def test_an_engine_without_dice_says_so(ponder):
    done = ponder("search", "pig", "--moves", "roll", "--engine", "alphabeta()")
    assert done.status == 2
    assert len(done.err.splitlines()) == 1
