"""Every two parts of Monte Carlo tree search together, in plain Python: no code to compile.

    NUMBA_DISABLE_JIT=1 python tests/mcts/every_pair.py [all | plain]

A pair either is refused in one line or searches soundly: no simulation is lost, all values are
within the game's range, and the chosen move is legal. Prints what is unsound and, last, the
counts. The pairs take turns at two players, three players and dice; `all` lets every pair search
all three, `plain` a game of ordinary Python objects with every hook, and one with dice.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from plain_games import EinStein, Hinted
from ponder import Position, position
from ponder.core.registry import PARTS, parse_engine
from ponder.errors import InputError

KINDS = ("select", "expand", "evaluate", "backup", "decide")
GAMES = ("tictactoe", "connect4(columns=4, rows=3, run=3, players=3)", "pig(target=6)")
PLAIN = (position(Hinted()), position(EinStein(2)).play(1))
SIMULATIONS = 25
"""Of tic-tac-toe every move of the root and then some: 60 find no more, in twice the time."""
LEFT_OUT = {"function", "probed"}  # need a function or a table that somebody gives


def pairs() -> Iterator[str]:
    """An engine for every two parts of different kinds, the others being the default ones."""
    for one, two in combinations(KINDS, 2):
        for a in PARTS[one]:
            for b in PARTS[two]:
                if not {a, b} & LEFT_OUT:
                    yield f"mcts({one}={a}(), {two}={b}())"


def fault(start: Position, text: str) -> str | None:
    """What is wrong with a search by this engine; "refused" if it declines the game."""
    try:
        engine = parse_engine(text)
        found = engine.search(start, simulations=SIMULATIONS, seed=1)
    except InputError as error:
        return "refused" if "\n" not in str(error) else f"refused in two lines: {error}"
    except Exception as error:  # whatever it is, it is a finding
        return f"{type(error).__name__}: {error}"
    spec = start.for_kernels().rules.spec
    if found.action not in start.legal_actions:
        return f"plays {found.action}, not legal"
    if found.stopped_by != "solved" and found.simulations < SIMULATIONS:
        return f"{found.simulations} simulations, stopped by {found.stopped_by}"
    if sum(row.visits for row in found.moves) > found.simulations:
        return "more visits than simulations"
    for row in found.moves:
        if row.visits and not spec.lowest - 1e-9 <= row.value <= spec.highest + 1e-9:
            return f"move {row.name} has the value {row.value}"
    return None if math.isfinite(found.value) else f"the value is {found.value}"


def main() -> None:
    warnings.simplefilter("error")
    sound = refused = unsound = 0
    starts = PLAIN if sys.argv[1:] == ["plain"] else tuple(map(position, GAMES))
    for i, text in enumerate(pairs()):
        turn = i % len(starts)
        for start in starts if sys.argv[1:] == ["all"] else starts[turn : turn + 1]:
            said = fault(start, text)
            sound += said is None
            refused += said == "refused"
            if said not in (None, "refused"):
                unsound += 1
                print(f"{start.rules.name}: {text}: {said}")
    print(f"{sound} sound, {refused} refused, {unsound} unsound")


if __name__ == "__main__":
    main()
