"""Df-pn: depth-first proof-number search (Nagai 2002), for questions with the answer yes or no.

*Does this player get at least so much?* At a node of his (OR) one good move is enough, at a node of
the opponent (AND) all moves must be good. The proof number pn of a position is how many leaves have
to be proven, at the least, before the answer is yes; the disproof number dn the same for no
(Allis 1994):

    leaf      pn = 1, dn = 1        yes: pn = 0, dn = inf        no: pn = inf, dn = 0
    OR        pn = min of pn        dn = sum of dn
    AND       pn = sum of pn        dn = min of dn

The search goes on where the least is missing. It stays below a node until one of its numbers
reaches a threshold at which a sibling would be the better choice: for the child c of an OR node

    pn: min(threshold, pn of the second best child + a quarter, at least + 1)
    dn: threshold - dn + dn of c

and so for AND with the numbers exchanged. (The quarter saves leaving and coming back: Pawlewicz and
Lew 2007.) Numbers are kept in a table; what is pushed out of it is searched again. Where lines of
play meet, leaves are counted more than once: the answer stays right, the choice is less sharp.

A draw is neither: two questions, *at least a draw?* and *a win?*, settle the value.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.driver import Progress, drive
from ponder.core.faults import actions_along, fault_at, traced
from ponder.core.game import new_lists, new_states
from ponder.core.hashing import state_key
from ponder.core.limits import Limit
from ponder.core.pausing import (
    ABORTED,
    NO_LIMIT,
    NODES,
    PLACES,
    abort_at,
    counted,
    must_go_on,
    new_info,
)
from ponder.core.position import Position, check_searchable
from ponder.errors import InputError
from ponder.jit import U, kernel, wrap_multiply
from ponder.search.constant_sum import is_constant_sum, sum_of_utilities
from ponder.search.events import INFINITE, NO_TRACE
from ponder.search.table import NO_MOVE
from ponder.search.work import WorkRun

DEEPEST_PROOF = 1000
"""Plies below the root that a search can reach."""

# Places in `info`: those of `ponder.core.pausing`, and what else is found.
MET_CHANCE, MET_SCORE, TOO_DEEP = range(PLACES, PLACES + 3)
BROKEN = PLACES + 3  # 1 + the ply at which the rules break their contract
INFO_SIZE = PLACES + 4

ENTRY = np.dtype(
    (np.record, np.dtype([("key", "u8"), ("pn", "i4"), ("dn", "i4"), ("work", "i8")], align=True))
)
"""24 bytes; pn = dn = 0 is an empty place."""


class ProofScratch(NamedTuple):
    """Arrays of one search; [P] is one more than the greatest ply."""

    states: Any  # [P] the game's records
    words: Any  # [P, words] u8: the same memory
    actions: Any  # [P, max_actions] i4
    keys: Any  # [P, max_actions] u8: of what the moves lead to; 0: the game is over there
    pn: Any  # [P, max_actions] i8: of what the moves lead to
    dn: Any  # [P, max_actions] i8
    found: Any  # [P, 2] i8: pn and dn of states[ply]
    utilities: Any  # [2] f8
    info: Any  # [INFO_SIZE] i8: see the places above
    trace: Any  # a part of `ponder.search.events`
    half: float  # of the utility range


def new_proof_table(megabytes: float) -> Any:
    """An empty table of at most this size: a power of two of entries, two at the least."""
    entries = max(2, int(megabytes * (1 << 20)) // ENTRY.itemsize)
    return np.zeros(1 << (entries.bit_length() - 1), ENTRY).view(np.recarray)


@kernel
def look_up(table, scratch, ply, i):
    """Take over what the table knows of the i-th child."""
    key = scratch.keys[ply, i]
    place = np.int64(key & U(table.size - 2))
    for k in range(place, place + 2):
        entry = table[k]
        if entry.key == key and (entry.pn != 0 or entry.dn != 0):
            scratch.pn[ply, i] = entry.pn
            scratch.dn[ply, i] = entry.dn
            break  # an older entry may still be in the second place


@kernel
def keep_numbers(table, key, pn, dn, work):
    """Store numbers: in the first place of two if they took more work, else in the second."""
    place = np.int64(key & U(table.size - 2))
    first = table[place]
    if first.key != key and first.work > work:
        place += 1
    entry = table[place]
    entry.key = key
    entry.pn = pn
    entry.dn = dn
    entry.work = work


@kernel
def look_at_children(game, table, scratch, ply, n, me, least, salt):
    """Numbers of everything that n moves lead to."""
    s = scratch.states[ply]
    for i in range(n):
        after = scratch.states[ply + 1]
        scratch.states[ply + 1] = s
        game.apply_action(after, scratch.actions[ply, i])
        scratch.pn[ply, i] = 1
        scratch.dn[ply, i] = 1
        scratch.keys[ply, i] = U(0)
        if game.is_terminal(after):
            action = scratch.actions[ply, i]
            scratch.trace.enter_numbers(scratch.info, ply + 1, action, INFINITE, INFINITE)
            if not counted(scratch.info):
                return
            game.returns(after, scratch.utilities)
            value = 0.5 * (scratch.utilities[me] - scratch.utilities[1 - me])
            if value != 0.0 and abs(value) < scratch.half:
                scratch.info[MET_SCORE] = 1
                scratch.info[ABORTED] = 1
            yes = value >= least
            scratch.pn[ply, i] = 0 if yes else INFINITE
            scratch.dn[ply, i] = INFINITE if yes else 0
            pn, dn = scratch.pn[ply, i], scratch.dn[ply, i]
            scratch.trace.leave_numbers(scratch.info, ply + 1, pn, dn)
        else:
            key = state_key(scratch.words, ply + 1) ^ salt
            scratch.keys[ply, i] = key if key != U(0) else U(1)
            look_up(table, scratch, ply, i)


@kernel
def mid(game, table, scratch, ply, key, pn_limit, dn_limit, me, least, salt):
    """Search below states[ply] until pn or dn reaches its limit; they are left in found[ply]."""
    info = scratch.info
    if not counted(info):
        return
    before = info[NODES]
    if ply + 1 >= scratch.states.size:
        info[ABORTED] = 1
        info[TOO_DEEP] = 1
        return
    s = scratch.states[ply]
    mover = np.int64(game.current_player(s))
    if mover < 0:
        info[ABORTED] = 1
        info[MET_CHANCE] = 1
        return
    n = np.int64(game.enough_actions(s, scratch.actions[ply]))
    if mover >= scratch.utilities.size or n < 1 or n > scratch.pn.shape[1]:
        info[ABORTED] = 1
        info[BROKEN] = ply + 1
        return
    look_at_children(game, table, scratch, ply, n, me, least, salt)
    if info[ABORTED]:
        return
    # `toward`: the number of which one child suffices, for this mover; `against`: the other one
    toward, against = scratch.pn[ply], scratch.dn[ply]
    toward_limit, against_limit = pn_limit, dn_limit
    if mover != me:
        toward, against = scratch.dn[ply], scratch.pn[ply]
        toward_limit, against_limit = dn_limit, pn_limit
    while True:
        best, second, total, at = INFINITE, INFINITE, 0, 0
        settled = False
        for i in range(n):
            if scratch.keys[ply, i] != U(0):
                look_up(table, scratch, ply, i)  # lines of play may meet there
            if toward[i] < best:
                best, second, at = toward[i], best, i
            elif toward[i] < second:
                second = toward[i]
            total += against[i]
            if against[i] >= INFINITE:
                settled = True
        total = INFINITE if settled else min(total, INFINITE - 1)
        if best >= toward_limit or total >= against_limit:
            break
        i = at
        deeper_toward = min(toward_limit, second + max(1, second // 4))
        deeper_against = min(INFINITE, against_limit - total + against[i])
        scratch.states[ply + 1] = s
        game.apply_action(scratch.states[ply + 1], scratch.actions[ply, i])
        pn_below, dn_below = deeper_toward, deeper_against
        if mover != me:
            pn_below, dn_below = deeper_against, deeper_toward
        child = scratch.keys[ply, i]
        scratch.trace.enter_numbers(info, ply + 1, scratch.actions[ply, i], pn_below, dn_below)
        mid(game, table, scratch, ply + 1, child, pn_below, dn_below, me, least, salt)
        if info[ABORTED]:
            return
        pn, dn = scratch.found[ply + 1, 0], scratch.found[ply + 1, 1]
        scratch.trace.leave_numbers(info, ply + 1, pn, dn)
        scratch.pn[ply, i] = pn
        scratch.dn[ply, i] = dn
    pn, dn = best, total
    if mover != me:
        pn, dn = total, best
    scratch.found[ply, 0] = pn
    scratch.found[ply, 1] = dn
    keep_numbers(table, key, pn, dn, info[NODES] - before + 1)


class ProofSearch:
    """Answers questions about positions of one game, with one table of `memory` megabytes.

    It takes as long as it takes. Run in the background with an `info` of its own it can be paused
    (`ponder.core.background`).
    """

    def __init__(
        self, position: Position, memory: float, info: Any = None, log: Any = None
    ) -> None:
        """`log`: an `EventLog` that writes down what happens."""
        rules: Any = position.rules
        spec = rules.spec
        check_provable(position)
        self.rules, self.log = rules, log
        self.half = float(spec.highest - spec.lowest) / 2 or 1.0
        self.middle = sum_of_utilities(position) / 2
        plies = min(spec.max_length, DEEPEST_PROOF) + 2
        states = new_states(spec.state, plies)
        self.info = new_info(INFO_SIZE) if info is None else info
        self.info[PLACES:] = 0
        self.table = new_proof_table(memory)
        self.scratch = ProofScratch(
            states=states,
            words=states.view(np.uint64).reshape(plies, -1),
            actions=new_lists(spec, plies, np.int32),
            keys=np.zeros((plies, spec.max_actions), np.uint64),
            pn=np.zeros((plies, spec.max_actions), np.int64),
            dn=np.zeros((plies, spec.max_actions), np.int64),
            found=np.zeros((plies, 2), np.int64),
            utilities=np.zeros(2),
            info=self.info,
            trace=NO_TRACE if log is None else log.part,
            half=self.half,
        )
        self.stopped: str | None = None
        """Why something stays unknown: depth."""
        abort_at(self.info, 0)  # compiles, before any clock runs
        self.run(position, 0, 0.0)
        abort_at(self.info, NO_LIMIT)

    @property
    def nodes(self) -> int:
        return int(self.info[NODES])

    def run(self, position: Position, me: int, least: float) -> None:
        self.scratch.states[0] = position.raw_state[0]
        # Each question has entries of its own.
        salt = wrap_multiply(U(2 * int(least > 0) + me + 1), U(0x9E3779B97F4A7C15))
        key = state_key(self.scratch.words, 0) ^ salt
        if self.log is not None:
            self.log.begin(position)
            self.log.part.enter_numbers(self.info, 0, NO_MOVE, INFINITE, INFINITE)
        with traced(position, lambda: actions_along(position, self.scratch.states)):
            guarded(
                self.rules.name,
                mid,
                self.rules.part,
                self.table,
                self.scratch,
                0,
                U(key),
                INFINITE,
                INFINITE,
                me,
                least,
                U(salt),
            )
        if self.info[BROKEN]:
            raise fault_at(position, self.scratch.states[: self.info[BROKEN]])
        if self.log is not None and not self.info[ABORTED]:
            self.log.part.leave_numbers(self.info, 0, *self.scratch.found[0])

    def gets_at_least(self, position: Position, me: int, least: float) -> bool | None:
        """Can `me` force a result of `least`, counted from the middle between the players?"""
        if position.is_terminal:
            return bool(position.returns[me] - self.middle >= least)
        if self.stopped:
            return None
        abort_at(self.info, NO_LIMIT)
        self.run(position, me, least)
        must_go_on(self.info)
        if self.info[MET_CHANCE]:
            raise InputError("proof-number search cannot handle chance: use expectiminimax or mcts")
        if self.info[MET_SCORE]:
            raise InputError(
                f"{self.rules.name} has results between win, draw and loss: "
                "proof-number search knows only these three"
            )
        if self.info[ABORTED]:
            self.stopped = "depth"
            return None
        return bool(self.scratch.found[0, 0] == 0)

    def value_of(self, position: Position, me: int) -> float | None:
        """The utility of `me`: of a win, a draw or a loss; None if it is not known."""
        not_lost = self.gets_at_least(position, me, 0.0)
        if not_lost is None:
            return None
        if not not_lost:
            return self.middle - self.half
        won = self.gets_at_least(position, me, self.half)
        if won is None:
            return None
        return self.middle + self.half if won else self.middle


def check_provable(position: Position) -> None:
    """Refuse games for which there is no question with yes or no."""
    if position.players != 2 or not is_constant_sum(position):
        raise InputError("proof-number search is for zero-sum games of two players")
    if position.dice_ahead:
        raise InputError("proof-number search cannot handle chance: use expectiminimax or mcts")


def can_force(
    position: Position,
    player: int,
    result: str = "win",
    *,
    seconds: float | None = None,
    memory: float = 64.0,
    stop: Event | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> bool | None:
    """Can `player` force a win from here, or (``result="draw"``) at least a draw?

    None if it was stopped before that was known.
    """
    if result not in ("win", "draw"):
        raise InputError(f"result must be win or draw, not {result!r}")
    if player not in (0, 1):
        raise InputError(f"player must be 0 or 1, not {player!r}")
    limit = Limit(seconds=seconds)
    check_searchable(position)
    position = position.for_kernels()
    search = ProofSearch(position, memory)
    least = search.half if result == "win" else 0.0
    answer: list[bool | None] = []
    run = WorkRun(
        lambda: answer.append(search.gets_at_least(position, player, least)),
        search.info,
        lambda: f"a {result} for player {player}",
        rules=position.rules,
    )
    try:
        drive(run, limit, stops=[stop] if stop else [], progress=progress)
    finally:
        run.close()
    return answer[0] if answer else None
