"""The same searches on plain Python games, at Python's speed: one recursion on `PlainRules`.

`vector` is minimax and max^n; `scalar` is alpha-beta, expectiminimax, paranoid and best-reply
search (alpha-beta between players, full width at chance nodes).
"""

from __future__ import annotations

import math
from typing import Any

from ponder.core.background import new_stop_cell
from ponder.core.compiled import TERMINAL
from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.search.method import NOBODY, Method, Outcome

DEEPEST_PLAIN = 300
"""Plies that a search of a plain Python game can reach: Python's own recursion has a limit."""


class _Stopped(Exception):
    """Raised through the recursion when a limit is reached."""


class PlainSearcher:
    """Searches a plain Python game; the counterpart of the compiled searchers."""

    memory = 0

    def __init__(self, position: Position, method: Method, nodes: int | None) -> None:
        self.position, self.method = position, method
        self.rules: Any = position.rules
        self.me = position.current_player
        self.longest = DEEPEST_PLAIN
        self.may_evaluate = hasattr(position.game, "evaluate")
        self.node_limit = nodes or math.inf
        self.nodes = self.deepest = 0
        self.cut_short = self.blind = self.met_chance = False
        self.stop_cell = new_stop_cell()

    def search(self, depth: int) -> Outcome:
        """Every root move in turn, the first of the best wins."""
        self.cut_short = self.blind = False
        best: tuple[Any, tuple[Any, ...]] | None = None
        values: Any
        rows: dict[Any, float] = {}
        whole = True
        self.nodes += 1
        try:
            for action in self.position.legal_actions:
                state = self.rules.advance(self.position.raw_state, action)
                if self.method.vector:
                    values, line = self.vector(state, depth - 1, 1)
                    value = values[self.me]
                else:
                    floor = -math.inf if best is None or not self.method.pruning else best[0]
                    value, line = self.scalar(state, depth - 1, 1, floor, math.inf, NOBODY)
                    values = value
                    if value <= floor:
                        continue
                rows[action] = value
                if best is None or value > (best[0][self.me] if self.method.vector else best[0]):
                    best = (values, (action, *line))
        except _Stopped:
            whole = False
        values, line = best or (None, ())
        return Outcome(values, line, rows, whole, self.cut_short)

    def enter(self, state: Any, depth: int, ply: int) -> tuple[Any, tuple[float, ...] | None]:
        """What the rules say of a state, and its utilities if nothing is searched below it."""
        self.nodes += 1
        if self.stop_cell[0] or self.nodes > self.node_limit:
            raise _Stopped
        self.deepest = max(self.deepest, ply)
        facts = self.rules.facts(state)
        if facts.player == TERMINAL:
            return facts, facts.returns
        if facts.player == CHANCE and not self.method.chance:
            self.met_chance = True
            raise _Stopped
        if depth > 0:
            return facts, None
        self.cut_short = True
        if not self.may_evaluate:
            self.blind = True
            raise _Stopped
        return facts, self.rules.evaluate(state)

    def vector(self, state: Any, depth: int, ply: int) -> tuple[tuple[float, ...], tuple[Any, ...]]:
        facts, known = self.enter(state, depth, ply)
        if known is not None:
            return known, ()
        below = [
            (a, *self.vector(self.rules.advance(state, a), depth - 1, ply + 1))
            for a in facts.actions
        ]
        if facts.player == CHANCE:
            totals = [0.0] * self.rules.players
            for p, (_, values, _) in zip(facts.chances, below, strict=True):
                totals = [t + p * v for t, v in zip(totals, values, strict=True)]
            return tuple(totals), ()
        action, values, line = max(below, key=lambda found: found[1][facts.player])
        return values, (action, *line)

    def scalar(
        self, state: Any, depth: int, ply: int, alpha: float, beta: float, replier: int
    ) -> tuple[float, tuple[Any, ...]]:
        """The value for `me`, fail-soft, and the best line."""
        facts, known = self.enter(state, depth, ply)
        if known is not None:
            return known[self.me], ()

        def below(action: Any, low: float, high: float, who: int) -> tuple[float, tuple[Any, ...]]:
            after = self.rules.advance(state, action)
            return self.scalar(after, depth - 1, ply + 1, low, high, who)

        if facts.player == CHANCE:
            value = 0.0
            for a, p in zip(facts.actions, facts.chances, strict=True):
                value += p * below(a, -math.inf, math.inf, replier)[0]
            return value, ()
        is_max = facts.player == self.me
        best, line = -math.inf if is_max else math.inf, ()
        for a, who in self.choices(state, facts, replier):
            low, high = alpha, beta
            if self.method.pruning and is_max:
                low = max(alpha, best)
            elif self.method.pruning:
                high = min(beta, best)
            value, rest = below(a, low, high, who)
            if value > best if is_max else value < best:
                best, line = value, (a, *rest)
            if self.method.pruning and (best >= beta if is_max else best <= alpha):
                break
        return best, line

    def choices(self, state: Any, facts: Any, replier: int) -> list[tuple[Any, int]]:
        """The moves to search, each with who is the one to choose afterwards (best-reply)."""
        mover = facts.player
        if not self.method.best_reply or mover == self.me:
            return [(a, NOBODY) for a in facts.actions]
        if replier not in (NOBODY, mover):
            return [(self.usual_move(state, facts), replier)]
        moves = [(a, mover) for a in facts.actions]
        if replier == NOBODY and self.rules.players > 2:
            usual = self.usual_move(state, facts)
            next_player = self.rules.facts(self.rules.advance(state, usual)).player
            if next_player not in (TERMINAL, self.me):
                moves.append((usual, NOBODY))
        return moves

    def usual_move(self, state: Any, facts: Any) -> Any:
        """What a player does who is not choosing: best by `evaluate`, else the first move."""
        if not self.may_evaluate:
            return facts.actions[0]

        def promise(action: Any) -> float:
            after = self.rules.advance(state, action)
            known = self.rules.facts(after).returns or self.rules.evaluate(after)
            return float(known[facts.player])

        return max(facts.actions, key=promise)
