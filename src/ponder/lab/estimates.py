"""Positions from self-play, and what a search believes of them at each step on its way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.mcts.run import CompiledRun
from ponder.mcts.tree import ROOT

MEMORY = 512.0
"""Megabytes for the tree of one search."""


class Root(NamedTuple):
    """What a search that keeps `backed` and `sums` knows of its root, for the player to move."""

    simulations: int
    mean: float
    games0: int
    """Simulations and value of move 0, the one with the highest value ..."""
    value0: float
    games1: int
    """... and of move 1, the most visited one; if that is move 0, the second best."""
    value1: float
    robust: float
    """The value of the move visited most."""
    backed: float
    """The value that the engine's own backup rule gives."""


def self_play(start: Position, engine: Any, plies: int, each: int, seed: int) -> list[Position]:
    """The positions before `each` random plies out of `plies` in a game of the engine with itself.

    Fewer if the game ends before.
    """
    wanted = set(random.Random(seed).sample(range(plies), each))
    found, position = [], start
    for ply in range(max(wanted) + 1):
        if position.is_terminal:
            break
        if ply in wanted:
            found.append(position)
        position = position.play(engine.search(position, seed=seed * 1_000 + ply).action)
    return found


def watch(position: Position, engine: Any, steps: Sequence[int], seed: int) -> list[Root]:
    """Search the position once; the root after each of `steps` simulations."""
    run = CompiledRun(position, engine, seed, MEMORY).prepare()
    seen = []
    for step in steps:
        run.advance(step - run.done)
        seen.append(look(run))
    return seen


def look(run: CompiledRun) -> Root:
    """The root of a search as it stands."""
    root, children = run.store.nodes[ROOT], run.store.children(ROOT)
    mover = run.position.current_player
    tried = children[children.visits > 0]
    games, values = tried.visits, tried.backed[:, mover]
    order = np.argsort(-values, kind="stable")
    best = order[0]
    robust = np.lexsort((-values, -games))[0]
    second = robust if robust != best else order[min(1, len(order) - 1)]
    return Root(
        simulations=run.done,
        mean=float(root.sums[mover]) / run.done,
        games0=int(games[best]),
        value0=float(values[best]),
        games1=int(games[second]) if second != best else 0,
        value1=float(values[second]),
        robust=float(values[robust]),
        backed=float(root.backed[mover]),
    )
