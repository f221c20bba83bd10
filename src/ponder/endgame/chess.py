"""Building the chess classes: moves from the game's own generator, then backward induction.

Every position of a class is set up in one scratch record; `generate` of the game lists its legal
moves. Moves that leave the class (captures, promotions) are looked up in classes built before.
The clock of fifty moves and repetitions are left out here: see `ponder.endgame.tables`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.background import new_stop_cell
from ponder.core.game import new_states, rules_of
from ponder.endgame import storage
from ponder.endgame.material import (
    BLACK,
    UNKNOWN,
    Class,
    Library,
    Shape,
    code_of,
    in_order,
    make_library,
    needed_by,
    number_of,
    position_of,
)
from ponder.endgame.positions import finish_solving, run_or_raise
from ponder.endgame.retrograde import MoveGraph, empty_lists, solve, turn_counts_into_ends, wait_for
from ponder.errors import InputError
from ponder.games.chess.attacks import NONE, K, P, attackers
from ponder.games.chess.game import Chess
from ponder.games.chess.moves import generate
from ponder.jit import kernel, read_now

MOST_MOVES = 256
LONGEST_CODE = 127


class ChessWork(NamedTuple):
    """What the passes over a class share."""

    states: Any  # [1] the scratch record
    actions: Any  # [MOST_MOVES] i4
    first_man: int
    second_man: int
    shape: Shape
    library: Library
    stop: Any


@kernel
def put_man(rules, s, man, square):
    """Put a man (as `material` numbers them) on an empty square; False if it is not allowed."""
    kind, side = (man, 0) if man <= BLACK else (man - BLACK, 1)
    if kind == P and (square < 8 or square >= 56):
        return False
    rules.put(s, side, kind, square)
    return True


@kernel
def set_up(rules, work, number):
    """Put position `number` into the scratch record; False where there is no such position."""
    side, wk, bk, a, b = position_of(work.shape, number)
    if number_of(work.shape, side, wk, bk, a, b) != number:
        return False  # the image of another number
    if wk == bk or a in (wk, bk):
        return False
    if work.shape.others == 2 and b in (wk, bk, a):
        return False
    s = work.states[0]
    for kind in range(7):
        s.pieces[kind] = NONE
    s.colour[0] = NONE
    s.colour[1] = NONE
    rules.put(s, 0, K, wk)
    rules.put(s, 1, K, bk)
    if not put_man(rules, s, work.first_man, a):
        return False
    if work.shape.others == 2 and not put_man(rules, s, work.second_man, b):
        return False
    king = bk if side == 0 else wk
    if attackers(rules.table, s, king, 1 - side, s.colour[0] | s.colour[1]) != NONE:
        return False  # the king of the side not to move could be taken
    s.side = side
    s.passant = -1
    rules.find_checks(s)
    return True


@kernel
def after_move(work, number, action):
    """Where a move leads: (number in this class, or -1; code if it leaves the class)."""
    side, wk, bk, a, b = position_of(work.shape, number)
    start, to, promotion = action & 63, (action >> 6) & 63, action >> 12
    first, second = work.first_man, work.second_man
    if start == wk:
        wk = to
        moved = 0
    elif start == bk:
        bk = to
        moved = 0
    elif start == a:
        a = to
        moved = 1
    else:
        b = to
        moved = 2
    leaves = promotion != 0
    if moved != 1 and to == a:
        first = 0
        leaves = True
    if work.shape.others == 2 and moved != 2 and to == b:
        second = 0
        leaves = True
    if not leaves:
        return number_of(work.shape, 1 - side, wk, bk, a, b), np.int64(0)
    if promotion != 0:
        man = promotion + 1 + (BLACK if side == 1 else 0)
        if moved == 1:
            first = man
        else:
            second = man
    return np.int64(-1), code_of(work.library, 1 - side, wk, bk, first, a, second, b)


@kernel
def survey(rules, work, graph, info):
    """First pass: which positions there are, how many moves, what is decided at once.

    Afterwards ``first[v + 1]`` counts the moves that lead to v. info: positions, ends decided,
    codes missing from the library.
    """
    s = work.states[0]
    for v in range(graph.codes.size):
        if v & 1023 == 0 and read_now(work.stop, 0) != 0:
            return
        graph.left[v] = -1
        if not set_up(rules, work, v):
            continue
        info[0] += 1
        n = generate(rules.table, s, work.actions, False, False)
        mover = np.int64(s.side)
        graph.mover[v] = mover
        if n == 0:
            graph.left[v] = 0
            if s.checkers != NONE:
                graph.codes[v] = 1 if mover == 1 else -1
                graph.order[info[1]] = v
                info[1] += 1
            continue
        left, wins, least = n, 0, 0
        for i in range(n):
            to, code = after_move(work, v, np.int64(work.actions[i]))
            if to >= 0:
                graph.first[to + 1] += 1
            elif code == UNKNOWN:
                info[2] += 1
            elif code != 0 and (code > 0) == (mover == 0):
                wins = min(wins, abs(code)) if wins else abs(code)
            elif code != 0:
                left -= 1
                least = max(least, abs(code))
        graph.left[v] = left
        graph.least[v] = least
        if wins:
            wait_for(graph, v, wins)
        elif left == 0:
            wait_for(graph, v, least)


@kernel
def link(rules, work, graph):
    """Second pass: enter every move within the class under the position it leads to.

    ``first[v + 1]`` is the end of the predecessors of v before, and their beginning afterwards.
    """
    s = work.states[0]
    for v in range(graph.codes.size):
        if v & 1023 == 0 and read_now(work.stop, 0) != 0:
            return
        if graph.left[v] < 0 or not set_up(rules, work, v):
            continue
        for i in range(generate(rules.table, s, work.actions, False, False)):
            to, _ = after_move(work, v, np.int64(work.actions[i]))
            if to >= 0:
                graph.first[to + 1] -= 1
                graph.before[graph.first[to + 1]] = v


def build_class(
    cls: Class,
    smaller: dict[Class, Any],
    stop: threading.Event | None = None,
    progress: Callable[[str], None] | None = None,
) -> tuple[Any, dict[str, int]]:
    """The codes of a class (i1, UNKNOWN where there is no position) and what there is to count."""
    rules = rules_of(Chess())
    n = cls.size
    cell = new_stop_cell()
    work = ChessWork(
        states=new_states(Chess().spec().state, 1),
        actions=np.zeros(MOST_MOVES, np.int32),
        first_man=cls.men[0],
        second_man=cls.men[1],
        shape=cls.shape,
        library=make_library({c: smaller[c] for c in needed_by(cls)}),
        stop=cell,
    )
    graph = MoveGraph(
        first=np.zeros(n + 1, np.int64),
        before=np.zeros(0, np.int32),
        mover=np.zeros(n, np.int8),
        left=np.zeros(n, np.int16),
        codes=np.zeros(n, np.int16),
        order=np.zeros(n, np.int32),
        **empty_lists(n),
    )
    info = np.zeros(3, np.int64)

    def run(words: str, call: Callable[[], Any]) -> Any:
        tell = (lambda: progress(f"{cls.name}: {words}")) if progress is not None else None
        return run_or_raise(call, cell, stop, tell)

    run("finding positions", lambda: survey(rules, work, graph, info))
    if info[2]:
        raise InputError(f"{cls.name} needs smaller classes that are not there")
    turn_counts_into_ends(graph.first)
    edges = int(graph.first[n])
    graph = graph._replace(before=np.zeros(edges, np.int32))
    run("linking moves", lambda: link(rules, work, graph))
    graph.first[:n] = graph.first[1:]
    graph.first[n] = edges
    finish_solving(run("backwards", lambda: solve(graph, int(info[1]), cell)))
    longest = int(np.abs(graph.codes).max())
    if longest > LONGEST_CODE:
        raise InputError(f"{cls.name} has wins of {longest} plies: too long for its table")
    codes = np.where(graph.left < 0, UNKNOWN, graph.codes).astype(np.int8)
    return codes, counts_of(codes) | {"moves": edges}


def counts_of(codes: Any) -> dict[str, int]:
    """Positions (images by symmetry counted once) by result, and the longest win in plies."""
    counts: dict[str, int] = {}
    for side, half in zip(("White", "Black"), np.split(codes, 2), strict=True):
        known = half[half != UNKNOWN]
        counts[f"{side} to move: positions"] = int(known.size)
        counts[f"{side} to move: White wins"] = int((known > 0).sum())
        counts[f"{side} to move: draws"] = int((known == 0).sum())
        counts[f"{side} to move: Black wins"] = int((known < 0).sum())
        counts[f"{side} to move: longest White win"] = max(int(known.max(initial=0)) - 1, 0)
        counts[f"{side} to move: longest Black win"] = max(-int(known.min(initial=0)) - 1, 0)
    return counts


def checked_class(path: Path, header: dict[str, Any], arrays: dict[str, Any], cls: Class) -> Any:
    """The codes of a class in a file, if they are as many as it has, and as the header counts."""
    codes = storage.check_array(path, arrays, "codes", np.int8, (cls.size,))
    if header.get("class") != cls.name:
        raise InputError(f"{path} is a table of {header.get('class')}, not of {cls.name}")
    if "White to move: positions" in header:
        storage.check_counts(path, header, counts_of(codes))
    return codes


def build_classes(
    wanted: list[Class],
    folder: Path,
    stop: threading.Event | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[dict[str, Any]]:
    """Build the classes and all they need that the folder has not yet; returns their headers."""
    game = Chess()
    tables: dict[Class, Any] = {}
    headers = []
    for cls in in_order(wanted):
        path = folder / storage.file_name(game, cls.name)
        if path.exists() and cls not in wanted:
            header, arrays = storage.read(path)
            storage.check_game(path, header, game)
            tables[cls] = checked_class(path, header, arrays, cls)
            continue
        tables[cls], counts = build_class(cls, tables, stop, progress)
        header = {**storage.identity(game), "kind": "chess", "class": cls.name, **counts}
        header["bytes"] = storage.write(path, header, {"codes": tables[cls]})
        headers.append(header)
    return headers
