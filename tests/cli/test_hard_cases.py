"""Input, streams and rules that would bring a program down: one line and a status."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from command_line import PROGRAM, assert_one_line, needs_compiler

NESTED = {
    "brackets": "mcts" + "(" * 1000 + ")" * 1000,
    "minus signs": f"mcts(simulations={'-' * 1000}1)",
    "calls": "mcts(select=" + "ucb1(" * 1000 + ")" * 1000 + ")",
}


@pytest.mark.parametrize("engine", NESTED.values(), ids=NESTED.keys())
def test_a_deeply_nested_text_is_refused_in_one_line(ponder, engine):
    done = ponder("search", "tictactoe", "--engine", engine)
    assert done.status == 2
    assert_one_line(done.err)


def test_no_game_is_as_long_as_an_absurd_depth(ponder):
    done = ponder("perft", "tictactoe", str(10**12))
    assert done.status == 0
    assert f"perft({10**12}) = 0 " in done.out


def shell(redirection: str) -> subprocess.CompletedProcess[str]:
    line = ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, "games"]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_one_line(redirection):
    done = shell(redirection)
    assert done.returncode == 2
    assert_one_line(done.stderr)


def test_a_closed_input_is_no_input():
    line = ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, "play", "tictactoe"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr


ENDLESS = """
import numpy as np
from ponder.core.interrupt import interruptible
from ponder.jit import kernel, read_now

@kernel
def loop(end):
    while read_now(end, 0) == 0:
        pass

loop(np.ones(1, np.int64))  # compiles
with interruptible():
    print("running", flush=True)
    loop(np.zeros(1, np.int64))
"""


@needs_compiler
def test_a_second_ctrl_c_ends_a_kernel_that_never_returns(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "running\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):  # the first one only asks
            process.wait(timeout=4)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()  # or a failure would leave it running for ever
    assert process.returncode == 130
    assert err == "ponder: interrupted: the rules did not return\n"
