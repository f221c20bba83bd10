"""Mistakes on solved positions: how often a network gives away what an exact search has proven.

The positions come from random games and depend on the game alone, so runs can be compared. Only
such count in which a mistake is possible: not all moves are worth the same. A mistake is a move
that is worth less than the best one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.search.exact import ExactSearch

COUNT = 100
TRIES = 10
"""Random games that are looked at for each position that is asked for, at most."""
MOST_NODES = 20_000
"""Of the exact search for one move; positions that need more are left out."""
MEMORY = 16.0


class SolvedPosition(NamedTuple):
    """A position and the exact value of every move for its mover."""

    position: Position
    values: dict[Any, float]

    def is_mistake(self, action: Any) -> bool:
        return self.values[action] < max(self.values.values())


class Mistakes(NamedTuple):
    """Shares of the positions in which a worse move is chosen."""

    positions: int
    policy: float
    """By the network's likeliest move."""
    search: float
    """By a search with it."""


def solvable(start: Position) -> bool:
    """Two players for opposite ends, no dice; not in plain Python, where solving takes long."""
    spec = start.rules.spec
    opposed = spec.players == 2 and bool(spec.zero_sum)
    return opposed and not start.rules.has_dice and not start.rules.plain


def solved_positions(start: Position, count: int = COUNT) -> list[SolvedPosition]:
    """So many, or as many as are found; none of games that are not `solvable`."""
    if not solvable(start):
        return []
    exact, rng = ExactSearch(start, MEMORY), np.random.default_rng(4)
    found: dict[Any, SolvedPosition] = {}
    for _ in range(TRIES * count):
        game = random_game(start, rng)
        here = game[int(rng.integers(len(game)))]
        if here.key in found:
            continue
        values = move_values(exact, here)
        if values is not None and len(set(values.values())) > 1:
            found[here.key] = SolvedPosition(here, values)
            if len(found) == count:
                break
    return list(found.values())


def random_game(start: Position, rng: Any) -> list[Position]:
    """All its positions in which somebody moves."""
    game, here = [], start
    while not here.is_terminal:
        game.append(here)
        here = here._after(here.legal_actions[rng.integers(len(here.legal_actions))])
    return game


def move_values(exact: ExactSearch, here: Position) -> dict[Any, float] | None:
    """The exact value of every move for the player to move; None if one takes too long."""
    made = {}
    for action in here.legal_actions:
        after = here._after(action)
        if after.is_terminal:
            made[action] = float(after.returns[here.current_player])
            continue
        value, _ = exact.value_and_distance(exact.bounds_of(after, most_nodes=MOST_NODES))
        if value is None:
            return None
        same = after.current_player == here.current_player
        # counted from the middle, and the other player's value is turned round
        made[action] = exact.scratch.middle + (value if same else -value)
    return made


def wrong_moves(
    solved: list[SolvedPosition], player: Any, seed: int = 0
) -> tuple[list[bool], list[bool]]:
    """Is the network's likeliest move a mistake, and the move of a search with it? For every
    position; of `alphazero(net=..., simulations=...)`."""
    policy, search = [], []
    for one in solved:
        found = player.search(one.position, seed=seed)
        likeliest = max(found.moves, key=lambda row: row.prior)
        policy.append(one.is_mistake(likeliest.action))
        search.append(one.is_mistake(found.action))
    return policy, search


def mistakes(solved: list[SolvedPosition], player: Any, seed: int = 0) -> Mistakes | None:
    """How often they are; None without positions."""
    if not solved:
        return None
    policy, search = wrong_moves(solved, player, seed)
    return Mistakes(len(solved), float(np.mean(policy)), float(np.mean(search)))
