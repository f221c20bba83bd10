"""Random histories of sessions, each held against a fresh run of the same history, bit for bit.

    NUMBA_DISABLE_JIT=1 python tests/core/session_histories.py [SEQUENCES] [SEED]

In plain mode nothing has to be compiled, so that every part of a search can be switched to. Prints
how many sequences, operations and moments there were of each family, and the first difference if
there is one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from ponder import MCTS, InputError, Session, engine, position
from ponder.mcts.names import PARTS
from ponder.search.solve import start_solving

PLAIN = Path(__file__).parents[1] / "plain_games.py"
STARTS = {
    "tictactoe": (),
    "tictactoe()": ("b2", "a1"),
    "gem": (),
    "pig(target=12)": (),
    "pig(target=12) ": ("roll",),  # dice first
    "tree": (),
    f"{PLAIN}:Countdown": (),
    f"{PLAIN}:Hinted": (),
    f"{PLAIN}:EinStein": (),  # dice first
}
CLASSICAL = (
    "alphabeta()",
    "alphabeta(mtdf=True)",
    "best_reply()",
    "expectiminimax()",
    "expectiminimax(pruning=star1, table=False)",
    "maxn()",
    "minimax()",
    "paranoid()",
    "plain_alphabeta()",
)
NO_DICE = ("alphabeta", "minimax", "plain_alphabeta")
FAMILIES = ("mcts", "mcts", "mcts", "classical", "classical", "solve")
SKIPPED = {"function", "gumbel", "outside", "probed", "sequential_halving"}
"""They ask for more than a name: a function, tables, a number of simulations."""
COMMON = ("action", "visits", "value", "first", "count", "player", "cut")
LONGEST = 12
"""Simulations or nodes of one `run`."""


def started(family, rng, number):
    """A session of the family, at a position that it is for."""
    while True:
        name = rng.choice(list(STARTS))
        start = position(name.strip()).play_all(STARTS[name])
        try:
            if family == "solve":
                return start_solving(start, memory=1)
            if family == "classical":
                spec = rng.choice(CLASSICAL)
                if not (start.rules.has_dice and spec.startswith(NO_DICE)):
                    return engine(spec).start(start, seed=number)
                continue
            return MCTS().start(start, seed=number, switchable=rng.random() < 0.5)
        except InputError:
            continue  # this search is not for this game


def state_of(session):
    """All that the search to come follows from, as far as it can be seen."""
    run = session._run
    if not isinstance(session.history.engine, MCTS):
        run.pause()
        found = session.result()
        late = session.events(max(0, session.moment - 9))
        return run.done, found.value, found.moves, getattr(found, "outcomes", ()), late
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
    unit = session.unit
    if what == "run":
        session.run(**{unit: rng.randrange(1, LONGEST)})
    elif what == "step":
        session.step()
    elif what == "change":
        try:
            session.change(**random_change(rng))
        except InputError:
            return session, "refused"  # no part of this engine, or it does not fit the game
    elif what == "rewind":
        session.rewind(rng.randrange(session.furthest + 1))
    elif what == "fork":
        twin = session.fork()
        session.run(**{unit: 3})  # the fork must not notice
        session = twin
    else:
        path = Path(folder, "one.session")
        session.save(path)
        session = Session.load(path)
    return session, what


def compare(sequences, seed, operations=8):
    """How many sequences of each family agreed, by which operations; raises at a difference."""
    families, done = Counter(), Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(sequences):
            rng = random.Random(f"{seed} {number}")
            family = FAMILIES[number % len(FAMILIES)]
            session = started(family, rng, number)
            made = []
            for _ in range(operations):
                session, what = moved(session, rng, folder)
                made.append(what)
                fresh = Session.from_history(session.history)
                if state_of(fresh) != state_of(session):
                    said = f"sequence {number} of seed {seed}, {session.history.to_json()}"
                    raise AssertionError(f"{said}: {' '.join(made)}")
            families[family] += 1
            done.update(made)
    return families, done


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    families, done = compare(*(given + [20, 0][len(given) :]))
    shown = ", ".join(f"{n} {family}" for family, n in families.items())
    print(f"{sum(families.values())} sequences ({shown}), {sum(done.values())} moments: all equal")
    print(", ".join(f"{what} {n}" for what, n in sorted(done.items())))
