"""Perft: count the move sequences of a given length. The classic test and speed test of rules.

    >>> from ponder import perft, position
    >>> perft(position("tictactoe"), 3)
    504

Sequences that end earlier because the game is over are not counted; a pass counts as a move, and so
does every outcome of the dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.faults import actions_along, fault_at, traced
from ponder.core.game import CHANCE, new_list, new_lists, new_states
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import kernel


@kernel
def count(game, states, actions, chances, ply, depth):
    """Sequences of depth - ply more moves, or outcomes of the dice, below states[ply];
    -1 - p where the rules are broken in states[p].

    The last ply is not played, only its legal actions are counted (bulk counting).
    """
    s = states[ply]
    if game.is_terminal(s):
        return 0
    if game.current_player(s) == CHANCE:
        n = game.chance_outcomes(s, actions[ply], chances)
    else:
        n = game.legal_actions(s, actions[ply])
    if n < 1 or n > actions.shape[1]:
        return -1 - ply
    if ply + 1 == depth:
        return n
    total = 0
    for i in range(n):
        states[ply + 1] = s
        game.apply_action(states[ply + 1], actions[ply, i])
        below = count(game, states, actions, chances, ply + 1, depth)
        if below < 0:
            return below
        total += below
    return total


def perft(position: Position, depth: int) -> int:
    """The number of legal sequences of exactly `depth` moves (and outcomes) from `position`."""
    if depth < 0:
        raise InputError(f"depth must be 0 or more, not {depth}")
    position = position.for_kernels()
    return Counter(position, depth).count(position)


def divide(position: Position, depth: int) -> dict[str, int]:
    """perft split by first move, or outcome: finds the move in which two programs differ."""
    return dict(divided(position, depth))


def divided(position: Position, depth: int) -> Iterator[tuple[str, int]]:
    """The same, one move after the other."""
    if depth < 1:
        raise InputError(f"divide needs a depth of 1 or more, not {depth}")
    there = position.for_kernels()
    counter = Counter(there, depth - 1)
    for action, number in zip(position.legal_actions, there.legal_actions, strict=True):
        yield position.action_name(action), counter.count(there._after(number))


class Counter:
    """Counts sequences of one length in positions of one game, with the same arrays for all."""

    def __init__(self, position: Position, depth: int) -> None:
        self.rules: Any = position.rules
        spec = self.rules.spec
        self.depth, self.too_long = depth, depth > spec.max_length
        plies = 0 if self.too_long else depth + 1
        self.states = new_states(spec.state, plies)
        self.actions = new_lists(spec, plies, np.int32)
        self.chances = new_list(spec, np.float64)

    def count(self, position: Position) -> int:
        if self.depth == 0:
            return 1
        if self.too_long:
            return 0  # no game is so long
        rules, states = self.rules, self.states
        states[0] = position.raw_state[0]
        given = rules.part, states, self.actions, self.chances, 0, self.depth
        with traced(position, lambda: actions_along(position, states)):
            total = int(guarded(rules.name, count, *given))
        if total < 0:
            raise fault_at(position, states[:-total])
        return total
