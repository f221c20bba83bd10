"""Mistakes of a network on solved positions of Connect Four.

    python benchmarks/strength/connect4_learning.py NETWORK FILE [FILE ...]
                                                      [--most N] [--simulations 100]

A file has lines ``COLUMNS SCORE`` as for `connect4_exact.py`. A mistake is a move that loses value:
a win becomes a draw or a loss, a draw a loss. Every position counts, also those in which no move
does. The raw policy (the likeliest move) is asked, and searches of so many simulations. Times
are of this process's work (CPU).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from connect4_player import connect4_player

from ponder import position
from ponder.arena.summary import plural
from ponder.learn.file import network_for
from ponder.learn.network import hidden, logit, scratch_for
from ponder.search.exact import ExactSearch

START = position("connect4")


def read(path: str) -> list[str]:
    return [line.split()[0] for line in Path(path).read_text().splitlines()]


def move_values(search: ExactSearch, here) -> dict[int, float]:  # type: ignore[no-untyped-def]
    """The exact value of every move for the player to move."""
    made = {}
    for action in here.legal_actions:
        after = here._after(action)
        if after.is_terminal:
            made[action] = float(after.returns[here.current_player])
        else:  # the value is the other player's: the sign is turned
            made[action] = -float(search.value_and_distance(search.bounds_of(after))[0] or 0.0)
    return made


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("network")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--simulations", type=int, nargs="*", default=[100, 800])
    given = parser.parse_args()
    network, cells = network_for(given.network, START)
    scratch = scratch_for(network, START.rules.spec, cells)

    def policy(here):  # type: ignore[no-untyped-def]
        hidden(network, here.rules.part, here.raw_state[0], scratch, here.current_player)
        scores = [logit(network, a, scratch) for a in here.legal_actions]
        return here.legal_actions[int(np.argmax(scores))]

    exact = ExactSearch(START, 64)
    positions = []
    for file in given.files:
        for columns in read(file)[: given.most]:
            here = START
            for column in columns:
                here = here._after(int(column) - 1)
            positions.append((here, move_values(exact, here)))
    players = {"policy": policy}
    for n in given.simulations:
        engine = connect4_player(given.network, n)
        players[f"{n} simulations"] = lambda here, engine=engine: engine.search(here, seed=1).action
    for name, player in players.items():
        began = time.process_time()
        wrong = sum(values[player(here)] < max(values.values()) for here, values in positions)
        share = wrong / len(positions)
        spent = time.process_time() - began
        print(
            f"{name:16} {plural(wrong, 'mistake')} in {len(positions)} = {share:.2%}, {spent:.1f} s"
        )


if __name__ == "__main__":
    main()
