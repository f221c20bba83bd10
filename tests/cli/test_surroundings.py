"""Outputs that cannot show every sign, little memory, small files: one line, or the result."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

from command_line import PROGRAM, assert_one_line
from ponder.cli.spelling import SIGNS, in_ascii

pytestmark = pytest.mark.plain
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1"}


def run(*words, limit=None, **environment):
    def limited():
        if limit is not None:
            resource.setrlimit(limit[0], (limit[1], limit[1]))

    return subprocess.run(
        [*PROGRAM, *words],
        env={**PLAIN, **environment},
        preexec_fn=limited,
        capture_output=True,
        check=False,
    )


PRINTING = [
    ("show", "tree"),
    ("show", "tree([[3,12],[2,4]])", "--engine", "mcts()", "--simulations", "5"),
    ("search", "chess", "--engine", "mcts()", "--simulations", "3"),
    ("search", "tictactoe", "--engine", "mcts()", "--simulations", "20", "--why"),
    ("games",),
    ("lab",),
    ("solve", "tree"),
    ("explain", "chess"),
    ("play", "hex(size=3)", "--engine", "random()"),
]


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_what_an_encoding_lacks_is_written_in_ascii(words, encoding):
    done = run(*words, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    out = done.stdout.decode(encoding)
    assert out
    assert "?" not in out.replace("? for help", ""), "every sign has something in its place"
    assert b"\\u" not in done.stdout


def test_a_drawing_in_latin_1_says_what_the_one_in_utf_8_does():
    whole = run("show", "tree", PYTHONIOENCODING="utf-8").stdout.decode()
    spelt = run("show", "tree", PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "△" in whole
    assert spelt == "".join(c if c.isascii() else in_ascii(c) for c in whole)


def test_every_sign_that_commands_print_has_something_in_its_place():
    assert all(in_ascii(sign) for signs in SIGNS for sign in signs)
    assert "".join(map(in_ascii, "─△≤α♔♞ü⁺²")) == "-^<=alphaKnu+2"
    assert in_ascii("漢") == "?"


@pytest.mark.parametrize("threads", ["0", "-3"])
def test_a_number_of_threads_that_the_compiler_does_not_take(threads):
    done = run("games", NUMBA_NUM_THREADS=threads)
    assert done.returncode == 2
    assert_one_line(done.stderr.decode())
    assert f"NUMBA_NUM_THREADS is {threads}, accepted: 1 or more" in done.stderr.decode()


def test_it_is_one_sentence_in_a_program_too():
    program = "import ponder\ntry: ponder.MCTS\nexcept ponder.InputError as error: print(error)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**PLAIN, "NUMBA_NUM_THREADS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "NUMBA_NUM_THREADS is 0, accepted: 1 or more\n"


@pytest.mark.parametrize("megabytes", [300, 800])
def test_a_process_with_little_memory_says_so(megabytes):
    done = run("games", limit=(resource.RLIMIT_AS, megabytes << 20))
    assert done.returncode == 2
    assert_one_line(done.stderr.decode())
    assert f"may use {megabytes} MB of memory (ulimit -v)" in done.stderr.decode()


def test_where_no_file_may_be_written_the_result_is_shown_all_the_same(tmp_path):
    words = ("search", "nim", "--engine", "mcts()", "--simulations", "20")
    small = (resource.RLIMIT_FSIZE, 0)
    assert run(*words, limit=small, XDG_CACHE_HOME=str(tmp_path)).returncode == 0
    done = run(*words, "--tree", str(tmp_path / "tree.json"), limit=small)
    assert done.returncode == 2
    assert b"best" in done.stdout
    assert_one_line(done.stderr.decode())
    assert b"cannot write" in done.stderr
    assert list(tmp_path.glob("tree*")) == []


@pytest.mark.parametrize("text", ["tic\0tac", "a\0.py:X", 'tree("a\0")', "./x\0/y.py:G(1)"])
def test_a_text_with_a_zero_byte_is_one_line(text):
    program = f"from ponder.cli.program import run; import sys; sys.exit(run(['search', {text!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=PLAIN, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert_one_line(done.stderr)
