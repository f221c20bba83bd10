"""Reading data runs no code: a Python file that data name must have been granted."""

from __future__ import annotations

import json
import shutil
import sys
from threading import Thread

import pytest

from command_line import assert_one_line
from ponder import MCTS, InputError, Position, Session, engine, game, position
from ponder.core.gate import FILE_PREFIX, granting, run_trusted
from ponder.core.registry import parse_game, saved_engine
from ponder.mcts.view import SearchTree

SOURCE = """
from pathlib import Path
from subprocess import Popen
from ponder.games.nim import Nim

Path(__file__).with_name("ran").touch()

class Own(Nim):
    pass

class Plain:
    def start(self): return 3
    def current_player(self, state): return state % 2
    def legal_actions(self, state): return [1]
    def apply_action(self, state, n): return state - 1
    def is_terminal(self, state): return state == 0
    def returns(self, state): return (1, -1)
"""


@pytest.fixture
def file(tmp_path):
    """A Python file that leaves a trace when it is run."""
    made = tmp_path / "own.py"
    made.write_text(SOURCE)
    yield made
    forget(made)


def forget(file):
    """As if this were another process."""
    for name in [n for n in sys.modules if n.startswith(FILE_PREFIX)]:
        if sys.modules[name].__file__ == str(file):
            del sys.modules[name]
    file.with_name("ran").unlink(missing_ok=True)


def refused_without_running(file, read):
    assert not file.with_name("ran").exists()
    with pytest.raises(InputError, match=rf"needs the code in {file}, .*--trust {file}"):
        read()
    assert not file.with_name("ran").exists()


def test_a_saved_position_runs_no_file(file, tmp_path):
    saved = tmp_path / "position.json"
    before = position(f"{file}:Plain").play("1")
    before.save(saved)
    forget(file)
    refused_without_running(file, lambda: Position.load(saved))
    refused_without_running(file, lambda: Position.from_json(json.loads(saved.read_text())))
    game(f"{file}:Plain")  # the user names it
    assert Position.load(saved).state == before.state


def test_a_tree_and_a_saved_search_run_no_file(file, tmp_path, ponder):
    session = MCTS().start(position(f"{file}:Own(heaps=(2, 1))"), seed=1)
    session.run(simulations=30)
    session.save(tmp_path / "a.session")
    session.tree().save(tmp_path / "a.tree")
    forget(file)
    refused_without_running(file, lambda: SearchTree.load(tmp_path / "a.tree"))
    refused_without_running(file, lambda: Session.load(tmp_path / "a.session"))
    for line in (
        ("search", "nim", "--continue", str(tmp_path / "a.tree")),
        ("replay", str(tmp_path / "a.session"), "--simulation", "2"),
    ):
        done = ponder(*line)
        assert done.status == 2
        assert_one_line(done.err)
        assert f"grant it with --trust {file}" in done.err
        assert not file.with_name("ran").exists()
    named = f"{file}:Own(heaps=(2, 1))"
    done = ponder("search", named, "--continue", str(tmp_path / "a.tree"), "--simulations", "10")
    assert done.status == 0, done.err
    forget(file)
    done = ponder("replay", str(tmp_path / "a.session"), "--simulation", "2", "--trust", str(file))
    assert done.status == 0, done.err


@pytest.mark.plain
def test_a_saved_search_with_an_own_rule_is_replayed_where_its_file_is_named(tmp_path, ponder):
    file, saved = tmp_path / "rules.py", str(tmp_path / "a.session")
    file.write_text(
        "from ponder.mcts.select.ucb import UCB1\nfrom typing import NamedTuple\n"
        "class Mine(NamedTuple):\n    c: float = 1.0\n"
        "    shared, terms = UCB1.shared, UCB1.terms\n"
    )
    spec = f"mcts(select={file}:Mine(c=0.5))"
    line = ("search", "tictactoe", "--engine", spec, "--simulations", "12", "--seed", "1")
    done = ponder(*line, "--session", saved)
    assert f"ponder replay {saved} --trust {file} steps through it" in done.err
    forget(file)
    replay = ("replay", saved, "--simulation", "12")
    assert f"--trust {file}" in ponder(*replay).err
    for wrong, why in (("other.py", "no such file"), ("a.session", "only Python files")):
        done = ponder(*replay, "--trust", str(tmp_path / wrong))
        assert_one_line(done.err)
        assert (done.status, why in done.err) == (2, True)
    assert ponder(*replay, "--trust", str(file)).status == 0


def test_the_engine_in_a_tree_runs_no_file(file):
    refused_without_running(file, lambda: parse_game(f"{file}:Own"))
    with pytest.raises(InputError):
        saved_engine(f"mcts(select={file}:Own())")
    assert not file.with_name("ran").exists()


def test_of_a_trusted_file_only_its_own_classes_count(file, tmp_path):
    game(f"{file}:Own")
    touched = tmp_path / "touched"
    evil = f'{file}:Popen("{shutil.which("touch")} {touched}", shell=True)'
    data = {"game": evil, "position": "", "moves": []}
    with pytest.raises(InputError, match=r"own\.py has no 'Popen' \(it has: Own, Plain\)"):
        Position.from_json(data)
    assert not touched.exists()


def test_no_function_or_helper_of_a_trusted_file_is_called_with_what_data_say(tmp_path):
    touched = tmp_path / "touched"
    file = tmp_path / "helpers.py"
    file.write_text(
        "from pathlib import Path\n"
        "def wipe(path):\n    Path(path).touch()\n"
        "class Wiper:\n    def __init__(self, path):\n        Path(path).touch()\n"
    )
    run_trusted([file])
    for read in (parse_game, saved_engine):
        for name in ("wipe", "Wiper"):
            with pytest.raises(InputError):
                Position(read(f"{file}:{name}({str(touched)!r})"))
    assert not touched.exists()
    with pytest.raises(InputError):
        engine(f"{file}:wipe({str(touched)!r})")  # a person's own text: it makes no engine
    assert touched.exists()
    forget(file)


def test_a_file_that_is_trusted_is_run_for_what_needs_it(file, tmp_path):
    here = position(f"{file}:Plain").play("1")
    here.save(tmp_path / "position.json")
    session = MCTS().start(position(f"{file}:Own(heaps=(2, 1))"), seed=1)
    session.run(simulations=20)
    session.save(tmp_path / "a.session")
    session.tree().save(tmp_path / "a.tree")
    for load, saved in (
        (Position.load, "position.json"),
        (Session.load, "a.session"),
        (SearchTree.load, "a.tree"),
    ):
        forget(file)
        refused_without_running(file, lambda load=load, saved=saved: load(tmp_path / saved))
        load(tmp_path / saved, trust=[file])
        assert file.with_name("ran").exists()
    with pytest.raises(InputError, match="trust takes a list of Python files"):
        Position.load(tmp_path / "position.json", trust=str(file))


def test_a_file_that_data_name_is_refused_the_same_whether_it_is_there_or_not(file):
    def said(path):
        with pytest.raises(InputError) as refused:
            parse_game(f"{path}:Own")
        return str(refused.value).replace(str(path), "")

    for strange in ("nowhere.py", "a b.py", "a(b)/c.py"):
        assert said(file) == said(file.parent / strange)
    assert said(file) == said(json.__file__)  # nor whether this process has imported it


def test_a_function_that_a_text_names_is_loaded_with_the_text(tmp_path):
    """Nothing is loaded later, when the search asks for it."""
    file = tmp_path / "mine.py"
    file.write_text("def even(positions):\n    return [[0.0, 0.0] for p in positions]\n")
    made = engine(f"mcts(evaluate=function(call='{file}:even'))")
    file.unlink()
    assert made.search(position("tictactoe"), simulations=20, seed=1).simulations == 20
    with pytest.raises(InputError, match="no such file"):
        engine(f"mcts(evaluate=function(call='{tmp_path}/other.py:f'))").search(
            position("tictactoe"), simulations=20
        )


def test_the_permission_does_not_reach_another_thread(file):
    refused = []

    def elsewhere():
        try:
            parse_game(f"{file}:Own")
        except InputError as error:
            refused.append(str(error))

    with granting([file]):
        thread = Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert not file.with_name("ran").exists()
        parse_game(f"{file}:Own")
    assert file.with_name("ran").exists()
    assert len(refused) == 1


def test_another_file_is_not_trusted_because_one_is(file, tmp_path):
    other = tmp_path / "other.py"
    other.write_text("class Own: pass")
    game(f"{other}:Own")
    refused_without_running(file, lambda: parse_game(f"{file}:Own"))
    forget(other)
