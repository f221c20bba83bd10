"""Random histories of sessions, each held against a fresh run of the same history, bit for bit.

    NUMBA_DISABLE_JIT=1 python tests/mcts/session_histories.py [SEQUENCES] [SEED]

In plain mode nothing has to be compiled, so that every part of a search can be switched to.
Prints how many sequences and moments were compared, and the first difference if there is one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from ponder import MCTS, InputError, Session, engine, position
from ponder.mcts.names import PARTS

STARTS = {
    "tictactoe": (),
    "tictactoe()": ("b2", "a1"),
    "gem": (),
    "pig(target=12)": (),
    "tree": (),
}
SKIPPED = {"function", "gumbel", "outside", "probed", "sequential_halving"}
"""They ask for more than a name: a function, tables, a number of simulations."""
COMMON = ("action", "visits", "value", "first", "count", "player", "cut")
LONGEST = 12
"""Simulations of one `run`."""


def state_of(session):
    """All that the search to come follows from."""
    run = session._run
    nodes = run.store.nodes
    fields = [np.ascontiguousarray(nodes[name]).tobytes() for name in COMMON]
    arrays = run.rng, run.work.totals, run.work.squares
    return run.done, fields, [array.tobytes() for array in arrays]


def random_change(rng):
    kind = rng.choice(["select", "select", "expand", "evaluate", "backup", "backup", "decide"])
    name = rng.choice(sorted(set(PARTS[kind]) - SKIPPED))
    return {kind: getattr(engine(f"mcts({kind}={name}())"), kind)}


def moved(session, rng, folder):
    """The session after one random operation; another object after a fork or a load."""
    what = rng.choice(["run", "run", "step", "change", "change", "rewind", "fork", "load"])
    if what == "run":
        session.run(simulations=rng.randrange(1, LONGEST))
    elif what == "step":
        session.step()
    elif what == "change":
        try:
            session.change(**random_change(rng))
        except InputError:
            return session, "refused"  # this part does not fit the game, or another part
    elif what == "rewind":
        session.rewind(rng.randrange(session.furthest + 1))
    elif what == "fork":
        twin = session.fork()
        session.run(simulations=3)  # the fork must not notice
        session = twin
    else:
        path = Path(folder, "one.session")
        session.save(path)
        session = Session.load(path)
    return session, what


def compare(sequences, seed, operations=8):
    """How many sequences agreed, how many moments were compared; raises at the first difference."""
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(sequences):
            rng = random.Random(f"{seed} {number}")
            name = rng.choice(list(STARTS))
            start = position(name).play_all(STARTS[name])
            if start.is_chance:
                start = start.play(start.legal_names[0])
            session = MCTS().start(start, seed=number, switchable=rng.random() < 0.5)
            done = []
            for _ in range(operations):
                session, what = moved(session, rng, folder)
                done.append(what)
                fresh = Session.of(session.history)
                if state_of(fresh) != state_of(session):
                    raise AssertionError(f"sequence {number} of seed {seed}: {' '.join(done)}")
                compared += 1
    return sequences, compared


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    sequences, compared = compare(*(given + [20, 0][len(given) :]))
    print(f"{sequences} sequences, {compared} moments compared: all equal")
