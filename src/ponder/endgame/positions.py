"""Tables of any game: all positions that can be reached from some, in the order of discovery.

Positions are told apart by the whole record, so no collision of hashes can mix two of them. (A
game's own `key` is not used: it may leave out what decides the game, a clock say.)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.background import new_stop_cell, run_until
from ponder.core.compiled import guarded
from ponder.core.game import CHANCE, new_states
from ponder.core.hashing import hash_pair
from ponder.core.position import Position
from ponder.core.registry import game_text
from ponder.endgame import storage
from ponder.endgame.retrograde import MoveGraph, empty_lists, reverse, solve
from ponder.errors import GameError, InputError
from ponder.jit import U, copy_record, kernel, read_now

DEFAULT_MEMORY = 2048.0
"""Megabytes that a build may take."""
UNUSED = -32768
"""The code of an empty slot of a table."""

# Places in `info`, and what `expand` returns.
COUNT, DONE, EDGES, DECIDED = 0, 1, 2, 3
FINISHED, NEEDS_ROOM, STOPPED, HAS_CHANCE, HAS_SCORES, TOO_MANY_MOVES = 0, 1, 2, 3, 4, 5


class Listed(NamedTuple):
    """The positions found so far; the arrays are replaced by longer ones as needed."""

    states: Any  # [room] records
    words: Any  # [room, words] u8: the same memory
    slots: Any  # [power of two] i4: open addressing by hash; -1 is empty
    begin: Any  # [room + 1] i8: after[begin[v] : begin[v + 1]] are the successors of v
    after: Any  # [edges] i4
    mover: Any  # [room] i1
    codes: Any  # [room] i2: of the ends
    order: Any  # [room] i4: the ends that are won or lost
    info: Any  # [4] i8


@kernel
def place_of(found, row):
    """The slot of the record ``words[row]``: the one that holds its equal, or an empty one."""
    mask = U(found.slots.size - 1)
    a, _ = hash_pair(found.words, row)
    place = np.int64(a & mask)
    while found.slots[place] >= 0:
        other = np.int64(found.slots[place])
        same = True
        for i in range(found.words.shape[1]):
            if found.words[other, i] != found.words[row, i]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & np.int64(mask)
    return place


@kernel
def number_last(found):
    """The number of the record written behind the last one; it is kept if it is new."""
    n = found.info[COUNT]
    place = place_of(found, n)
    if found.slots[place] < 0:
        found.slots[place] = n
        found.info[COUNT] = n + 1
    return np.int64(found.slots[place])


@kernel
def add_all(found, starts):
    """Enter the records to begin from."""
    for i in range(starts.size):
        found.states[found.info[COUNT]] = starts[i]
        number_last(found)


@kernel
def fill_slots(found):
    """Enter all records into fresh slots."""
    for v in range(found.info[COUNT]):
        found.slots[place_of(found, v)] = v


@kernel
def expand(game, found, actions, utilities, lowest, highest, stop):
    """Find the successors of every position, and by them all positions."""
    info = found.info
    most = actions.size - 1
    while info[DONE] < info[COUNT]:
        v = info[DONE]
        if v & 255 == 0 and read_now(stop, 0) != 0:
            return STOPPED
        reserve = info[COUNT] + most + 1
        if reserve > found.states.size or 2 * reserve > found.slots.size:
            return NEEDS_ROOM
        if info[EDGES] + most > found.after.size:
            return NEEDS_ROOM
        s = found.states[v]
        found.begin[v] = info[EDGES]
        if game.is_terminal(s):
            game.returns(s, utilities)
            u = utilities[0]
            if u in (lowest, highest):
                found.codes[v] = 1 if u == highest else -1
                found.order[info[DECIDED]] = v
                info[DECIDED] += 1
            elif 2.0 * u != lowest + highest:
                return HAS_SCORES
        else:
            found.mover[v] = game.current_player(s)
            if found.mover[v] == CHANCE:
                return HAS_CHANCE
            n = game.legal_actions(s, actions)
            if n > most:
                return TOO_MANY_MOVES
            for i in range(n):
                copy_record(found.states, info[COUNT], v)
                game.apply_action(found.states[info[COUNT]], actions[i])
                found.after[info[EDGES]] = number_last(found)
                info[EDGES] += 1
        info[DONE] += 1
    found.begin[info[COUNT]] = info[EDGES]
    return FINISHED


@kernel
def count_moves(begin, left):
    for v in range(left.size):
        left[v] = begin[v + 1] - begin[v]


@kernel
def pack(words, codes, first, second, packed):
    """Enter every code under the two hashes of its record. False: two records share both."""
    size = U(packed.size)
    for v in range(codes.size):
        a, b = hash_pair(words, v)
        place = np.int64(a % size)
        while packed[place] != UNUSED:
            if first[place] == a and second[place] == b:
                return False
            place += 1
            if place == packed.size:
                place = 0
        first[place] = a
        second[place] = b
        packed[place] = codes[v]
    return True


@kernel
def look_up(first, second, packed, words, row):
    """The code of the record ``words[row]``, or UNUSED if the table does not have it."""
    a, b = hash_pair(words, row)
    place = np.int64(a % U(packed.size))
    while packed[place] != UNUSED:
        if first[place] == a and second[place] == b:
            return np.int64(packed[place])
        place += 1
        if place == packed.size:
            place = 0
    return np.int64(UNUSED)


def counts_of(codes: Any) -> dict[str, int]:
    """What a header says of the codes of all positions."""
    return {
        "positions": int(codes.size),
        "player 0 wins": int((codes > 0).sum()),
        "draws": int((codes == 0).sum()),
        "player 1 wins": int((codes < 0).sum()),
        "longest": int(np.abs(codes.astype(np.int32)).max()) - 1 if codes.any() else 0,
    }


def check_slots(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Refuse arrays in which `look_up` would read outside, or look for a free place forever, and
    codes that are not those that the header counts."""
    codes: Any = arrays.get("codes")
    slots = 0 if codes is None or codes.ndim != 1 else codes.size
    storage.check_array(path, arrays, "codes", np.int16, (slots,))
    for name in ("first", "second"):
        storage.check_array(path, arrays, name, np.uint64, (slots,))
    if not np.any(codes == UNUSED):
        raise InputError(f"{path} is damaged (no place of it is free): build it again")
    storage.check_counts(path, header, counts_of(codes[codes != UNUSED]))


# ------------------------------------------------------------------ building


def build_positions(
    position: Position,
    path: Path,
    *,
    part: str,
    starts: Any = None,
    memory: float = DEFAULT_MEMORY,
    stop: threading.Event | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Build the table of all that can be reached from the position; returns its header.

    `starts`: records of the same game to begin from instead. `part` is a name for the set.
    """
    rules = _check(position)
    run = _Build(rules, position.raw_state if starts is None else starts, memory, stop, progress)
    found = run.find_all()
    codes = run.solve(found)
    n = codes.size
    slots = n + n // 4 + 1
    arrays = {
        "first": np.zeros(slots, np.uint64),
        "second": np.zeros(slots, np.uint64),
        "codes": np.full(slots, UNUSED, np.int16),
    }
    if not pack(found.words, codes, arrays["first"], arrays["second"], arrays["codes"]):
        raise GameError(f"two positions of {rules.name} share 128 bits of hash: no table is safe")
    header: dict[str, Any] = {
        **storage.identity(rules.game),
        "kind": "positions",
        "class": part,
        **counts_of(codes),
    }
    header["bytes"] = storage.write(path, header, arrays)
    return header


def _check(position: Position) -> Any:
    rules = position.rules
    if not rules.compiled:
        raise InputError("endgame tables are for compiled games, not for plain Python ones")
    if rules.players != 2 or not rules.spec.zero_sum:
        raise InputError("endgame tables are for zero-sum games of two players")
    if rules.has_dice:
        raise InputError(f"{rules.name} has chance: no table of wins, draws and losses")
    return rules


class _Build:
    """The arrays of one build, growing under a cap."""

    def __init__(
        self,
        rules: Any,
        starts: Any,
        memory: float,
        stop: threading.Event | None,
        progress: Callable[[str], None] | None,
    ) -> None:
        self.rules, self.stop, self.progress = rules, stop, progress
        self.cap = memory * (1 << 20)
        self.cell = new_stop_cell()
        spec = rules.spec
        self.actions = np.zeros(spec.max_actions + 1, np.int32)
        self.utilities = np.zeros(spec.players)
        room = max(1024, 2 * len(starts) + spec.max_actions + 2)
        self.info = np.zeros(4, np.int64)
        self.found = self.arrays(room, 8 * room)
        add_all(self.found, starts)

    def arrays(self, room: int, edges: int) -> Listed:
        states = new_states(self.rules.spec.state, room)
        size = 1 << (2 * room).bit_length()
        return Listed(
            states=states,
            words=states.view(np.uint64).reshape(room, -1),
            slots=np.full(size, -1, np.int32),
            begin=np.zeros(room + 1, np.int64),
            after=np.zeros(edges, np.int32),
            mover=np.zeros(room, np.int8),
            codes=np.zeros(room, np.int16),
            order=np.zeros(room, np.int32),
            info=self.info,
        )

    def grow(self) -> None:
        """Twice the room for what is short of it: positions, or edges."""
        old, n, edges = self.found, int(self.info[COUNT]), int(self.info[EDGES])
        spare = self.rules.spec.max_actions + 2
        room = old.states.size if n + spare < old.states.size else 2 * old.states.size
        space = old.after.size if edges + spare < old.after.size else 2 * old.after.size
        size = old.states.itemsize
        # the arrays here, and those of the induction that follows
        needed = room * (size + 8 + 8 + 7 + 8 + 16) + 8 * space
        if needed > self.cap or space >= 1 << 33 or room >= 1 << 31:
            raise InputError(
                f"{game_text(self.rules.game)} has more than {n:,} positions from here: the table "
                f"would need more than {self.cap / (1 << 20):g} MB; "
                "begin nearer to the end, or allow more memory"
            )
        new = self.arrays(room, space)
        for field in ("states", "begin", "after", "mover", "codes", "order"):
            have = getattr(old, field)
            getattr(new, field)[: have.size] = have
        fill_slots(new)
        self.found = new

    def find_all(self) -> Listed:
        spec = self.rules.spec
        while True:
            result = self.run(
                lambda: guarded(
                    self.rules.name,
                    expand,
                    self.rules.part,
                    self.found,
                    self.actions,
                    self.utilities,
                    float(spec.lowest),
                    float(spec.highest),
                    self.cell,
                )
            )
            if result == FINISHED:
                return self.found
            if result == HAS_CHANCE:
                raise InputError(
                    f"{self.rules.name} has chance: no table of wins and losses; "
                    "ponder solve --save keeps exact values"
                )
            if result == HAS_SCORES:
                raise InputError(
                    f"{self.rules.name} has results between win, draw and loss: "
                    "a table keeps only these three"
                )
            if result == TOO_MANY_MOVES:
                raise GameError(f"{self.rules.name} gave more than {spec.max_actions} actions")
            self.grow()

    def solve(self, found: Listed) -> Any:
        n, edges = int(self.info[COUNT]), int(self.info[EDGES])
        if self.progress is not None:
            self.progress(f"{n:,} positions, {edges:,} moves: backwards")
        graph = MoveGraph(
            first=np.zeros(n + 1, np.int64),
            before=np.zeros(edges, np.int32),
            mover=found.mover[:n],
            left=np.zeros(n, np.int16),
            codes=found.codes[:n],
            order=found.order[:n],
            **empty_lists(n),
        )
        count_moves(found.begin[: n + 1], graph.left)
        reverse(found.begin[: n + 1], found.after[:edges], graph.first, graph.before)
        finish_solving(self.run(lambda: solve(graph, int(self.info[DECIDED]), self.cell)))
        return graph.codes

    def run(self, call: Callable[[], Any]) -> Any:
        def tell() -> None:
            if self.progress is not None:
                self.progress(f"{int(self.info[COUNT]):,} positions")

        return run_or_raise(call, self.cell, self.stop, tell)


def run_or_raise(
    call: Callable[[], Any],
    cell: Any,
    stop: threading.Event | None,
    tell: Callable[[], None] | None,
) -> Any:
    """Run a kernel that can be stopped; a table half built is of no use: KeyboardInterrupt."""
    result, reason = run_until(call, cell, stop=stop, progress=tell)
    if reason is not None:
        raise KeyboardInterrupt
    return result


def finish_solving(decided: int) -> None:
    if decided < 0:
        raise InputError("a win takes more than 32,000 plies: such a table cannot be written")
