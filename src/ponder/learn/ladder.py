"""How strong is a network? Games against fixed opponents, each stronger than the last.

A network stands on the rung of the first opponent that it has not beaten clearly yet. From every
opening, a few random moves, each seat is played once, so that good openings for one side do not
count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, hooks_of
from ponder.core.position import Position
from ponder.core.registry import parse_engine
from ponder.learn.presets import alphazero

RATING_SIMULATIONS = 100
"""Of the network's searches."""
CLEARLY = 0.75
"""The score above which the next rung is tried."""


class Standing(NamedTuple):
    """A score against an opponent."""

    rung: int
    opponent: str
    score: float
    games: int

    @property
    def rating(self) -> float:
        """Rungs climbed, and the share of points on the last."""
        return self.rung + self.score


def anchors(position: Position) -> list[str]:
    """The opponents for this game, the weakest first."""
    here = position.for_kernels()
    spec, hooks = here.rules.spec, hooks_of(here.game)
    classical = (
        spec.players <= 2
        and spec.zero_sum
        and "chance_outcomes" not in hooks
        and "evaluate" in hooks
    )
    ladder: list[tuple[int, str]] = [
        (0, "random()"),
        *((2 * i + 2, f"mcts(simulations={n})") for i, n in enumerate((100, 1_000, 10_000))),
    ]
    if classical:
        depths = ((3, 2), (3, 4), (5, 6), (5, 8), (7, 10), (7, 12), (7, 14))
        ladder += [(place, f"alphabeta(depth={depth})") for place, depth in depths]
    return [text for _, text in sorted(ladder, key=lambda one: one[0])]


def rating_player(network: str, module: str) -> Any:
    """The network as it is rated."""
    return alphazero(net=network, module=module, simulations=RATING_SIMULATIONS)


def rated_pair(start: Position, player: Any, rung: int, plies: int, seed: int) -> list[float]:
    """The player's points from every seat after one opening, which follows from the seed."""
    rng = np.random.default_rng([seed, 3, rung])
    opponent, opening = parse_engine(anchors(start)[rung]), random_opening(start, plies, rng)
    return [one_game(opening, player, opponent, seat, rng) for seat in range(start.players)]


def pairs_for(start: Position, games: int) -> int:
    """Openings for so many games, or a few more."""
    return -(-games // start.players)


def standing_of(start: Position, rung: int, points: list[list[float]]) -> Standing:
    """The player's score on a rung from the points of all openings."""
    every = [one for pair in points for one in pair]
    return Standing(rung, anchors(start)[rung], float(np.mean(every)), len(every))


def random_opening(start: Position, plies: int, rng: Any) -> Position:
    """A position after so many random moves, not over yet."""
    while True:
        here = start
        left = plies
        while not here.is_terminal and (left or here.is_chance):
            if here.is_chance:
                here = rolled(here, rng)
            else:
                here = here.play(here.legal_actions[rng.integers(len(here.legal_actions))])
                left -= 1
        if not here.is_terminal:
            return here


def rolled(here: Position, rng: Any) -> Position:
    outcomes = here.chance_outcomes
    chances = np.array([p for _, p in outcomes])
    return here.play(outcomes[rng.choice(len(outcomes), p=chances / chances.sum())][0])


def one_game(here: Position, player: Any, opponent: Any, seat: int, rng: Any) -> float:
    """The player's result, from 0 for the worst utility to 1 for the best."""
    while not here.is_terminal:
        if here.current_player == CHANCE:
            here = rolled(here, rng)
            continue
        mover = player if here.current_player == seat else opponent
        found = mover.search(here, seed=int(rng.integers(1 << 31)))
        here = here.play(found.action)
    lowest, highest = here.rules.utilities
    return float((here.returns[seat] - lowest) / (highest - lowest))
