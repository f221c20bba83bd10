"""`ponder engines`, `ponder replay`, and the options about trees of search and play."""

from __future__ import annotations

import io
import json
import sys
import time

import pytest

from command_line import assert_one_line
from ponder import MCTS, position
from ponder.mcts.between_moves import Ponderer

SEARCH = ("search", "tictactoe", "--seed", "1", "--json")


def test_engines_are_listed_and_explained(ponder):
    listed = ponder("engines").out
    for name in ("alphabeta", "crazy_stone", "ucb1", "solver", "most_visits"):
        assert f"  {name} " in listed
    page = ponder("engines", "ucb1").out
    assert page.startswith("ucb1 (select)")
    assert "c = 2.0" in page
    assert json.loads(ponder("engines", "--json").out)["engines"]
    assert "did you mean puct" in ponder("engines", "pucd").err


def test_a_saved_tree_is_continued_by_the_command(ponder, tmp_path):
    file = str(tmp_path / "a.tree")
    assert ponder(*SEARCH, "--simulations", "200", "--save", file).status == 0
    data = json.loads(ponder(*SEARCH, "--simulations", "100", "--continue", file).out)
    assert sum(row["visits"] for row in data["moves"]) == 300
    done = ponder("search", "nim", "--continue", file)
    assert "is a tree of tictactoe(), not of nim()" in done.err
    assert ponder(*SEARCH, "--continue", file, "--moves", "a1").status == 2


def test_a_saved_search_is_replayed_and_compared(ponder, tmp_path):
    one, two = (str(tmp_path / f"{name}.session") for name in ("one", "two"))
    ponder(*SEARCH, "--simulations", "60", "--session", one)
    ponder("search", "tictactoe", "--seed", "2", "--simulations", "60", "--session", two)
    data = json.loads(ponder("replay", one, "--simulation", "30", "--json").out)["steps"]
    assert [(step["step"], step["of"], step["unit"]) for step in data] == [(30, 60, "simulation")]
    assert data[0]["events"][0]["kind"] == "selected"
    told = ponder("replay", one, "--range", "29-30").out
    assert "simulation 29 of 60\n  select" in told
    assert "simulation 30 of 60\n  select" in told
    assert "then\n" in ponder("replay", one, "--against", two).out
    assert json.loads(ponder("replay", one, "--against", one, "--json").out) == {"difference": None}
    assert ponder("replay", one, "--simulation", "61").status == 2
    for wrong in (("--range", "9"), ("--range", "3-2"), ("--range", "1-2", "--simulation", "1")):
        assert ponder("replay", one, *wrong).status == 2
    assert ponder("replay", one, "--json").status == 2


def test_only_and_why(ponder):
    done = ponder("search", "tictactoe", "--simulations", "50", "--only", "a1 b2", "--why")
    head, *table = done.out[done.out.index("\nwhy ") :].strip().splitlines()
    assert head == "why   N = 51 (50 simulations, and 1 for the root)"
    assert table[0].split() == ["move", "visits", "spread", "mean", "exploration", "score"]
    assert {line.split()[0] for line in table[1:]} == {"a1", "b2"}


def test_why_below_the_root(ponder):
    search = ("search", "tictactoe", "--engine", "mcts()", "--simulations", "2000", "--seed", "1")
    done = ponder(*search, "--why-after", "b2 a1")
    head, *table = done.out[done.out.index("\nwhy, after b2 a1") :].strip().splitlines()
    assert "N = " in head
    assert "simulations" not in head, "below the root N is the node's visits"
    assert table[0].split()[:2] == ["move", "visits"]
    assert table[0].split()[-3:] == ["mean", "exploration", "score"]
    assert {line.split()[0] for line in table[1:]} == {"b1", "c1", "a2", "c2", "a3", "b3", "c3"}
    for moves, words in (("b2 b2", "not legal"), ("b2 a1 c1 a3 a2 c2 b1", "search longer")):
        refused = ponder(*search, "--why-after", moves)
        assert (refused.status, refused.err.count("\n")) == (2, 1)
        assert words in refused.err


@pytest.mark.parametrize(
    "more", [("--threads", "2"), ("--only", "a1"), ("--why",), ("--save", "x.tree")]
)
def test_engines_without_such_an_option_say_so(ponder, more, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = ponder("search", "tictactoe", "--engine", "random()", *more)
    assert done.status == 2
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--why-after", "zz", "--save", "lost.tree"), "'zz' is not legal here"),
        (("--why-after", "a1 b1 a2 b2 a3"), "there is no move to select"),
        (("--engine", "alphabeta()", "--why"), "--why works with mcts()"),
        (("--engine", "alphabeta()", "--tree", "x.dot"), "--tree works with mcts()"),
        (("--engine", "random()", "--save", "x.tree"), "--save works with mcts()"),
        (
            ("--engine", "mcts(evaluate=function('f.py:f', batch=4))", "--trace", "x.jsonl"),
            "reports no events",
        ),
        (("--engine", "mcts()", "--threads", "2", "--trace", "x.jsonl"), "reports no events"),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_search(
    ponder, more, said, tmp_path, monkeypatch
):
    def search(*given):
        raise AssertionError("it searches")

    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.py").write_text("f = len\n")
    monkeypatch.setattr("ponder.core.session.drive", search)
    monkeypatch.setattr("ponder.search.alphabeta.AlphaBeta.search", search)
    monkeypatch.setattr("ponder.search.random.RandomPlayer.search", search)
    done = ponder("search", "tictactoe", *more)
    assert done.status == 2
    assert said in done.err
    assert_one_line(done.err)


def test_files_and_the_result_are_there_though_reasons_are_not(ponder, tmp_path):
    save, tree = tmp_path / "a.tree", tmp_path / "a.json"
    files = ("--save", str(save), "--tree", str(tree))
    deep = ("--why-after", "b2 a1 c1 a3 a2 c2 b1")
    done = ponder(*SEARCH, "--engine", "mcts()", "--simulations", "50", *files, *deep)
    assert done.status == 2
    assert "search longer" in done.err
    assert save.exists()
    assert json.loads(tree.read_text())["visits"] == 50
    assert json.loads(done.out)["simulations"] == 50


def test_reasons_are_part_of_the_json_object(ponder):
    done = ponder(*SEARCH, "--engine", "mcts()", "--simulations", "500", "--why-after", "b2")
    why = json.loads(done.out)["why"]
    assert why["after"] == "b2"
    assert len(why["moves"]) == 8
    assert set(why["moves"][0]["terms"]) == {"mean", "exploration"}
    assert done.err == ""


@pytest.mark.parametrize("rule", ["thompson", "progressive_pruning", "sequential_halving"])
def test_rules_with_a_choice_of_their_own_say_why(ponder, rule):
    engine = f"mcts(select={rule}())"
    done = ponder("search", "tictactoe", "--engine", engine, "--simulations", "300", "--why")
    assert done.status == 0
    reasons = done.out[done.out.index("\nwhy ") :].strip().splitlines()
    assert len(reasons) == 2 + 9


def test_a_tree_is_gone_on_with_by_its_own_engine(ponder, tmp_path):
    file, engine = str(tmp_path / "a.tree"), "mcts(select=ucb1_tuned())"
    assert ponder(*SEARCH, "--engine", engine, "--simulations", "50", "--save", file).status == 0
    data = json.loads(ponder(*SEARCH, "--simulations", "50", "--continue", file).out)
    assert data["engine"] == engine
    assert sum(row["visits"] for row in data["moves"]) == 100
    refused = ponder(*SEARCH, "--engine", "mcts()", "--continue", file)
    assert refused.status == 2
    assert f"made by {engine}, which has other parts: it keeps squares" in refused.err


def test_a_tree_whose_engine_cannot_be_read_back_asks_for_one(ponder, tmp_path):
    file = str(tmp_path / "a.tree")
    made = MCTS(evaluate=lambda positions: [[0.0, 0.0] for _ in positions])
    made.search(position("tictactoe"), simulations=50, seed=1).tree.save(file)
    refused = ponder(*SEARCH, "--continue", file)
    assert refused.status == 2
    assert "cannot be read back: say --engine" in refused.err
    assert ponder(*SEARCH, "--continue", file, "--engine", "mcts()", "--why").status == 0


def test_the_engine_that_was_chosen_is_named(ponder):
    done = ponder("search", "tictactoe", "--simulations", "50")
    assert "\nengine  mcts(" in done.out


@pytest.mark.parametrize("typed", ["b2\nquit\n", "b2\n", "b2\nundo\na1\nhint\nquit\n"])
def test_pondering_ends_with_the_game(ponder, monkeypatch, typed):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    done = ponder("play", "tictactoe", "--ponder", "--simulations", "200", "--seed", "1")
    assert done.status == 0
    assert "player 1 plays" in done.out


def test_pondering_begins_when_the_dice_have_been_rolled(ponder, monkeypatch):
    began = []
    start = Ponderer.start
    monkeypatch.setattr(
        Ponderer, "start", lambda self, at, tree=None: (began.append(at), start(self, at, tree))
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("hold\nmoves\nroll\nquit\n"))
    line = ("play", "pig", "--second", "--ponder", "--simulations", "50", "--seed", "1")
    done = ponder(*line)
    assert done.status == 0
    assert began, "the engine had moved"
    assert len(began) == len(set(map(id, began))), "once a position"
    assert all(at.current_player == 1 for at in began)


def test_a_ponderer_gives_back_a_larger_tree():
    start = position("tictactoe")
    first = MCTS().search(start, simulations=100, seed=1)
    ponderer = Ponderer(MCTS())
    ponderer.start(start, first.tree)
    time.sleep(0.2)
    tree = ponderer.stop()
    assert tree.root.visits > 100
    assert ponderer.stop() is tree, "stopping twice does no harm"
    later = MCTS().search(start.play("b2"), simulations=10, tree=tree)
    assert sum(row.visits for row in later.moves) > 10


def test_threads_are_a_number_or_auto(ponder):
    assert ponder("search", "tictactoe", "--simulations", "50", "--threads", "auto").status == 0
    refused = ponder("search", "tictactoe", "--threads", "many")
    assert refused.status == 2
    assert "'many' is neither a whole number nor auto" in refused.err
