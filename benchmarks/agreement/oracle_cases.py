"""Positions whose best moves are known, for `oracle.py`: random trees, and all of tic-tac-toe.

All of them are one kind of compiled game, a table of states, so that a pair of rules is compiled
once; and all have knowledge for the rules that ask for it (hooks `order` and `evaluate`): what
random play leads to, on average. It misleads where one answer refutes a move.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ponder import Position, position
from ponder.core.game import Spec, record

Case = tuple[Position, frozenset[int]]
"""A position, and its best moves."""

TABLES: dict[str, Table] = {}
"""The games made so far, by their names."""


class TableGame(NamedTuple):
    """A game of `TABLES`."""

    name: str = ""

    def spec(self) -> Spec:
        table = TABLES[self.name]
        return Spec(
            players=2,
            max_actions=table.after.shape[1],
            max_length=table.longest,
            state=record(at="i4"),
            lowest=float(table.utility.min()),
            highest=float(table.utility.max()),
        )

    def rules(self) -> TableRules:
        table = TABLES[self.name]
        return TableRules(table.after, table.player, table.utility, table.guess)


class TableRules(NamedTuple):
    """The rules on the arrays of `Table`; the state is the number of a row."""

    after: Any
    player: Any
    utility: Any
    guess: Any

    def start(self, s):
        s.at = 0

    def current_player(self, s):
        return self.player[s.at]

    def legal_actions(self, s, out):
        n = 0
        for a in range(self.after.shape[1]):
            if self.after[s.at, a] > 0:
                out[n] = a
                n += 1
        return n

    def apply_action(self, s, a):
        s.at = self.after[s.at, a]

    def is_terminal(self, s):
        return self.player[s.at] < 0

    def returns(self, s, out):
        out[0] = self.utility[s.at]
        out[1] = -self.utility[s.at]

    def evaluate(self, s, out):
        out[0] = self.guess[s.at]
        out[1] = -self.guess[s.at]

    def order(self, s, a):
        guess = self.guess[self.after[s.at, a]]
        return guess if self.player[s.at] == 0 else -guess  # for the player who moves


class Table(NamedTuple):
    """A game for two written out, state 0 the start; a column for each action."""

    after: Any  # [states, actions] i4: the state that the action leads to, 0 where it is illegal
    player: Any  # [states] i4: who is to move, -1 at the end
    utility: Any  # [states] f8: the result for player 0, at the end
    guess: Any  # [states] f8: the mean result for player 0 of random play
    worth: Any  # [states] f8: the minimax value for player 0
    longest: int

    def best(self, state: int) -> frozenset[int]:
        """The best moves, and the empty set where all are as good."""
        moves = [int(a) for a in np.flatnonzero(self.after[state])]
        good = {a for a in moves if self.worth[self.after[state, a]] == self.worth[state]}
        return frozenset(good) if len(good) < len(moves) else frozenset()


def tabulate(start: Any, key: Callable[[Any], Any], look: Callable[[Any], Any]) -> Table:
    """Every state that can be reached; look(node): (player, {action: node}) or a utility."""
    numbers: dict[Any, int] = {}
    rows: list[tuple[int, dict[int, int], float, float, float, int]] = []

    def number(node: Any) -> int:
        name = key(node)
        if name in numbers:
            return numbers[name]
        here = numbers[name] = len(rows)
        rows.append((-1, {}, 0.0, 0.0, 0.0, 0))
        seen = look(node)
        if not isinstance(seen, tuple):
            rows[here] = (-1, {}, seen, seen, seen, 0)
            return here
        player, below = seen
        after = {a: number(child) for a, child in below.items()}
        children = [rows[n] for n in after.values()]
        guess = sum(child[3] for child in children) / len(children)
        worth = (max if player == 0 else min)(child[4] for child in children)
        plies = 1 + max(child[5] for child in children)
        rows[here] = (player, after, 0.0, guess, worth, plies)
        return here

    number(start)
    width = 1 + max(a for row in rows for a in row[1])
    after = np.zeros((len(rows), width), np.int32)
    for here, row in enumerate(rows):
        for action, there in row[1].items():
            after[here, action] = there
    columns = [np.array([row[i] for row in rows], float) for i in (2, 3, 4)]
    return Table(after, np.array([row[0] for row in rows], np.int32), *columns, rows[0][5])


def random_trees(count: int) -> list[Case]:
    """Trees of depth 4 with two or three moves each and leaves from -1 to 1, whose best root move
    is better than the others by 0.2 or more."""
    rng = random.Random(17)

    def node(depth: int) -> Any:
        if depth == 0:
            return round(rng.uniform(-1, 1), 2)
        return [node(depth - 1) for _ in range(rng.randint(2, 3))], 4 - depth

    def look(here: Any) -> Any:
        if isinstance(here, float):
            return here
        below, depth = here
        return depth % 2, dict(enumerate(below))

    cases: list[Case] = []
    while len(cases) < count:
        table = tabulate(node(4), id, look)
        ranked = sorted(table.worth[there] for there in table.after[0] if there)
        if ranked[-1] - ranked[-2] >= 0.2:
            name = f"tree{len(cases)}"
            TABLES[name] = table
            cases.append((Position(TableGame(name)), table.best(0)))
    return cases


SYMMETRIES = [
    [3 * (2 - row if up else row) + (2 - column if left else column) for row, column in cells]
    for cells in (
        [(cell // 3, cell % 3) for cell in range(9)],
        [(cell % 3, cell // 3) for cell in range(9)],
    )
    for up in (False, True)
    for left in (False, True)
]
"""The eight ways to lay the board on itself."""


def board(s: Position) -> tuple[int, ...]:
    """Who has each square; -1 where nobody has."""
    cells = [-1] * 9
    for ply, action in enumerate(s.history):
        cells[action] = ply % 2
    return tuple(cells)


def tictactoe(every_one: bool) -> list[Case]:
    """The positions in which it matters what is played; of those that turning and mirroring make
    of one another only one, unless every one is wanted."""

    def look(s: Position) -> Any:
        if s.is_terminal:
            return s.returns[0]
        return s.current_player, {a: s.play(a) for a in s.legal_actions}

    TABLES["tictactoe"] = table = tabulate(position("tictactoe"), board, look)
    found: dict[Any, Case] = {}
    alike: set[Any] = set()
    level = {0: Position(TableGame("tictactoe"))}
    open_positions = 0
    while level:
        following: dict[int, Position] = {}
        for state, s in level.items():
            if s.is_terminal:
                continue
            open_positions += 1
            here = board(s)
            kind = min(tuple(here[i] for i in way) for way in SYMMETRIES)
            alike.add(kind)
            best = table.best(state)
            if best:
                found.setdefault(here if every_one else kind, (s, best))
            for a in s.legal_actions:
                following.setdefault(int(table.after[state, a]), s.play(a))
        level = following
    print(f"tic-tac-toe: {len(table.after):,} positions, {open_positions:,} of them not the end,")
    print(f"{len(alike):,} not alike; it matters what is played in {len(found):,} of", end=" ")
    print("all" if every_one else "these")
    return list(found.values())
