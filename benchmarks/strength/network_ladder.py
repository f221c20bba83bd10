"""How a network plays against the fixed opponents of its game, from random openings, every seat.

    python benchmarks/strength/network_ladder.py NETWORK GAME [--pairs 50]
                                        [--simulations 100] [--plies 4]
                                        [--opponents "mcts(simulations=1000)" ...]

Prints the share of points with its interval of 95 %; a draw is half a point. Openings are as
many random moves as --plies says, drawn by the seed; from each, every seat is played once. The
two games of an opening are not independent: the interval takes openings as what was drawn.
"""

from __future__ import annotations

import argparse

from points import points_from, random_openings

from ponder import position
from ponder.core.registry import parse_engine
from ponder.learn.ladder import anchors
from ponder.presets import alphazero


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("network")
    parser.add_argument("game")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponents", nargs="*")
    given = parser.parse_args()
    start = position(given.game)
    player = alphazero(net=given.network, simulations=given.simulations)
    for text in given.opponents or anchors(start):
        openings = random_openings(start, given.plies, given.pairs, given.seed)
        found = points_from(openings, player, parse_engine(text)).interval(0.95)
        print(
            f"{given.network} against {text}: {found.value:.1%} "
            f"({found.low:.1%} to {found.high:.1%}) in {given.pairs * start.players} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
