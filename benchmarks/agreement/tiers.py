"""Searches begun in plain Python and continued compiled, beside the same ones compiled throughout.

    python benchmarks/agreement/tiers.py [PAIRS]
    python benchmarks/agreement/tiers.py --first

A process in plain mode runs each search to a moment in its middle and takes its digest: rows, line,
every node of the tree, random numbers. A compiled process takes it over there, as the command does
(`ponder.cli.tier.Continued`), and searches once more from the beginning; results and digests at the
end are compared, which must be equal bit for bit. One line for each pair, and status 1 if one
differs. It compiles every pair that is not compiled yet.

With --first: what a first answer takes, with nothing compiled: the whole command, in seconds of the
processor, median of 5 (and on the clock, which depends on what else the machine does).
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stderr
from pathlib import Path
from statistics import median
from typing import Any

PLAIN = "NUMBA_DISABLE_JIT"
COMMAND = (sys.executable, "-m", "ponder", "search")
PAIRS: tuple[tuple[str, str, str, int, int], ...] = (
    # game, engine, what is counted, how many, and after how many it is taken over
    ("tictactoe", "mcts()", "simulations", 1000, 377),
    ("tictactoe", "strong()", "simulations", 500, 61),
    ("tictactoe", "alphabeta()", "nodes", 2000, 701),
    ("tictactoe", "plain_alphabeta()", "nodes", 1500, 1000),
    ("nim", "mcts()", "simulations", 400, 123),
    ("connect4", "mcts()", "simulations", 300, 100),
    ("connect4", "strong()", "simulations", 120, 40),
    ("connect4", "mcts(select=sequential_halving())", "simulations", 210, 80),
    ("connect4", "mcts(decide=max_robust(extra=0.5))", "simulations", 100, 70),
    ("connect4", "alphabeta()", "nodes", 1500, 333),
    ("othello", "mcts()", "simulations", 120, 50),
    ("othello", "strong()", "simulations", 100, 33),
    ("hex(size=5)", "strong()", "simulations", 200, 90),
    ("breakthrough(columns=5, rows=5)", "mcts()", "simulations", 150, 60),
    ("go(size=5)", "mcts()", "simulations", 60, 25),
    ("chess", "mcts()", "simulations", 24, 11),
    ("pig", "mcts()", "simulations", 200, 77),
    ("pig", "expectiminimax(depth=4)", "nodes", 600, 250),
    ("gem", "crazy_stone()", "simulations", 300, 150),
    ("bandit", "mcts(select=thompson())", "simulations", 300, 111),
)


def started(pair: Any) -> Any:
    """A session of the pair, announced as `search` announces it."""
    from ponder import Limit, engine, position

    game, text, unit, many, _ = pair
    here, made = position(game), engine(text)
    plan = Limit(simulations=many) if unit == "simulations" else Limit()
    return made.start(here, seed=1, plan=plan)


def digests(pairs: Any) -> list[str]:
    """In plain mode: the digest of each search at the moment at which it is taken over."""
    from ponder.core.tiers import digest

    found = []
    for pair in pairs:
        session = started(pair)
        # as the command does: a stop between two pieces, here at a known place
        session._go_to(pair[4])
        found.append(digest(session))
    return found


def compared(pair: Any, handed: str) -> tuple[bool, str]:
    """Is the search that is taken over the one that was compiled from the start? And both in short.

    The warning of a difference at the changeover goes to stderr, and counts.
    """
    from ponder.cli import tier
    from ponder.core.tiers import digest

    _, _, unit, many, moment = pair
    sessions, said = [started(pair), started(pair)], io.StringIO()
    with redirect_stderr(said), tier.Continued(tier.Handed(1, moment, handed)).searching():
        sessions[0].run(**{unit: many})
    told = said.getvalue().splitlines()
    sessions[1].run(**{unit: many})
    ends = [digest(session) for session in sessions]
    result = sessions[1].result()
    same = ends[0] == ends[1] and not told
    store = getattr(sessions[1]._run, "store", None)
    tree = "" if store is None else f", {store.size:,} nodes in the tree"
    value = "not known yet" if result.value is None else f"{result.value:+.6f}"
    short = f"{sessions[1].moment:,} {unit}, best {result.best_move.name} {value}{tree}"
    return same, " | ".join([short, ends[1][:12], *told])


def first_answers() -> None:
    """A table: each game with small budgets, with an empty folder of compiled code."""
    kept = {name: text for name, text in os.environ.items() if name != PLAIN}
    for game in ("tictactoe", "connect4", "othello", "hex"):
        row = []
        for simulations in (20, 100):
            spent = []
            for _ in range(5):
                with tempfile.TemporaryDirectory() as folder:
                    began, before = time.perf_counter(), os.times()
                    done = subprocess.run(
                        [*COMMAND, game, "--seed", "1", "--simulations", str(simulations)],
                        check=True,
                        capture_output=True,
                        text=True,
                        env={**kept, "XDG_CACHE_HOME": folder, "PYTHONSAFEPATH": "1"},
                    )
                    after = os.times()
                    assert "searched in plain Python" in done.stderr, done.stderr
                processor = after.children_user + after.children_system
                processor -= before.children_user + before.children_system
                spent.append((processor, time.perf_counter() - began))
            processor, clock = (median(column) for column in zip(*spent, strict=True))
            row.append(f"{simulations} simulations {processor:.2f} s ({clock:.2f} on the clock)")
        print(f"{game} strong(): {', '.join(row)}", flush=True)


def main() -> int:
    if sys.argv[1:2] == ["--first"]:
        first_answers()
        return 0
    if sys.argv[1:2] == ["--plain"]:
        print(json.dumps(digests(json.loads(sys.argv[2]))))
        return 0
    pairs = PAIRS[: int(sys.argv[1])] if sys.argv[1:] else PAIRS
    plain = subprocess.run(
        [sys.executable, str(Path(__file__)), "--plain", json.dumps(pairs)],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, PLAIN: "1"},
    )
    differ = 0
    for pair, handed in zip(pairs, json.loads(plain.stdout), strict=True):
        same, said = compared(pair, handed)
        differ += not same
        game, engine, _, _, moment = pair
        word = "equal" if same else "DIFFERENT"
        print(f"{word:9}  {game} {engine}, taken over after {moment}: {said}", flush=True)
    print(f"{len(pairs) - differ} of {len(pairs)} are equal bit for bit")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
