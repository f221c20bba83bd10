"""Why a network errs on solved positions of Connect Four of medium difficulty: its values, its
policy, or too few simulations.

    python benchmarks/strength/connect4_why.py [NETWORK] [--set FILE] [--more 800 3200]

Of the positions in which `alphazero(net=NETWORK, simulations=100)` errs: how many are won, in how
many only one move keeps the result, in how many the network's value one move later is higher for
the wrong move than for every right one, in how many the likeliest move is wrong, and how many are
still wrong with more simulations.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from connect4_mistakes import FIRST_DRAW
from connect4_strata import at
from solved_sets import MEDIUM, read_set, sign

from ponder.core.registry import parse_engine
from ponder.learn.file import network_for
from ponder.learn.likeliest import likeliest_moves
from ponder.learn.network import hidden, scratch_for, write_values

SIMULATIONS = 100


def value_of(name: str, here: Any, player: int) -> float:
    """What the network thinks the position is worth to the player."""
    network, cells = network_for(name, here)
    scratch, said = scratch_for(network, here.rules.spec, cells), np.zeros(2)
    hidden(network, here.rules.part, here.raw_state[0], scratch, here.current_player)
    write_values(network, scratch, here.current_player, said)
    return float(said[player])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("network", nargs="?", default="connect4")
    parser.add_argument("--set", type=Path, default=FIRST_DRAW, metavar="FILE")
    parser.add_argument("--more", type=int, nargs="*", default=[800, 3200])
    given = parser.parse_args()

    def chosen(here: Any, simulations: int) -> int:
        engine = parse_engine(f"alphazero(net={given.network!r}, simulations={simulations})")
        return int(engine.search(here, seed=1).action)

    count: Counter[str] = Counter()
    for one in read_set(given.set):
        here = at(one.columns)
        if one.stratum.plies != MEDIUM or not one.is_mistake(played := chosen(here, SIMULATIONS)):
            continue
        count["mistakes"] += 1
        kept = [c for c, s in enumerate(one.scores) if s is not None and not one.is_mistake(c)]
        values = [value_of(given.network, here._after(c), here.current_player) for c in kept]
        wrong = value_of(given.network, here._after(played), here.current_player)
        by_value = wrong > max(values)
        by_policy = one.is_mistake(likeliest_moves(given.network, [here])[0])
        count["of won positions"] += sign(one.best) > 0
        count["only one move keeps the result"] += len(kept) == 1
        count["the value prefers the wrong move"] += by_value
        count["the likeliest move is wrong"] += by_policy
        count["both"] += by_value and by_policy
        for simulations in given.more:
            still = one.is_mistake(chosen(here, simulations))
            count[f"still wrong with {simulations:,} simulations"] += still
    print("\n".join(f"{number:4} {name}" for name, number in count.items()))


if __name__ == "__main__":
    main()
