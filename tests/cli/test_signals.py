"""Ctrl-C, and folders and files for compiled code that cannot be used."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from command_line import PROGRAM, assert_one_line, needs_compiler

SEARCH = ("search", "tictactoe", "--simulations", "100", "--seed", "1", "--json")
PERFT = ("perft", "tictactoe", "3", "--json")


class Terminal:
    """A program whose stderr is a terminal, so that its live line is shown."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=slave,
            text=True,
            env={**os.environ, "TERM": "xterm", **environment},
        )
        os.close(slave)
        self.err = ""

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + 100
        while text not in self.err:
            going_on = self._read() and time.monotonic() < deadline
            assert going_on or text in self.err, f"{text!r} never came: {self.err}"

    def wait_for_prompt(self) -> None:
        out = ""
        while "your move> " not in out:
            out += os.read(self.process.stdout.fileno(), 100).decode()

    def _read(self) -> bool:
        if not select.select([self.master], [], [], 0.2)[0]:
            return self.process.poll() is None
        try:
            data = os.read(self.master, 4096)
        except OSError:  # the other side has closed
            return False
        self.err += data.decode()
        return bool(data)

    def lines(self):
        """What it has said on stderr, but for its live line."""
        return re.sub(r"\r[^\r\n]*\x1b\[K", "", self.err).splitlines()

    def interrupt(self, typed: str = "") -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(typed, timeout=60)
        while self._read():
            pass
        os.close(self.master)
        return self.process.returncode, out


def test_ctrl_c_during_a_search_keeps_what_was_found():
    terminal = Terminal("search", "connect4", "--seconds", "90", "--json")
    terminal.wait_for(" simulations  ")
    status, out = terminal.interrupt()
    assert status == 130
    data = json.loads(out)
    assert data["stopped_by"] == "interrupt"
    assert data["simulations"] > 0
    assert "Traceback" not in terminal.err


def test_the_live_line_tells_simulations_rate_best_move_and_value():
    terminal = Terminal("search", "connect4", "--seconds", "90")
    terminal.wait_for("value ")
    status, out = terminal.interrupt()
    assert "best " in terminal.err
    assert "/s" in terminal.err
    assert status == 130
    assert "stopped by interrupt" in out


@needs_compiler
def test_ctrl_c_while_compiling_is_one_line(tmp_path):
    terminal = Terminal("search", "connect4", "--tier", "compiled", XDG_CACHE_HOME=str(tmp_path))
    terminal.wait_for("compiling connect4")
    status, out = terminal.interrupt()
    assert (status, out) == (130, "")
    assert terminal.lines() == [
        "ponder: compiling connect4 for this search (once; kept on disk)",
        "ponder: interrupted",
    ]


def test_ctrl_c_at_the_prompt_tells_the_moves_so_far():
    terminal = Terminal("play", "tictactoe", "--moves", "a1 b1")
    terminal.wait_for_prompt()
    status, out = terminal.interrupt()
    assert status == 130
    assert "moves so far: a1 b1" in out
    assert terminal.lines()[-1] == "ponder: interrupted"
    assert all("compiling" in line for line in terminal.lines()[:-1])


def test_ctrl_c_while_the_engine_thinks_makes_it_move():
    terminal = Terminal("play", "connect4", "--second", "--seconds", "90")
    terminal.wait_for(" simulations  ")
    status, out = terminal.interrupt("quit\n")
    assert status == 0
    assert "player 0 plays " in out


@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
def test_ctrl_c_ends_all_threads_of_a_search(parallel):
    line = ("search", "tictactoe", "--engine", "mcts()", "--seconds", "90", "--json")
    terminal = Terminal(*line, "--threads", "2", "--parallel", parallel)
    terminal.wait_for(" simulations  ")
    status, out = terminal.interrupt()
    assert status == 130
    data = json.loads(out)
    assert data["stopped_by"] == "interrupt"
    assert sum(move["visits"] for move in data["moves"]) == data["simulations"] > 0
    assert "Traceback" not in terminal.err


def test_ctrl_c_at_the_prompt_ends_the_thinking_behind_it():
    line = ("play", "tictactoe", "--second", "--ponder", "--engine", "mcts()")
    terminal = Terminal(*line, "--simulations", "100")
    terminal.wait_for_prompt()
    status, out = terminal.interrupt()
    assert status == 130
    assert "moves so far: " in out
    assert "Traceback" not in terminal.err
    assert terminal.lines()[-1] == "ponder: interrupted"


def test_ctrl_c_ends_a_measurement_of_threads_with_what_is_measured():
    terminal = Terminal("bench", "tictactoe", "connect4", "--threads", "--seconds", "0.5", "--json")
    terminal.wait_for("measuring connect4")
    status, out = terminal.interrupt()
    assert status == 130
    data = json.loads(out)
    assert [row["parallel"] for row in data["rows"][:4]] == ["one", "tree", "root", "leaf"]
    assert {row["game"] for row in data["rows"][:4]} == {"tictactoe"}
    assert len(data["rows"]) < 8
    assert terminal.lines()[-1] == "ponder: interrupted"
    assert "Traceback" not in terminal.err


def test_ctrl_c_while_solving_shows_what_is_known():
    terminal = Terminal("solve", "connect4", "--memory", "8")
    terminal.wait_for(" nodes  ")
    status, out = terminal.interrupt()
    assert status == 130, terminal.err
    assert "value   unknown" in out
    assert "stopped by interrupt" in out


def test_perft_can_be_interrupted():
    terminal = Terminal("perft", "connect4", "30")
    time.sleep(3)
    status, out = terminal.interrupt()
    assert (status, out) == (130, "")


@needs_compiler
@pytest.mark.parametrize(("line", "place"), [(SEARCH, "a file"), (PERFT, "/proc/nothing")])
def test_a_cache_that_cannot_be_written_costs_one_warning(program, tmp_path, line, place):
    (tmp_path / "a file").write_text("")
    compiled = ("--tier", "compiled") if line is SEARCH else ()
    done = program(*line, *compiled, XDG_CACHE_HOME=tmp_path / place)
    assert done.status == 0
    assert json.loads(done.out)["game"].startswith("tictactoe")
    warnings = [line for line in done.err.splitlines() if "compiling" not in line]
    assert len(warnings) == 1, done.err
    assert_one_line(warnings[0] + "\n")
    assert "cannot keep compiled code in" in warnings[0]


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
@pytest.mark.parametrize("line", [PERFT, ("explore", "--no-browser", "--port", "0")])
def test_a_relative_path_for_the_cache_is_refused_in_one_line(program, line, variable):
    done = program(*line, **{"NUMBA_CACHE_DIR": "", variable: "no-such-folder"})
    assert done.status == 2
    assert_one_line(done.err)
    assert f"{variable}=no-such-folder is not an absolute path" in done.err
    assert not Path("no-such-folder").exists()


@needs_compiler
def test_damaged_cache_files_are_made_again(program, tmp_path):
    first = program(*PERFT, XDG_CACHE_HOME=tmp_path)
    files = list(tmp_path.rglob("*.nbc"))
    assert files
    for number, file in enumerate(files):
        data = file.read_bytes()
        file.write_bytes([b"", data[: len(data) // 2], b"\0" * len(data)][number % 3])
    second = program(*PERFT, XDG_CACHE_HOME=tmp_path)
    assert second.status == 0
    one, two = json.loads(first.out), json.loads(second.out)
    del one["seconds"], two["seconds"]
    assert one == two
    assert all(len(file.read_bytes()) > 1000 for file in files)
