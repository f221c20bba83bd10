"""The same tables, byte by byte, from the same code run as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import sys
from ponder import position
from ponder.endgame.material import code_of, make_library, number_of, parse_class, position_of
from ponder.endgame.tables import build, open_tables

folder = sys.argv[1]
build(position("nim(heaps=(2, 3))"), folder=folder)
build(position("backgammon"), classes="wins1", folder=folder)
print(open_tables("nim(heaps=(2, 3))", folder).moves(position("nim(heaps=(2, 3))")))
for name in ("KQK", "KBBK", "KQKR", "KPK"):
    shape = parse_class(name).shape
    for number in range(0, parse_class(name).size, parse_class(name).size // 97):
        place = position_of(shape, number)
        print(name, *map(int, place), int(number_of(shape, *place)))
"""


def run(folder, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, str(folder)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return done.stdout


def test_plain_python_and_machine_code_build_the_same_tables(tmp_path):
    compiled, plain = tmp_path / "compiled", tmp_path / "plain"
    assert run(compiled) == run(plain, NUMBA_DISABLE_JIT="1")
    files = sorted(file.name for file in compiled.iterdir())
    assert len(files) == 2
    for name in files:
        assert (compiled / name).read_bytes() == (plain / name).read_bytes()
