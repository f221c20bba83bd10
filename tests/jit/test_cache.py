"""Compiled code on disk: found again, never stale, never fatal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

GAME = '''
from typing import NamedTuple
from ponder.core.game import Spec, record
from helper import PRIZE, chosen

class Coin(NamedTuple):
    """One player takes a prize."""
    def spec(self):
        return Spec(1, 2, 1, record(taken="i4"), lowest=-100.0, highest=100.0, zero_sum=False)
    def start(self, s):
        s.taken = -1
    def current_player(self, s):
        return 0
    def legal_actions(self, s, out):
        out[0] = 0
        out[1] = 1
        return 2
    def apply_action(self, s, a):
        s.taken = a
    def is_terminal(self, s):
        return s.taken >= 0
    def returns(self, s, out):
        out[0] = PRIZE if s.taken == chosen() else 0.0
'''

HELPER = """
from ponder.jit import kernel
PRIZE = {prize}

@kernel
def chosen():
    return {chosen}
"""

RUN = """
import sys
from numba.core import event
import ponder

class Count(event.Listener):
    n = 0
    def on_start(self, e): pass
    def on_end(self, e): Count.n += 1

event.register("numba:compile", Count())
result = ponder.MCTS().search(ponder.position("coin.py:Coin"), simulations=64, seed=1)
best = result.moves[0]
print(best.action, best.value, "compiled" if Count.n else "cached")
"""


def run(folder: Path, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [*done.stdout.split(), done.stderr]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "coin.py").write_text(GAME)
    (tmp_path / "helper.py").write_text(HELPER.format(prize=5.0, chosen=0))
    return tmp_path


def test_a_second_process_compiles_nothing_and_an_edit_anywhere_is_seen(folder):
    assert run(folder)[:3] == ["0", "5.0", "compiled"]
    assert run(folder)[:3] == ["0", "5.0", "cached"]
    # a constant imported from another file
    (folder / "helper.py").write_text(HELPER.format(prize=7.0, chosen=0))
    assert run(folder)[:3] == ["0", "7.0", "compiled"]
    # a kernel in another file, same size of file
    (folder / "helper.py").write_text(HELPER.format(prize=7.0, chosen=1))
    assert run(folder)[:3] == ["1", "7.0", "compiled"]
    # the rules themselves
    (folder / "coin.py").write_text(GAME.replace("else 0.0", "else 9.0"))
    assert run(folder)[:3] == ["0", "9.0", "compiled"]
    # and back again: the first compiled code is still there and still right
    (folder / "coin.py").write_text(GAME)
    (folder / "helper.py").write_text(HELPER.format(prize=5.0, chosen=0))
    assert run(folder)[:3] == ["0", "5.0", "cached"]


def test_a_damaged_cache_is_compiled_again(folder):
    run(folder)
    files = list((folder / "cache").rglob("*.nbc"))
    assert files
    for number, file in enumerate(files):
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2] if number % 2 else b"nonsense")
    assert run(folder)[:3] == ["0", "5.0", "compiled"]
    assert run(folder)[:3] == ["0", "5.0", "cached"]


def test_a_cache_that_cannot_be_written_costs_one_warning(folder):
    (folder / "blocked").write_text("a file where a folder should be")
    action, value, how, warning = run(folder, NUMBA_CACHE_DIR=str(folder / "blocked"))
    assert (action, value, how) == ("0", "5.0", "compiled")
    assert warning.count("cannot keep compiled code") == 1


def test_code_for_two_records_kept_by_two_processes_is_not_mixed_up_by_a_third(tmp_path):
    """Both records are the first of their process: numbered alike, they were taken for one."""
    program = (
        "import sys, ponder\n"
        "for players in sys.argv[1:]:\n"
        "    start = ponder.position(f'chinese_checkers(players={players})')\n"
        "    print(start.state.hopping, start.state.winner)\n"
    )
    for players, expected in (("2",), 1), (("6",), 1), (("2", "6"), 2):
        done = subprocess.run(
            [sys.executable, "-c", program, *players],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.splitlines() == ["-1 -1"] * expected, done.stderr


KERNELS = """
import sys
import numba
import numpy as np
from ponder.jit import kernel

@kernel
def largest(numbers):
    best = numbers[0]
    for number in numbers:
        best = max(best, number)
    return best

@kernel
def product(n):
    return 1 if n == 0 else n * product(n - 1)

@kernel
def is_even(n):
    return True if n == 0 else is_odd(n - 1)

@kernel
def is_odd(n):
    return False if n == 0 else is_even(n - 1)

@numba.njit  # of another package, say
def squared(x):
    return x * x

@kernel
def distance(x, y):
    return np.sqrt(float(squared(x) + squared(y)))

numbers = np.array([3, 9, 4])
calls = {
    "largest": lambda: largest(numbers),
    "product": lambda: product(5),
    "even": lambda: is_even(10),
    "odd": lambda: is_odd(10),
    "squared": lambda: squared(3),
    "distance": lambda: distance(3, 4),
    "longest": lambda: distance(largest(numbers), 12),
}
said = {"largest": 9, "product": 120, "even": True, "odd": False, "squared": 9}
said |= {"distance": 5.0, "longest": 15.0}
assert all(calls[name]() == said[name] for name in sys.argv[1:])
functions = (largest, product, is_even, is_odd, distance)
print(*("loaded" if f.stats.cache_hits else "compiled" for f in functions if f.signatures))
"""


def test_a_process_may_load_some_kernels_and_compile_others_in_any_order(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)

    def process(*names: str) -> str:
        done = subprocess.run(
            [sys.executable, "kernels.py", *names],
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert process("largest") == "compiled"
    assert process("largest", "distance") == "loaded compiled"
    assert process("odd", "longest", "product", "squared") == "loaded compiled compiled loaded"
    assert process("squared", "even", "odd", "longest") == "loaded compiled loaded loaded"
    assert process("product", "even", "longest", "odd") == "loaded loaded loaded loaded loaded"


def test_plain_mode_gives_the_same_search_bit_for_bit():
    program = textwrap.dedent("""
        import ponder
        for game in ("tictactoe", "connect4(columns=4, rows=4)", "connect4(9, 9, 4, 3)"):
            result = ponder.MCTS().search(ponder.position(game), simulations=150, seed=7)
            print([(m.action, m.visits, m.value, m.spread) for m in result.moves], result.line)
    """)

    def output(plain: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert output("1") == output("0")


def test_what_the_process_did_before_does_not_matter():
    # Pig reads positions with `re`, which remembers the patterns that it has met
    from ponder.games.pig import Pig
    from ponder.jit.cache import Fingerprint

    prints = set()
    for pattern in ("a+b", "c+d"):
        re.fullmatch(pattern, "x")
        made = Fingerprint()
        made.add_class(Pig)
        prints.add(made.hexdigest())
    assert len(prints) == 1


def test_two_processes_know_every_game_and_part_by_the_same_name():
    """Else each would compile for itself. Addresses differ, and the order of words in a set."""
    script = """
    from ponder.core.registry import GAMES, PARTS, load
    from ponder.jit.cache import Fingerprint

    for named in (GAMES, *PARTS.values()):
        for name, where in named.items():
            made = Fingerprint()
            if isinstance(load(where), type):
                made.add_class(load(where))
                print(name, made.hexdigest())
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    told = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.splitlines())
    assert len(told[0]) > 50
    assert told[0] == told[1]
