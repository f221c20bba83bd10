"""The rules of Chinese checkers, compiled.

A turn is one step, or a chain of hops played hop by hop. In a chain no hole is entered twice, the
first one included; after every hop that can go on, the player may also pass to stop there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.games.chinese_checkers.star import GOAL_SUM, HOLES, PIECES
from ponder.jit import U

PASS = 6 * HOLES
OUTSIDE = -1
"""What `cells` holds behind the edge; else 0 for an empty hole, player + 1 for a piece."""
TRIES = 64


class StarRules(NamedTuple):
    """The rules, with the board as tables: see `star.Tables`."""

    players: int
    horizon: int
    near: Any
    far: Any
    steps: Any
    mirror: Any
    chances: Any  # [lead] f8: see `evaluate`
    homes: Any  # [players * 10] i2: the holes of every home, in order

    def start(self, s):
        s.cells[HOLES] = OUTSIDE
        s.hopping = -1
        s.winner = -1
        for i in range(self.players * PIECES):
            hole = self.homes[i]
            s.pieces[i] = hole
            s.cells[hole] = i // PIECES + 1
            s.left[i // PIECES] += self.steps[i // PIECES * HOLES + hole]

    def current_player(self, s):
        return s.player

    # ------------------------------------------------------------ moves

    def landing(self, s, a):
        """Where a step or hop that is open ends."""
        near = np.int64(self.near[a])
        return near if s.cells[near] == 0 else np.int64(self.far[a])

    def is_open(self, s, a):
        """Has a piece there a step or hop? One answer without branches: nobody can guess it."""
        near, far = s.cells[self.near[a]], s.cells[self.far[a]]
        return (near == 0) | ((near > 0) & (far == 0))

    def can_hop_on(self, s, a):
        """May the chain of hops continue with action a?"""
        far = np.int64(self.far[a])
        if s.cells[self.near[a]] <= 0 or s.cells[far] != 0:
            return False
        return (s.entered[far >> 6] >> U(far & 63)) & U(1) == U(0)

    def legal_actions(self, s, out):
        n = 0
        if s.hopping >= 0:
            for direction in range(6):
                a = s.hopping * 6 + direction
                if self.can_hop_on(s, a):
                    out[n] = a
                    n += 1
            out[n] = PASS
            return n + 1
        for i in range(s.player * PIECES, s.player * PIECES + PIECES):
            for direction in range(6):
                a = s.pieces[i] * 6 + direction
                if self.is_open(s, a):
                    out[n] = a
                    n += 1
        if n == 0:  # walled in
            out[0] = PASS
            n = 1
        return n

    def random_action(self, s, out, rng):
        """Any piece, any direction, until one is legal: all are equally likely."""
        if s.hopping < 0:
            first = s.player * PIECES
            for _ in range(TRIES):
                i = below(rng, 6 * PIECES)
                a = np.int64(s.pieces[first + i // 6]) * 6 + i % 6
                if self.is_open(s, a):
                    return a
        return np.int64(out[below(rng, self.legal_actions(s, out))])

    def rollout_action(self, s, out, rng):
        """The one of five random actions that goes farthest towards the goal.

        Uniform random play does not arrive: its games are draws at the horizon.
        """
        best = self.random_action(s, out, rng)
        for _ in range(4):
            a = self.random_action(s, out, rng)
            if self.order(s, a) > self.order(s, best):
                best = a
        return best

    def order(self, s, a):
        """Steps towards the goal."""
        if a == PASS:
            return 0
        at = s.player * HOLES
        return np.int64(self.steps[at + a // 6]) - np.int64(self.steps[at + self.landing(s, a)])

    def apply_action(self, s, a):
        if a != PASS:
            hole, to = a // 6, self.landing(s, a)
            hops = s.cells[self.near[a]] != 0
            self.move(s, hole, to)
            if hops:
                if s.hopping < 0:
                    self.enter(s, hole)
                self.enter(s, to)
                s.hopping = to
                for direction in range(6):
                    if self.can_hop_on(s, to * 6 + direction):
                        return
        self.end_turn(s)

    def enter(self, s, hole):
        """The chain has been in this hole."""
        s.entered[hole >> 6] |= U(1) << U(hole & 63)

    def move(self, s, hole, to):
        """Put a piece elsewhere; the pieces of a player stay in order of their holes."""
        s.cells[to] = s.cells[hole]
        s.cells[hole] = 0
        way = s.player * HOLES
        s.left[s.player] += self.steps[way + to] - self.steps[way + hole]
        i = s.player * PIECES
        last = i + PIECES - 1
        first = i
        while s.pieces[i] != hole:
            i += 1
        while i < last and s.pieces[i + 1] < to:
            s.pieces[i] = s.pieces[i + 1]
            i += 1
        while i > first and s.pieces[i - 1] > to:
            s.pieces[i] = s.pieces[i - 1]
            i -= 1
        s.pieces[i] = to

    def end_turn(self, s):
        if s.left[s.player] == GOAL_SUM:
            s.winner = s.player
        s.hopping = -1
        s.entered[0] = U(0)
        s.entered[1] = U(0)
        s.turns += 1
        s.player = s.player + 1 if s.player + 1 < self.players else 0

    # ------------------------------------------------------------ the end

    def is_terminal(self, s):
        return s.winner >= 0 or s.turns >= self.horizon

    def returns(self, s, out):
        share_out(s.winner, self.players, out)

    def evaluate(self, s, out):
        """What the players may expect if chances fall with the steps they are behind.

        With d the steps a player is behind the leader, his chance w to win is proportional to
        exp(-d / SCALE), and the expected utility w - (1 - w) / (players - 1).
        """
        if self.is_terminal(s):
            share_out(s.winner, self.players, out)
            return
        least = s.left[0]
        for p in range(1, self.players):
            least = min(least, s.left[p])
        total = 0.0
        for p in range(self.players):
            out[p] = self.chances[s.left[p] - least]
            total += out[p]
        for p in range(self.players):
            chance = out[p] / total
            out[p] = chance - (1.0 - chance) / (self.players - 1)

    # ------------------------------------------------------------ symmetry

    def symmetries(self):
        """Two players sit on the axis of the star; more of them do not."""
        return 2 if self.players == 2 else 1

    def transform(self, s, k, t):
        """Symmetry 1: left and right change places."""
        t.entered[0] = U(0)
        t.entered[1] = U(0)
        t.cells[HOLES] = OUTSIDE
        for p in range(self.players):
            t.left[p] = s.left[p]
        n = 0
        for p in range(self.players):
            for hole in range(HOLES):
                if s.cells[self.image(hole, k)] == p + 1:
                    t.pieces[n] = hole
                    n += 1
        for hole in range(HOLES):
            there = self.image(hole, k)
            t.cells[there] = s.cells[hole]
            if (s.entered[hole >> 6] >> U(hole & 63)) & U(1):
                self.enter(t, there)
        t.hopping = self.image(s.hopping, k) if s.hopping >= 0 else -1
        t.turns = s.turns
        t.player = s.player
        t.winner = s.winner

    def image(self, hole, k):
        """The hole under symmetry k, which is its own inverse."""
        return np.int64(self.mirror[hole]) if k == 1 else np.int64(hole)

    def transform_action(self, a, k):
        """Directions come in pairs: left and right, up and down."""
        if k == 0 or a == PASS:
            return a
        return self.image(a // 6, k) * 6 + ((a % 6) ^ 1)
