"""The game's `order` scores of a node's moves, made comparable from game to game."""

from __future__ import annotations

from ponder.core.game import hooks_of
from ponder.core.position import Position
from ponder.jit import kernel


@kernel
def write_hints(game, s, actions, count, out):
    """out[0:count]: the game's `order` score of each action, rescaled to [0, 1] among them.

    The likeliest move has 1, the unlikeliest 0; all have 0 where the game sees no difference.
    """
    lowest = 1e300
    highest = -1e300
    for i in range(count):
        score = float(game.order(s, actions[i]))
        out[i] = score
        lowest = min(lowest, score)
        highest = max(highest, score)
    width = highest - lowest
    for i in range(count):
        out[i] = (out[i] - lowest) / width if width > 0.0 else 0.0


def has_hook(position: Position, hook: str) -> bool:
    """Does the game give this hook itself?"""
    return hook in hooks_of(position.game)


def refused_hook(rule: str, position: Position, hook: str, instead: str) -> str | None:
    """A sentence if the game does not give the hook that the rule calls."""
    if has_hook(position, hook):
        return None
    return f"{rule} needs a game with the hook {hook}, which {position.rules.name} lacks: {instead}"
