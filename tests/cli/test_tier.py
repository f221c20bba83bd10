"""`--tier`: a search begins in plain Python, and compiled code takes it over."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from command_line import PROGRAM, assert_one_line
from ponder import MCTS, cache_times, engine, position
from ponder.cli import run as run_here
from ponder.cli import tier
from ponder.core.effort import LongHistory
from ponder.core.tiers import digest
from ponder.errors import InputError
from ponder.jit import COMPILED

pytestmark = pytest.mark.plain


@pytest.fixture
def environment(tmp_path):
    """As a person has it who has never searched before: no modes chosen, nothing compiled."""
    kept = {name: text for name, text in os.environ.items() if name != tier.NO_JIT}
    (tmp_path / "cache").mkdir(mode=0o700)
    kept.pop("NUMBA_CACHE_DIR", None)
    return {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TERM": "xterm"}


def run(environment, *arguments, **more):
    return subprocess.run(
        [*PROGRAM, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env={**environment, **more},
    )


def compiled_code(environment):
    return list(os.scandir(os.path.join(environment["XDG_CACHE_HOME"], "ponder")))


def test_a_folder_that_is_refused_is_refused_before_plain_python_begins(environment):
    line = ("search", "tictactoe", "--simulations", "30")
    done = run(environment, *line, XDG_CACHE_HOME="no-such-folder")
    assert (done.returncode, done.stdout) == (2, "")
    assert "XDG_CACHE_HOME=no-such-folder is not an absolute path" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_small_budget_is_answered_in_plain_python(environment):
    line = ("search", "tictactoe", "--simulations", "30", "--seed", "1", "--json")
    done = run(environment, *line)
    assert done.returncode == 0, done.stderr
    assert "searched in plain Python" in done.stderr
    assert not [file for file in compiled_code(environment) if file.name.endswith(".nbc")]
    again = run(environment, *line, "--tier", "plain")
    assert again.stderr == "", "who asks for it need not be told"
    one, other = (json.loads(text.stdout) for text in (done, again))
    for data in (one, other):
        del data["seconds"]
    assert one == other


def test_a_search_that_needs_more_code_than_the_usual_is_another_kind_of_work(monkeypatch):
    asked = []

    def chosen(name, wanted):
        asked.append(wanted.what)
        raise InputError("enough")

    monkeypatch.setattr(tier, "chosen", chosen)
    for more in ([], ["--trace", "x.jsonl"], ["--only", "a1"], ["--seconds", "1"]):
        run_here(["search", "tictactoe", "--engine", "mcts()", *more])
    usual, traced, only, timed = asked
    assert usual == timed == "search tictactoe mcts()"
    assert len({usual, traced, only}) == 3, "what is compiled for one may be missing for the others"


def test_one_line_for_a_tier_that_there_is_not(environment):
    for command in (["search", "nim"], ["show", "nim"], ["explain", "chess"], ["replay", "x"]):
        done = run(environment, *command, "--tier", "fast")
        assert done.returncode == 2
        assert_one_line(done.stderr)
        assert "'fast' is not one of auto, plain, compiled" in done.stderr


def test_one_line_where_two_wishes_contradict_each_other(environment):
    for name, set_to in (("compiled", "1"), ("plain", "0")):
        done = run(environment, "search", "nim", "--tier", name, NUMBA_DISABLE_JIT=set_to)
        assert done.returncode == 2
        assert_one_line(done.stderr)
        assert f"--tier {name} contradicts NUMBA_DISABLE_JIT={set_to}" in done.stderr


def test_in_a_process_that_has_begun_nothing_can_be_chosen():
    other = "plain" if COMPILED else "compiled"
    with pytest.raises(InputError, match=f"--tier {other}"):
        tier.chosen(other, tier.SearchWanted("search nim"))
    assert type(tier.chosen("auto", tier.SearchWanted("search nim", 10))) is tier.Tier


def at_a_terminal(environment, *arguments):
    """The process, and where its terminal is read."""
    main, other = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *arguments], stdin=other, stdout=other, stderr=other, env=environment
    )
    os.close(other)
    return process, main


def read_until(handle, word, seconds=60.0):
    """What the terminal has got when it has got `word`, or has been closed."""
    text, until = "", time.monotonic() + seconds
    while word not in text and time.monotonic() < until:
        try:
            text += os.read(handle, 1 << 16).decode()
        except OSError:  # closed
            break
    return text


def test_ctrl_c_before_the_compiler_is_ready_shows_what_was_found(environment):
    process, terminal = at_a_terminal(
        environment, "search", "connect4", "--engine", "mcts()", "--seconds", "1", "--seed", "1"
    )
    text = read_until(terminal, "value")  # the live line shows a first value
    assert "compiling in another process" in text
    compilers = children(process.pid)
    process.send_signal(signal.SIGINT)
    text = read_until(terminal, "no such word")
    assert process.wait(10) == 130
    os.close(terminal)
    assert re.search(r"\d simulations in plain Python; the compiler was not ready", text), text
    assert "stopped by interrupt" in text
    assert "searched in plain Python: compiling takes" not in text, "nobody has chosen that"
    assert len(compilers) == 1
    assert not alive(compilers[0]), "nothing is left behind"


def children(pid):
    command = ["ps", "-o", "pid=", "--ppid", str(pid)]
    listed = subprocess.run(command, check=True, capture_output=True, text=True)
    return [int(number) for number in listed.stdout.split()]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def taken_over(handed, **limits):
    """The result of a search that is taken over, in this process."""
    mode = tier.Continued(tier.Handed(*handed))
    with mode.searching():
        return engine("mcts()").search(position("tictactoe"), seed=mode.seed(None), **limits)


def plain_at(moment):
    session = engine("mcts()").start(position("tictactoe"), seed=7)
    session.run(simulations=moment)
    return session


def test_the_search_that_is_taken_over_is_compared(capsys):
    whole = engine("mcts()").search(position("tictactoe"), simulations=60, seed=7)
    found = taken_over((7, 20, digest(plain_at(20))), simulations=60)
    assert (found.moves, found.line, found.seed) == (whole.moves, whole.line, 7)
    assert capsys.readouterr().err == ""


def test_a_game_that_differs_between_the_modes_is_named_and_continues(capsys):
    other = taken_over((7, 20, digest(plain_at(19))), simulations=60)
    assert other.simulations == 60
    err = capsys.readouterr().err
    assert_one_line(err)
    assert "tictactoe is not the same in plain Python and compiled (the first 20 steps" in err
    fault = taken_over((7, 20, "", "the rules of X raised OverflowError"), simulations=60)
    assert fault.simulations == 60
    err = capsys.readouterr().err
    assert_one_line(err)
    assert "in plain Python the rules of X raised OverflowError" in err


def test_a_compiled_search_is_remembered_as_such(environment, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", environment["XDG_CACHE_HOME"])
    monkeypatch.setattr(tier.Role, "program", True)
    monkeypatch.delenv(tier.NO_JIT, raising=False)
    monkeypatch.setattr(tier.sys, "modules", {})
    wanted = tier.SearchWanted("search nim mcts()", 50)
    assert tier._begins_plain(wanted)
    assert not tier._begins_plain(wanted._replace(budget=10**9))
    assert not tier._begins_plain(wanted._replace(compiled_only=True))
    assert not tier._begins_plain(tier.SearchWanted("search nim mcts()", clock=True)), (
        "nobody watches"
    )
    cache_times.remember(wanted.what, plain=1.0, compile=20.0)
    assert not tier._begins_plain(wanted), "50 seconds in plain Python, 20 of compiling"
    folder = cache_times._folder()
    (folder / "begin-0a.nbc").touch()
    stamp = cache_times.stamp(wanted.what)
    cache_times.remember(wanted.what, plain=1000.0, files=("begin-0a.nbc",), stamp=stamp)
    assert not tier._begins_plain(wanted), "it is compiled already"
    monkeypatch.setenv(tier.NO_JIT, "0")
    assert not tier._begins_plain(wanted._replace(what="search hex mcts()")), "a person has chosen"


class BegunAgain(BaseException):
    """In place of the process that takes over."""


@pytest.fixture
def begun_again(monkeypatch):
    """What is handed to the process that takes over."""

    def begin(command):
        handed = json.loads(command[command.index("ponder.cli.continued") + 1])
        raise BegunAgain(tier.Handed(*handed))

    monkeypatch.setattr(tier, "begin_again", begin)
    monkeypatch.setenv(tier.NO_JIT, "1")


def test_how_long_a_history_takes_is_judged_by_compiled_code(begun_again):
    with pytest.raises(BegunAgain) as found, tier.PlainFirst(tier.SearchWanted("x")).searching():
        raise LongHistory(200_000, 200.0)  # at the speed of plain Python
    assert found.value.args == (tier.Handed(None, 0, ""),)


def test_what_threads_or_a_function_have_searched_is_not_compared(begun_again, monkeypatch):
    monkeypatch.setattr(tier, "watched", lambda: True)
    random = MCTS(evaluate=lambda positions: [[0.1, -0.1] for one in positions])
    for made, compared in ((engine("mcts(threads=2)"), False), (random, False), (MCTS(), True)):
        mode = tier.PlainFirst(tier.SearchWanted("x"))
        monkeypatch.setattr(mode, "_compile", lambda: None)
        mode.session = made.start(position("tictactoe"), seed=7)
        mode.session.run(simulations=20)
        mode._have_compiled()
        assert mode.is_set() != compared, "nothing can be taken over later"
        monkeypatch.setenv(tier.NO_JIT, "1")
        with pytest.raises(BegunAgain) as found:
            mode._change_over(mode.session)
        assert bool(found.value.args[0].digest) == compared


def test_where_no_process_can_be_begun_it_is_compiled_in_this_place(monkeypatch):
    def none(*arguments, **more):
        raise OSError

    monkeypatch.setattr(tier, "watched", lambda: True)
    monkeypatch.setattr(tier.subprocess, "Popen", none)
    mode = tier.PlainFirst(tier.SearchWanted("x"))
    mode._have_compiled()
    assert mode.is_set()


def test_ctrl_c_between_the_two_tells_what_was_found(environment):
    found = "interrupted: 40 simulations in plain Python, best b2; the compiler was not ready"
    handed = tier.Handed(1, 40, "", "", found)
    script = (
        "import sys; from ponder.cli import continued, program\n"
        "def pressed(arguments): raise KeyboardInterrupt\n"
        "program._invoke = pressed; continued.begin()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(handed), "search", "tictactoe"],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (130, f"ponder: {found}\n")


def test_a_tree_that_comes_through_a_pipe_is_not_begun_in_plain_python(tmp_path, monkeypatch):
    class Chosen(Exception):
        pass

    def choose(name, wanted):
        raise Chosen(wanted.compiled_only)

    monkeypatch.setattr(tier, "chosen", choose)
    os.mkfifo(tmp_path / "pipe.tree")
    (tmp_path / "file.tree").touch()
    for name, once in (("pipe.tree", True), ("file.tree", False), ("nowhere.tree", False)):
        with pytest.raises(Chosen) as found:
            run_here(["search", "tictactoe", "--continue", str(tmp_path / name)])
        assert found.value.args == (once,)
