"""How often a network is wrong about who wins a random position of Connect Four.

    python benchmarks/strength/connect4_values.py NETWORK ... [--count 20000] [--seed 5]

Positions are those after twelve random moves in which nobody can win at once, no position twice.
Of those that are won or lost with best play, how many does the network's value, without a search,
give the wrong sign? Exact values are those of `bitbully` (C++, `pip install bitbully`), whose
opening book holds all positions of twelve plies.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from bitbully import BitBully, Board

from ponder import position
from ponder.learn.file import network_for
from ponder.learn.network import hidden, scratch_for, write_values

START = position("connect4")
PLIES = 12


def solved_positions(count: int, seed: int) -> list[tuple[Any, int]]:
    """Decided positions with 1 if the player to move wins and -1 if not."""
    solver, rng = BitBully(opening_book="12-ply-dist"), np.random.default_rng([seed, PLIES])
    found: dict[Any, tuple[Any, int]] = {}
    while len(found) < count:
        here, board = START, Board()
        while len(here.history) < PLIES and not board.can_win_next():
            column = int(rng.choice(board.legal_moves()))
            here, _ = here._after(column), board.play(column)
        if board.can_win_next() or here.key in found:
            continue
        value = int(np.sign(solver.mtdf(board)))
        if value:
            found[here.key] = here, value
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    solved = solved_positions(given.count, given.seed)
    for name in given.networks:
        network, cells = network_for(name, START)
        scratch, said = scratch_for(network, START.rules.spec, cells), np.zeros(2)
        wrong = 0
        for here, value in solved:
            mover = here.current_player
            hidden(network, here.rules.part, here.raw_state[0], scratch, mover)
            write_values(network, scratch, mover, said)
            wrong += np.sign(said[mover]) != value
        share = wrong / len(solved)
        print(f"{name}: wrong about {wrong:,} of {len(solved):,} = {share:.2%}", flush=True)


if __name__ == "__main__":
    main()
