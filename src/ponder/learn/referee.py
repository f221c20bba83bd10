"""Exact values in place of what a game of self-play teaches, where an exact search can find them.

A game that has ended is looked at from its last position to its first. Each is solved to the end
(`ponder.search.exact_visit`), with so many nodes; the first that needs more, and all before it, are
left as they are. What was found of a position helps with the one before it, so that games are
solved from much farther away than any of their positions alone. Moves that give the value of a
solved position away are then taken out of what its policy learns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.pausing import ABORT_AT, ABORTED, LOOK_AT, NODES
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import copy_record_from, inlined, kernel
from ponder.learn.solved_positions import solvable
from ponder.search.exact import ExactSearch
from ponder.search.exact_table import FARTHEST, WordTable, new_exact_table
from ponder.search.exact_visit import (
    WIDTH,
    ExactScratch,
    ask,
    final_value,
    first_question,
    next_question,
)

MEMORY = 1.0
"""Megabytes of the table: it is emptied before every game."""


class NoReferee(NamedTuple):
    """Nothing is solved."""

    def for_thread(self) -> NoReferee:
        return self

    @inlined
    def forget(self):
        pass

    @inlined
    def settles(self, states, row, utilities):
        return False

    @inlined
    def keep_best(self, states, row, utilities, policy):
        pass


@kernel
@inlined
def allow(info, nodes):
    """So many nodes from here on."""
    info[ABORTED] = 0
    info[ABORT_AT] = info[LOOK_AT] = info[NODES] + nodes


class Referee(NamedTuple):
    """`NoReferee`, where every position may be solved with so many nodes."""

    scratch: ExactScratch
    nodes: int
    moves: Any  # [max_actions] i4
    keeps: Any  # [max_actions] u1: does the move keep the value?

    def for_thread(self) -> Referee:
        old = self.scratch
        states = old.states.copy()
        arrays = ("actions", "merits", "history", "utilities", "bounds", "info")
        return self._replace(
            scratch=old._replace(
                table=new_exact_table(MEMORY, isinstance(old.table, WordTable)),
                states=states,
                words=states.view(np.uint64).reshape(old.words.shape),
                **{name: getattr(old, name).copy() for name in arrays},
            ),
            moves=self.moves.copy(),
            keeps=self.keeps.copy(),
        )

    @inlined
    def forget(self):
        """A game is solved in the same way whatever was solved before it."""
        self.scratch.table.clear()
        for i in range(self.scratch.history.shape[0]):
            for j in range(self.scratch.history.shape[1]):
                self.scratch.history[i, j] = 0.0

    @inlined
    def settles(self, states, row, utilities):
        """The exact utilities of a position, if there are nodes enough."""
        scratch = self.scratch
        bounds, info = scratch.bounds, scratch.info
        copy_record_from(scratch.states, 0, states, row)
        allow(info, self.nodes)
        won = scratch.base - FARTHEST  # or more: how soon does not matter
        bounds[0], bounds[1] = -scratch.base, scratch.base
        x = first_question(scratch, bounds[0], bounds[1])
        while bounds[0] != bounds[1] and bounds[0] <= won and bounds[1] >= -won:
            answer = ask(scratch, x)
            if info[ABORTED]:
                return False
            x = next_question(scratch, bounds[0], bounds[1], answer > x)
        value = min(scratch.half, max(-scratch.half, bounds[0]))
        if bounds[1] < -won:
            value = -scratch.half
        mover = scratch.game.current_player(scratch.states[0])
        utilities[mover] = scratch.middle + value
        utilities[1 - mover] = scratch.middle - value
        return True

    @inlined
    def keep_best(self, states, row, utilities, policy):
        """Take the moves that give away what is said in `utilities`, the exact ones of a position,
        out of its policy. As it is where nodes run out, or every move is as good as any."""
        scratch, info, moves, keeps = self.scratch, self.scratch.info, self.moves, self.keeps
        game, s = scratch.game, scratch.states[0]
        copy_record_from(scratch.states, 0, states, row)
        mover = game.current_player(s)
        value = utilities[mover] - scratch.middle
        if value <= -scratch.half:
            return
        if value >= scratch.half:
            value = scratch.base - FARTHEST  # or more: how soon does not matter
        n = game.legal_actions(s, moves)
        total, best = 0.0, 0
        allow(info, self.nodes)
        for i in range(n):
            copy_record_from(scratch.states, 0, states, row)
            game.apply_action(s, moves[i])
            if game.is_terminal(s):
                # one ply on: a win now is still above every bound of a win
                keeps[i] = final_value(scratch, s, 1, mover) >= value
            elif game.current_player(s) == mover:
                keeps[i] = ask(scratch, value - WIDTH) >= value
            else:  # what is good for one player is bad for the other
                keeps[i] = ask(scratch, -value) <= -value
            if info[ABORTED]:
                return
            if keeps[i]:
                total += policy[row, i]
                best += 1
        if best == 0 or best == n:
            return
        for i in range(n):
            kept = 0.0
            if keeps[i]:
                kept = policy[row, i] / total if total > 0.0 else 1.0 / best
            policy[row, i] = kept


def refuse_unsolvable(position: Position) -> None:
    if not solvable(position):
        raise InputError(
            "exact_nodes solves compiled games of two players for opposite ends, without dice; "
            f"{position.rules.name} is none: leave it out"
        )


def referee_of(position: Position, nodes: int) -> NoReferee | Referee:
    """One that has so many nodes for a position."""
    if not nodes:
        return NoReferee()
    refuse_unsolvable(position)
    most = position.rules.spec.max_actions
    scratch = ExactSearch(position, MEMORY).scratch
    return Referee(scratch, nodes, np.zeros(most, np.int32), np.zeros(most, np.bool_))
