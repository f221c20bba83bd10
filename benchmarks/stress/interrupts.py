"""Ctrl-C at random moments of the main commands, with full and with empty compile caches.

    python benchmarks/stress/interrupts.py                       20 moments of each, warm and cold
    python benchmarks/stress/interrupts.py match --presses 5     some of them
    python benchmarks/stress/interrupts.py --cold                cold only

A press goes to the whole group of processes, as that of a terminal does. A command must then end
within `LONGEST` seconds with status 130, without a traceback and with no process left behind; one
that was over before the press is counted apart. A press in the first `EARLIEST` seconds would be
one of Python's own start, in which nothing of ours runs. Status 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

LONGEST = 2.0
EARLIEST = 0.15
WARM, COLD = 6.0, 14.0
"""Presses come at most so many seconds after the start."""
MARK = "PONDER_INTERRUPT_TRIAL"
TEMPORARY = "{folder}"
"""In an argument: a folder of this one process."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "search": ("search", "connect4", "--seconds", "60"),
    "search --threads 2": ("search", "hex(size=5)", "--seconds", "60", "--threads", "2"),
    "search alphabeta": ("search", "othello", "--engine", "alphabeta()", "--seconds", "60"),
    "match": (
        *("match", "connect4", "mcts()", "random()"),
        *("--simulations", "300", "--games", "2000", "--out", f"{TEMPORARY}/games.jsonl"),
    ),
    "match --jobs 2": (
        *("match", "tictactoe", "mcts()", "random()"),
        *("--simulations", "300", "--games", "20000", "--jobs", "2"),
    ),
    "train": ("train", "tictactoe", "--minutes", "5", "--out", f"{TEMPORARY}/run"),
    "solve": ("solve", "connect4", "--memory", "8"),
    "perft": ("perft", "connect4", "30"),
    "check": ("check", "othello", "--games", "5000"),
    "bench": ("bench", "tictactoe", "connect4"),
    "lab": ("lab", "backup"),
    "play": ("play", "tictactoe", "--second"),
    "book": (
        *("book", "build", "tictactoe", f"{TEMPORARY}/a.book"),
        *("--self-play", "100000", "--engine", "mcts(simulations=200)"),
    ),
    "fit": ("fit", "breakthrough", "--games", "3000"),
    "show": ("show", "connect4", "--engine", "mcts()", "--simulations", "20000000"),
    "explore": ("explore", "--no-browser", "--port", "0"),
}


class Pressed(NamedTuple):
    """What became of one press."""

    command: str
    moment: float
    seconds: float
    """From the press to the end."""
    status: int
    over: bool
    """Had the command ended before?"""
    fault: str


def program(name: str, folder: str) -> list[str]:
    words = [word.replace(TEMPORARY, folder) for word in COMMANDS[name]]
    return [sys.executable, "-m", "ponder", *words]


def press(name: str, moment: float, cache: Path | None) -> Pressed:
    """Begin a command, press Ctrl-C at the moment, and look what becomes of it."""
    mark = f"{os.getpid()}.{time.monotonic_ns()}"
    environment = {**os.environ, MARK: mark}
    if cache is not None:
        environment["XDG_CACHE_HOME"] = str(cache)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            program(name, folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=err,
            env=environment,
            start_new_session=True,
        )
        time.sleep(moment)
        over = process.poll() is not None
        began = time.monotonic()
        if not over:
            os.killpg(process.pid, signal.SIGINT)
        try:
            status = process.wait(60)
        except subprocess.TimeoutExpired:
            status = 0
        seconds = time.monotonic() - began
        left = left_behind(mark)
        for number in left:
            os.kill(number, signal.SIGKILL)
        process.wait()
        assert process.stdin is not None
        process.stdin.close()
        err.seek(0)
        said = err.read()
    fault = ""
    if "Traceback" in said or "Error" in said:
        fault = said
    elif not over and status != 130:
        fault = f"status {status}: {said}"
    elif not over and seconds > LONGEST:
        fault = f"{seconds:.1f} s: {said}"
    elif left:
        fault = f"{len(left)} processes were left behind"
    return Pressed(name, moment, seconds, status, over, fault)


def left_behind(mark: str) -> list[int]:
    """Processes of a trial that still run half a second after its command has ended."""
    text = f"{MARK}={mark}".encode()
    deadline = time.monotonic() + 0.5
    while found := [number for number in processes() if text in surroundings(number)]:
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return found


def processes() -> list[int]:
    return [int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal()]


def surroundings(number: int) -> bytes:
    """The environment of a process; nothing if it has ended, or is not ours."""
    try:
        return Path(f"/proc/{number}/environ").read_bytes()
    except OSError:
        return b""


def trial(names: list[str], presses: int, seed: int, caches: list[str]) -> list[Pressed]:
    found = []
    print(f"{'command':<20} {'cache':<5} {'pressed':>8} {'over':>5} {'longest':>8} {'wrong':>6}")
    for name in names:
        for kind in caches:
            dice = random.Random(f"{seed} {name} {kind}")
            rows = []
            for _ in range(presses):
                moment = dice.uniform(EARLIEST, WARM if kind == "warm" else COLD)
                with tempfile.TemporaryDirectory() as folder:
                    rows.append(press(name, moment, Path(folder) if kind == "cold" else None))
                if rows[-1].fault:
                    print(f"  at {moment:.2f} s: {rows[-1].fault.strip()}", flush=True)
            heard = [row for row in rows if not row.over]
            longest = max((row.seconds for row in heard), default=0.0)
            wrong = sum(bool(row.fault) for row in rows)
            line = f"{name:<20} {kind:<5} {len(heard):>8} {len(rows) - len(heard):>5}"
            print(f"{line} {longest:>6.2f} s {wrong:>6}", flush=True)
            found += rows
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Ctrl-C at random moments.")
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=", ".join(COMMANDS))
    parser.add_argument("--presses", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--warm", action="store_true", help="with full caches only")
    parser.add_argument("--cold", action="store_true", help="with empty caches only")
    given = parser.parse_args()
    unknown = [name for name in given.commands if name not in COMMANDS]
    if unknown:
        parser.error(f"no such command: {unknown[0]}")
    caches = [kind for kind in ("warm", "cold") if getattr(given, kind)] or ["warm", "cold"]
    found = trial(given.commands or list(COMMANDS), given.presses, given.seed, caches)
    wrong = sum(bool(row.fault) for row in found)
    print(f"{len(found)} presses, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
