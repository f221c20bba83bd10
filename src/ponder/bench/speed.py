"""The speeds of one game: random games, simulations, move sequences; bytes of a tree node."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from ponder.bench.clock import clock, repeat_for
from ponder.core.compiled import guarded
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.core.start import position
from ponder.errors import GameError
from ponder.jit import copy_record, kernel
from ponder.mcts.engine import MCTS
from ponder.mcts.parts import parts_of
from ponder.mcts.run import new_work
from ponder.search.perft import perft

SEED = 1


class Speed(NamedTuple):
    """Per second; None where it has no meaning."""

    game: str
    playouts: float
    simulations: float
    perft_nodes: float | None
    perft_depth: int | None
    bytes_per_node: float
    nodes: int


@kernel
def _play_many(game, evaluate, work, rng, longest, n):  # type: ignore[no-untyped-def]
    """n random games from the root state; False if one of them outlasts `longest` actions."""
    for _ in range(n):
        copy_record(work.states, 1, 0)
        if not evaluate.estimate(game, work.states[1], work, rng, longest):
            return False
    return True


def start_of(game: Any) -> Position:
    """The game's start; where dice come first, after their first outcomes."""
    at = position(game)
    while at.is_chance:
        at = at.play(at.legal_actions[0])
    return at


def measure(game: str, seconds: float) -> Speed:
    """All speeds of `game`, each measured for about `seconds`."""
    start = start_of(game)
    nodes, depth = _perft_rate(start, seconds)
    MCTS().search(start, simulations=1, seed=SEED)  # compiles
    began = clock()
    result = MCTS().search(start, seconds=seconds, seed=SEED)
    spent = clock() - began
    tree: Any = result.tree
    return Speed(
        game,
        playout_rate(start, seconds),
        (result.simulations or 0) / spent,
        nodes,
        depth,
        (result.memory or 0) / tree.size,
        tree.size,
    )


# ------------------------------------------------------------------ random games


def playout_rate(start: Position, seconds: float) -> float:
    """Random games to the end, a second."""
    if not start.rules.compiled:
        dice = random.Random(SEED)
        return repeat_for(seconds, lambda i: _play_plainly(start, dice))
    play = _compiled_playouts(start)
    play(1)  # compiles
    batch, spent = 1, 0.0
    while spent < 0.01:
        batch *= 2
        began = clock()
        play(batch)
        spent = clock() - began
    return repeat_for(seconds, lambda i: play(batch))


def _compiled_playouts(start: Position) -> Any:
    rules: Any = start.rules
    spec = rules.spec
    parts = parts_of(MCTS(), start)
    work, rng = new_work(parts, spec, start), new_rng(SEED)

    def play(n: int) -> int:
        if not guarded(
            rules.name, _play_many, rules.part, parts.evaluate, work, rng, spec.max_length, n
        ):
            raise GameError(f"a random game of {rules.name} outlasted the max_length of its spec")
        return n

    return play


def _play_plainly(start: Position, dice: random.Random) -> int:
    """One random game by the rules of a plain Python game."""
    rules, state = start.rules, start.raw_state
    facts = rules.facts(state)
    while facts.actions:
        weights = facts.chances or None
        state = rules.advance(state, dice.choices(facts.actions, weights)[0])
        facts = rules.facts(state)
    return 1


# ------------------------------------------------------------------ perft


def _perft_rate(start: Position, seconds: float) -> tuple[float | None, int | None]:
    """Nodes a second and the depth they were counted at; None for games with dice."""
    if start.history_names or start.dice_ahead:  # only dice are played before the start
        return None, None
    perft(start, 1)  # compiles
    depth, nodes, spent = 1, perft(start, 1), 0.0
    while True:  # deeper, as long as the next depth promises to fit
        began = clock()
        deeper = perft(start, depth + 1)
        took = clock() - began
        if deeper <= nodes:  # most sequences are shorter: the game is small
            break
        growth = deeper / nodes
        depth, nodes, spent = depth + 1, deeper, took
        if spent * growth > seconds / 2:
            break
    return repeat_for(max(seconds - spent, 0.0), lambda i: perft(start, depth)), depth
