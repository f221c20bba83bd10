"""How a network plays Connect Four: against fixed opponents, and against perfect resistance.

    python benchmarks/strength/connect4_matches.py NETWORK ...
                                                     [--opponents "alphabeta(depth=14)" ...]
    python benchmarks/strength/connect4_matches.py NETWORK ... --perfect [--plain]

**Fixed opponents** (by default alphabeta at depths 2 to 14 and mcts with 10,000 rollouts): 200
games, both seats of 100 balanced openings. An opening is balanced if the game is a draw from there
with best play: eight random moves, drawn by the seed until an exact solver says so, no position
twice. Points with their interval of 95 %, openings as clusters; a draw is half a point.

**Perfect resistance**: the network begins, on the empty board; the second player is an exact solver
that always takes one of the moves with the best value, and of lost ones those that last longest; it
draws among equals. 100 games; the first player can win them all.

The player is `alphazero(net=NETWORK, simulations=100, considered=7, images=average)`; with
`--plain` it is `alphazero(net=NETWORK, simulations=100)`.

Exact values are those of `bitbully` (C++, `pip install bitbully`) with its opening book.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import Any

import numpy as np
from bitbully import BitBully, Board
from connect4_player import connect4_player, plain_player
from points import points_from

from ponder import position
from ponder.core.position import Position
from ponder.core.registry import parse_engine
from ponder.learn.ladder import random_opening

OPPONENTS = [
    *(f"alphabeta(depth={depth})" for depth in (2, 4, 6, 8, 10, 12, 14)),
    "mcts(simulations=10000)",
]
PLIES = 8
START = position("connect4")


class Exact:
    """What a perfect player knows."""

    def __init__(self) -> None:
        self.solver = BitBully(opening_book="12-ply-dist")

    def scores(self, here: Position) -> dict[Any, int]:
        """Actions with their values for the player to move: above 0 is a win, sooner is more."""
        board = Board([int(name) - 1 for name in here.history_names])
        found = self.solver.score_all_moves(board)
        actions = {int(here.action_name(a)) - 1: a for a in here.legal_actions}
        return {actions[column]: score for column, score in dict(found).items()}


def balanced_openings(exact: Exact, count: int, seed: int) -> list[Position]:
    rng, found = np.random.default_rng([seed, 8]), {}
    while len(found) < count:
        here = random_opening(START, PLIES, rng)
        if str(here) not in found and max(exact.scores(here).values()) == 0:
            found[str(here)] = here
    return list(found.values())


def resisted(player: Any, exact: Exact, seed: int) -> str:
    """One game on the empty board; what becomes of the player, who begins."""
    here, draw = START, random.Random(seed)
    while not here.is_terminal:
        if here.current_player == 0:
            action = player.search(here, seed=draw.getrandbits(31)).action
        else:
            scores = exact.scores(here)
            best = max(scores.values())
            action = draw.choice([a for a, score in scores.items() if score == best])
        here = here.play(action)
    return {1.0: "won", 0.0: "drawn", -1.0: "lost"}[float(here.returns[0])]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    parser.add_argument("--opponents", nargs="*", default=OPPONENTS)
    parser.add_argument("--perfect", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--games", type=int, default=0, help="200, or 100 against perfect play")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    exact = Exact()
    new_player = plain_player if given.plain else connect4_player
    players = {net: new_player(net, given.simulations) for net in given.networks}
    if given.perfect:
        for net, player in players.items():
            games = range(given.games or 100)
            met = Counter(resisted(player, exact, given.seed * 1000 + game) for game in games)
            said = f"{met['won']} won, {met['drawn']} drawn, {met['lost']} lost"
            print(f"{net} against perfect resistance: {said}", flush=True)
        return
    openings = balanced_openings(exact, (given.games or 200) // 2, given.seed)
    for net, player in players.items():
        for text in given.opponents:
            numbered = enumerate(openings)
            begun = ((one, np.random.default_rng([given.seed, i])) for i, one in numbered)
            found = points_from(begun, player, parse_engine(text)).interval(0.95)
            interval = f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"
            print(f"{net} against {text}: {interval} in {2 * len(openings)} games", flush=True)


if __name__ == "__main__":
    main()
