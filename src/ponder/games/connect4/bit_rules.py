"""The rules of Connect Four on 64-bit words.

For boards with (rows + 1) * columns <= 64. Column c, row r (0 = bottom) is bit
``c * (rows + 1) + r``; the extra row on top stays empty, so that lines never wrap around:

     6 13 20 27 34 41 48    always empty
     5 12 19 26 33 40 47
     ...
     0  7 14 21 28 35 42    bottom row
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Term
from ponder.core.rng import advanced, below, scaled
from ponder.core.scoring import share_out
from ponder.jit import U, constants, inlined, lowest_bit, popcount, take_methods


class BitRules(NamedTuple):
    """The rules on one 64-bit word per player, and one of all stones (`full`)."""

    columns: int
    rows: int
    run: int
    players: int
    inside: Any
    """All cells, without the row on top."""
    bottom: Any
    """The lowest row."""
    column: Any
    """The first column, with the row on top."""

    def start(self, s):
        s.winner = -1

    def current_player(self, s):
        return s.player

    @inlined
    def legal_actions(self, s, out):
        n = 0
        full, top = s.full, U(1) << U(self.rows - 1)
        for c in range(self.columns):
            out[n] = c  # to be written over if the column is full
            if not full & top:
                n += 1
            top <<= U(self.rows + 1)
        return n

    def random_action(self, s, out, rng):
        while True:  # uniform: every column is equally likely until one has room
            c = below(rng, self.columns)
            if not (s.full >> U(c * (self.rows + 1) + self.rows - 1)) & U(1):
                return c

    def random_rollout(self, s, out, rng):
        if self.players > 2:
            while not self.is_terminal(s):
                self.apply_action(s, self.random_action(s, out, rng))
        else:
            s.winner = self.random_winner(s, rng)

    @inlined
    def random_winner(self, s, rng):
        """Of the game that `random_action` would play, for two players; -1 for nobody. In
        registers: a record would be read and written for every stone."""
        state, full, player = rng[0], s.full, np.int64(s.player)
        own, other = s.stones[player], s.stones[1 - player]
        left = np.int64(self.columns * self.rows) - np.int64(s.ply)
        while left > 0:
            state = advanced(state)
            bottom = U(scaled(state, self.columns) * (self.rows + 1))
            if not (full >> (bottom + U(self.rows - 1))) & U(1):
                stone = (full + (U(1) << bottom)) & ~full
                full |= stone
                own |= stone
                if self.has_run(own):
                    rng[0] = state
                    return player
                own, other = other, own
                player = 1 - player
                left -= 1
        rng[0] = state
        return np.int64(-1)

    def apply_action(self, s, a):
        # Adding 1 at the bottom of a column carries past its stones to the lowest free cell.
        full, player = s.full, s.player
        stone = (full + (U(1) << U(a * (self.rows + 1)))) & ~full
        s.full = full | stone
        own = s.stones[player] | stone
        s.stones[player] = own
        s.ply += 1
        if self.has_run(own):
            s.winner = player
        s.player = player + 1 if player + 1 < self.players else 0

    def has_run(self, b):
        """Do `run` stones of b stand in one line?"""
        for step in (U(1), U(self.rows), U(self.rows + 1), U(self.rows + 2)):
            m = b
            for _ in range(1, self.run):
                m = b & (m >> step)
            if m != U(0):
                return True
        return False

    def is_terminal(self, s):
        return s.winner >= 0 or s.ply == self.columns * self.rows

    def returns(self, s, out):
        share_out(s.winner, self.players, out)

    # ------------------------------------------------------------ hints

    def open_ends(self, b, full):
        """Empty cells that would complete a line of `run` stones of b."""
        ends = U(0)
        for d in (1, self.rows, self.rows + 1, self.rows + 2):
            # The empty cell is the k-th of the line: run - 1 stones on its two sides.
            for k in range(self.run):
                line = ~U(0)
                for i in range(self.run):
                    if i < k:
                        line &= b << U((k - i) * d)
                    elif i > k:
                        line &= b >> U((i - k) * d)
                ends |= line
        return ends & self.inside & ~full

    def evaluate(self, s, out):
        """The share of open ends (not tuned): with equal shares everybody has 0."""
        total = 0.0
        for p in range(self.players):
            out[p] = popcount(self.open_ends(s.stones[p], s.full))
            total += out[p]
        for p in range(self.players):
            others = (total - out[p]) / (self.players - 1)
            out[p] = 0.9 * (out[p] - others) / (total + 2.0)

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        ends = [popcount(self.open_ends(s.stones[p], s.full)) for p in range(self.players)]
        others = (sum(ends) - ends[player]) / (self.players - 1)
        share = (ends[player] - others) / (sum(ends) + 2)
        return [Term(f"share of the cells that would complete {self.run}", share, 0.9)]

    def order(self, s, a):
        """Winning, then blocking, then open ends gained; the centre breaks ties."""
        stone = (s.full + (U(1) << U(a * (self.rows + 1)))) & ~s.full
        own = s.stones[s.player]
        centre = 1.0 - abs(2 * a - self.columns + 1) / (2.0 * self.columns)
        if self.has_run(own | stone):
            return 1000.0
        for p in range(self.players):
            if p != s.player and self.has_run(s.stones[p] | stone):
                return 500.0 + centre
        return popcount(self.open_ends(own | stone, s.full | stone)) + centre

    def enough_actions(self, s, out):
        """A win if there is one, else the answer to a threat, else what does not lose at once."""
        if self.players > 2:  # who loses at once may still choose to whom
            return self.legal_actions(s, out)
        free = (s.full + self.bottom) & self.inside  # the lowest free cell of each column
        wins = free & self.open_ends(s.stones[s.player], s.full)
        threats = self.open_ends(s.stones[1 - s.player], s.full)
        good = free & ~(threats >> U(1))  # a stone there would make room for theirs
        must = free & threats
        if must != U(0):
            good &= must
            if must & (must - U(1)) != U(0):  # two threats: nothing helps
                good = U(0)
        if wins != U(0):
            good = wins & (~wins + U(1))
        elif good == U(0):  # everything loses at once, so one of them is enough
            good = free & (~free + U(1))
        if good & (good - U(1)) == U(0):
            out[0] = lowest_bit(good) // (self.rows + 1)
            return 1
        return self.by_promise(s.stones[s.player], s.full, good, out)

    def by_promise(self, own, full, stones, out):
        """Write the columns of `stones`: most open ends first, then near the centre."""
        n = 0
        for c in range(self.columns):
            stone = stones & (self.column << U(c * (self.rows + 1)))
            if stone != U(0):
                merit = popcount(self.open_ends(own | stone, full | stone)) * 4096
                merit += (self.columns - abs(2 * c - self.columns + 1)) * 64
                i = n
                while i > 0 and out[i - 1] < merit:
                    out[i] = out[i - 1]
                    i -= 1
                out[i] = merit + c
                n += 1
        for i in range(n):
            out[i] &= 63
        return n

    def rollout_action(self, s, out, rng):
        """A win if there is one, else the answer to the next player's threat, else a random stone
        that is below neither player's open end, else one below own ends only, else any.

        Never to fill the cell below an own open end is what matters most: when all other cells are
        full somebody has to, and many games are decided by who.
        """
        height = self.rows + 1
        free = (s.full + self.bottom) & self.inside  # the lowest free cell of each column
        ends = self.open_ends(s.stones[s.player], s.full)
        if free & ends != U(0):
            return np.int64(lowest_bit(free & ends) // height)
        following = s.player + 1 if s.player + 1 < self.players else 0
        threats = self.open_ends(s.stones[following], s.full)
        if free & threats != U(0):
            return np.int64(lowest_bit(free & threats) // height)
        good = free & ~(threats >> U(1))
        if good & ~(ends >> U(1)) != U(0):
            good &= ~(ends >> U(1))
        elif good == U(0):
            good = free
        while True:
            c = below(rng, self.columns)
            if (good >> U(c * height)) & self.column != U(0):
                return c

    def winning_action(self, s, out):
        free = (s.full + self.bottom) & self.inside  # the lowest free cell of each column
        wins = free & self.open_ends(s.stones[s.player], s.full)
        return lowest_bit(wins) // (self.rows + 1) if wins != U(0) else -1

    def noisy_actions(self, s, out):
        """Moves that win, or that stop somebody from winning in the same column."""
        n = 0
        for c in range(self.columns):
            if not (s.full >> U(c * (self.rows + 1) + self.rows - 1)) & U(1):
                stone = (s.full + (U(1) << U(c * (self.rows + 1)))) & ~s.full
                wins = False
                for p in range(self.players):
                    wins = wins or self.has_run(s.stones[p] | stone)
                if wins:
                    out[n] = c
                    n += 1
        return n

    def cells(self, s, player, out):
        """0 in the air, 1 to be filled next, 2 own, 3 the next player's ... Row 0 is the lowest."""
        for c in range(self.columns):
            playable = 1
            for r in range(self.rows):
                bit = U(c * (self.rows + 1) + r)
                code = playable
                if (s.full >> bit) & U(1) != U(0):
                    for p in range(self.players):
                        if (s.stones[p] >> bit) & U(1) != U(0):
                            code = 2 + (p - player + self.players) % self.players
                else:
                    playable = 0
                out[r * self.columns + c] = code

    def symmetries(self):
        return 2

    def transform(self, s, k, t):
        """0: the same; 1: left and right exchanged."""
        t.ply, t.player, t.winner = s.ply, s.player, s.winner
        t.full = self.mirrored(s.full) if k else s.full
        for p in range(self.players):
            t.stones[p] = self.mirrored(s.stones[p]) if k else s.stones[p]

    def mirrored(self, b):
        image = U(0)
        height = self.rows + 1
        left = self.column
        for c in range(self.columns):
            shift = (self.columns - 1 - 2 * c) * height
            if shift >= 0:
                image |= (b & left) << U(shift)
            else:
                image |= (b & left) >> U(-shift)
            left <<= U(height)
        return image

    def transform_action(self, a, k):
        return self.columns - 1 - a if k else a


class FourRules(NamedTuple):
    """`BitRules` of the usual four in a row, whose short test compiles into the loop around it."""

    columns: int
    rows: int
    run: int
    players: int
    inside: Any
    bottom: Any
    column: Any

    def has_run(self, b):
        """Pairs of neighbours, then pairs of pairs, in all four directions at once."""
        down, level, rise = U(self.rows), U(self.rows + 1), U(self.rows + 2)
        v, d, h, r = b & (b >> U(1)), b & (b >> down), b & (b >> level), b & (b >> rise)
        lines = (v & (v >> U(2))) | (d & (d >> (down + down)))
        lines |= (h & (h >> (level + level))) | (r & (r >> (rise + rise)))
        return lines != U(0)

    def open_ends(self, b, full):
        """Three stones in line with a gap at any place: pairs first, as above."""
        ends = (b << U(1)) & (b << U(2)) & (b << U(3))
        for d in (U(self.rows), U(self.rows + 1), U(self.rows + 2)):
            d2, d3 = d + d, d + d + d
            pair = (b << d) & (b << d2)
            ends |= pair & ((b << d3) | (b >> d))
            pair = (b >> d) & (b >> d2)
            ends |= pair & ((b >> d3) | (b << d))
        return ends & self.inside & ~full


take_methods(FourRules, BitRules)


class KeyedRules(NamedTuple):
    """`FourRules` of two players on a board that an exact key has room for."""

    columns: int
    rows: int
    run: int
    players: int
    inside: Any
    bottom: Any
    column: Any

    def exact_key(self, s):
        """The mover's stones; above those of every column a bit, so that free cells are told from
        the other player's stones. A mirror image has the same key."""
        key = s.full + self.bottom + s.stones[s.player]
        return min(key, self.mirrored(key))


take_methods(KeyedRules, FourRules)


@constants(
    columns=7,
    rows=6,
    run=4,
    players=2,
    inside=U(0b0111111_0111111_0111111_0111111_0111111_0111111_0111111),
    bottom=U(0b0000001_0000001_0000001_0000001_0000001_0000001_0000001),
    column=U(0b1111111),
)
class UsualRules(NamedTuple):
    """`KeyedRules` of the usual board: known to the compiler, which works out the shifts."""


take_methods(UsualRules, KeyedRules)
