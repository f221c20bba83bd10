"""Build endgame tables and print what they cost and hold.

    python benchmarks/solving/endgame.py [CLASS ...]

Without arguments: KQK, KRK, KPK, KBBK, KBNK, bearing off, and some small games. Each in a process
of its own, after its kernels have been compiled: processor time, and the most memory that the
process had, Python and compiler included. Of each chess class 2,000 positions are derived again
with the moves that python-chess finds.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from ponder import position
from ponder.endgame.chess import build_class
from ponder.endgame.material import UNKNOWN, in_order, make_library, parse_class
from ponder.endgame.tables import build

CLASSES = ("KQK", "KRK", "KPK", "KBBK", "KBNK")
OTHERS = (
    ("tictactoe", {}),
    ("connect4(4, 4)", {}),
    ("connect4(5, 4)", {}),
    ("breakthrough(4, 4)", {}),
    ("checkers", {"pieces": 2}),
    ("backgammon", {"classes": "rolls"}),
    ("backgammon", {"classes": "wins6"}),
)
SAMPLE = 2000


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(json.loads(sys.argv[2]))))
        return
    wanted = sys.argv[1:]
    for name in wanted or CLASSES:
        show(run(["chess", {"classes": name}]))
    for other in () if wanted else OTHERS:
        show(run(other))


def run(what) -> dict:
    line = [sys.executable, __file__, "--one", json.dumps(what)]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def show(found: dict) -> None:
    print(
        f"{found['what']}: {found['seconds']:.2f} s, "
        f"{found['megabytes']:,.0f} MB at the most in the process, "
        f"file {found['header']['bytes']:,} bytes"
    )
    hidden = ("game", "record", "kind", "class", "path", "bytes")
    print("   " + "; ".join(f"{k}: {v:,}" for k, v in found["header"].items() if k not in hidden))
    if "checked" in found:
        print(f"   {found['checked']:,} positions derived again with python-chess: all agree")
    sys.stdout.flush()


def one(what) -> dict:
    """Build one table twice: once to compile, once to measure."""
    game, options = what
    name = options.get("classes", "")
    with tempfile.TemporaryDirectory() as folder:
        if game == "chess":
            smaller = {}
            for cls in in_order([parse_class(name)])[:-1]:
                smaller[cls], _ = build_class(cls, smaller)
            warm_up = parse_class("KQK" if len(name) == 3 else "KNNK")
            build_class(warm_up, smaller)
        else:
            build(position(game), folder=folder, **options)
        began = time.process_time()
        header = build(position(game), folder=folder, **options)[-1]
        seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {"what": name or game, "seconds": seconds, "megabytes": peak, "header": header}
    if game == "chess":
        found["checked"] = check(name)
    return found


def check(name: str) -> int:
    """Derive a sample again; the tests' own code does it."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "endgame"))
    from test_chess_tables import board_of, derived

    tables = {}
    for cls in in_order([parse_class(name)]):
        tables[cls], _ = build_class(cls, tables)
    codes, library = tables[parse_class(name)], make_library(tables)
    numbers = np.flatnonzero(codes != UNKNOWN).tolist()
    for number in random.Random(name).sample(numbers, SAMPLE):
        board = board_of(parse_class(name), number)
        assert derived(library, board) == codes[number], board.fen()
    return SAMPLE


if __name__ == "__main__":
    main()
