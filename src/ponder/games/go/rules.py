"""The rules of Go on the state record: what kernels see."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.geometry import square_image
from ponder.core.rng import below
from ponder.games.go.board import (
    BLACK,
    BORDER,
    EMPTY,
    EMPTY_BOARD,
    PASSES_TO_END,
    QUICK_TRIES,
    area_difference,
    is_legal,
    is_sensible,
    place,
    remember,
    remove,
    stone_hash,
)
from ponder.games.go.playouts import list_atari_answers, list_pattern_moves, pick_sensible
from ponder.games.go.rollout import random_game
from ponder.games.go.tactics import gives_atari
from ponder.games.go.urgencies import draw_by_urgency
from ponder.jit import U, inlined


class GoRules(NamedTuple):
    """Go with every derived number ready: see `Go` for the parameters.

    An action is ``row * columns + column`` from the bottom left; the pass is ``rows * columns``.
    """

    rows: int
    columns: int
    stride: int
    passing: int
    """The action that passes."""
    komi: float
    max_length: int
    simple_ko: bool
    suicide: bool
    per_column: int
    """a * per_column >> 16 is a // columns, for every action: a division without dividing."""
    per_stride: int
    urgencies: bool
    points: bool
    patterns: Any
    """See `ponder.games.go.patterns`."""

    def point(self, a):
        """The point of an action that is not the pass."""
        return a + ((a * self.per_column) >> 16) + self.columns + 2

    def action(self, p):
        """The action that plays on point p."""
        return p - self.columns - 1 - ((p * self.per_stride) >> 16)

    # ------------------------------------------------------------ the contract

    def start(self, s):
        for p in range(s.colour.size):
            s.colour[p] = BORDER
        for a in range(self.passing):
            p = self.point(a)
            s.colour[p] = EMPTY
            s.empty[a] = p
            s.where[p] = a
        s.empties = self.passing
        s.hash = EMPTY_BOARD
        self.lay_out(s)

    def lay_out(self, s):
        """Put the stones `s.first` on the empty board: the first board that counts as seen.

        Every string must have a liberty in the end; then none is captured on the way.
        """
        for a in range(self.passing):
            p = self.point(a)
            if s.first[p] != EMPTY:
                place(s, p, np.int64(s.first[p]), self.stride)
        s.ko = 0
        s.fewest = s.empties
        seen = s.seen  # looking the field up for each place would be slow in plain Python
        for i in range(seen.size):
            seen[i] = U(0)
        if not self.simple_ko:
            remember(s, s.hash)

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        own = BLACK + np.int64(s.player)
        n = 0
        for a in range(self.passing):
            p = self.point(a)
            if s.colour[p] == EMPTY and is_legal(
                s, p, own, self.stride, self.simple_ko, self.suicide
            ):
                out[n] = a
                n += 1
        out[n] = self.passing
        return n + 1

    @inlined
    def apply_action(self, s, a):
        own = BLACK + np.int64(s.player)
        s.player ^= 1
        s.moves[s.ply] = a
        s.ply += 1
        if a == self.passing:
            s.passes += 1
            s.ko = 0
            s.last = 0
            return
        p = self.point(np.int64(a))
        s.passes = 0
        s.last = p
        if place(s, p, own, self.stride) > 0:
            s.thinned = 1
        elif self.suicide and s.libs[s.head[p]] == 0:
            remove(s, np.int64(s.head[p]), own, self.stride)
            s.libs[0] = 0
            s.thinned = 1
        if not self.simple_ko:
            remember(s, s.hash)
            s.fewest = min(s.fewest, s.empties)

    def is_terminal(self, s):
        return s.passes >= PASSES_TO_END or s.ply >= self.max_length

    def score(self, s):
        """Black's area minus White's minus komi."""
        return area_difference(s, self.stride) - self.komi

    def returns(self, s, out):
        score = float(self.score(s))
        if not self.points:
            score = 1.0 if score > 0 else -1.0 if score < 0 else 0.0
        out[0] = score
        out[1] = -out[0]

    def key(self, s):
        """Board, player to move, ko, and whether the game is over or was just passed."""
        value = s.hash ^ stone_hash(np.int64(s.ko), 0)
        state = 2 if self.is_terminal(s) else np.int64(s.passes)
        return value ^ stone_hash(2 * state + np.int64(s.player), 1000)

    def cells(self, s, player, out):
        """0 empty, 1 own, 2 the other's; then: was the last move a pass, and who gets the komi."""
        for a in range(self.passing):
            stone = s.colour[self.point(a)]
            code = 0
            if stone != EMPTY:
                code = 1 if stone == BLACK + player else 2
            out[a] = code
        out[self.passing] = min(s.passes, 1)
        out[self.passing + 1] = player

    # ------------------------------------------------------------ symmetries
    #
    # Symmetry k: mirror left-right if k & 1, top-bottom if k & 2, then swap rows and columns if
    # k & 4 (square boards only). The hashes of earlier boards cannot be turned, so the image is
    # played again from the first board: it is the very record that turned moves lead to.

    def symmetries(self):
        return 8 if self.columns == self.rows else 4

    def transform(self, s, k, t):
        self.clear(t)
        for a in range(self.passing):
            t.first[self.point(self.transform_action(a, k))] = s.first[self.point(a)]
        self.start(t)
        t.player = s.player ^ (s.ply & 1)
        for i in range(s.ply):
            self.apply_action(t, self.transform_action(np.int64(s.moves[i]), k))
        t.passes = s.passes  # a position given as text may begin with a pass or a ko
        t.ko = 0
        if s.ko != 0:
            t.ko = self.point(self.transform_action(self.action(np.int64(s.ko)), k))

    def transform_action(self, a, k):
        if a == self.passing:
            return a
        return square_image(a, k, self.rows, self.columns)

    def clear(self, t):
        """Make any record the zeroed one that `start` takes."""
        t.hash = U(0)
        t.ply, t.empties, t.fewest, t.ko, t.last = 0, 0, 0, 0, 0
        t.player, t.passes, t.thinned = 0, 0, 0
        for i in range(t.moves.size):
            t.moves[i] = 0
        for p in range(t.colour.size):
            t.libs[p] = 0
            t.head[p], t.next[p], t.stones[p] = 0, 0, 0
            t.where[p], t.empty[p] = 0, 0
            t.first[p] = 0

    def urgent(self, s, a):
        """Is it an atari?"""
        if a == self.passing:
            return False
        return gives_atari(s, self.point(np.int64(a)), BLACK + np.int64(s.player), self.stride)

    # ------------------------------------------------------------ playouts

    @inlined
    def random_action(self, s, out, rng):
        """Uniform over the legal moves that fill no own eye; passes only where there is none."""
        own = BLACK + np.int64(s.player)
        n = np.int64(s.empties)
        if n == 0:
            return self.passing
        for _ in range(QUICK_TRIES):  # most of the time one of the first is good
            p = np.int64(s.empty[below(rng, n)])
            if is_sensible(s, p, own, self.stride, self.simple_ko, self.suicide):
                return self.action(p)
        for i in range(n):
            out[i] = s.empty[i]
        while n > 0:  # without replacement
            i = below(rng, n)
            p = np.int64(out[i])
            if is_sensible(s, p, own, self.stride, self.simple_ko, self.suicide):
                return self.action(p)
            n -= 1
            out[i] = out[n]
        return self.passing

    def random_rollout(self, s, out, rng):
        if self.simple_ko or self.suicide:
            while not self.is_terminal(s):
                self.apply_action(s, self.random_action(s, out, rng))
        else:
            random_game(s, self.stride, self.max_length, out, rng)

    def rollout_action(self, s, out, rng):
        """Answers the last move: see `ponder.games.go.playouts`."""
        if self.urgencies:
            return self.urgency_action(s, out, rng)
        last = np.int64(s.last)
        if last != 0:
            own = BLACK + np.int64(s.player)
            n = list_atari_answers(s, last, own, self.stride, out)
            p = pick_sensible(s, own, self.stride, self.simple_ko, self.suicide, out, n, rng)
            if p == 0:
                n = list_pattern_moves(s, last, own, self.stride, self.patterns, out)
                p = pick_sensible(s, own, self.stride, self.simple_ko, self.suicide, out, n, rng)
            if p != 0:
                return self.action(p)
        return self.random_action(s, out, rng)

    def urgency_action(self, s, out, rng):
        """Crazy Stone's simulations: see `ponder.games.go.urgencies`."""
        p = draw_by_urgency(s, self.stride, self.simple_ko, self.suicide, out, rng)
        return self.action(p) if p != 0 else self.passing


# `random_action` leaves out moves that fill an own eye, and passes only where nothing is left.
# (Set here because a value inside a NamedTuple reads as a field.)
GoRules.RANDOM_ACTION_SUBSET = True  # type: ignore[attr-defined]
