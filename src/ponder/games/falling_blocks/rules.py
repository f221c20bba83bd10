"""The rules of falling blocks with the shapes as tables, and the estimate of a pile.

A row is a number with a bit for each filled cell, column 0 the lowest bit; rows are counted from
the bottom. A piece falls straight down: where it comes to rest follows from the heights of the
columns alone.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Term
from ponder.core.rng import below
from ponder.games.falling_blocks.shapes import (
    BOTTOMS,
    FIRST_PLACEMENT,
    HEIGHT,
    PIECES,
    ROWS,
    WIDTH,
)
from ponder.jit import U, popcount

KINDS = len(PIECES)
MEAN_HEIGHT, HOLE, ACROSS, DOWN, WELL = -0.05, -0.05, -0.02, -0.06, -0.03
"""What each feature adds to the logarithm of the share of lines that still come."""


class FallingBlocksRules(NamedTuple):
    shapes: Any  # [19, 10] i4: see `ponder.games.falling_blocks.shapes`
    placements: Any  # [7, most] i4: the placements of each piece within the walls
    counts: Any  # [7] i4: how many
    columns: int
    rows: int
    pieces: int
    most_lines: int

    def start(self, s):
        s.lines = 0

    def current_player(self, s):
        return CHANCE if s.piece == 0 else 0

    def chance_outcomes(self, s, out, p):
        for piece in range(KINDS):
            out[piece] = piece
            p[piece] = 1.0 / KINDS
        return KINDS

    def legal_actions(self, s, out):
        n = 0
        piece = s.piece - 1
        for i in range(self.counts[piece]):
            a = self.placements[piece, i]
            if self.fits(s, a):
                out[n] = a
                n += 1
        return n

    def random_action(self, s, out, rng):
        piece = s.piece - 1
        while True:  # uniform: every placement is equally likely until one fits
            a = self.placements[piece, below(rng, self.counts[piece])]
            if self.fits(s, a):
                return a

    def landing(self, s, way, column):
        """The row in which the lowest square of the piece comes to rest."""
        row = 0
        for i in range(self.shapes[way, WIDTH]):
            row = max(row, np.int64(s.heights[column + i]) - self.shapes[way, BOTTOMS + i])
        return row

    def fits(self, s, a):
        """Is the whole piece on the board when it rests?"""
        way, column = (a - FIRST_PLACEMENT) // self.columns, (a - FIRST_PLACEMENT) % self.columns
        return self.landing(s, way, column) + self.shapes[way, HEIGHT] <= self.rows

    def apply_action(self, s, a):
        if s.piece == 0:
            s.piece = a + 1
            return
        way, column = (a - FIRST_PLACEMENT) // self.columns, (a - FIRST_PLACEMENT) % self.columns
        bottom = self.landing(s, way, column)
        full = (1 << self.columns) - 1
        complete = 0
        for i in range(self.shapes[way, HEIGHT]):
            s.row[bottom + i] |= self.shapes[way, ROWS + i] << column
            if s.row[bottom + i] == full:
                complete += 1
        s.piece = 0
        s.placed += 1
        s.lines += complete
        if complete:
            self.close_up(s, bottom, full)
        self.measure(s)

    def close_up(self, s, bottom, full):
        """Take complete rows away; what is above moves down."""
        to = bottom
        for r in range(bottom, self.rows):
            if s.row[r] != full:
                s.row[to] = s.row[r]
                to += 1
        for r in range(to, self.rows):
            s.row[r] = 0

    def measure(self, s):
        """The height of each column: up to its highest filled cell."""
        for c in range(self.columns):
            s.heights[c] = 0
        for r in range(self.rows):
            row = np.int64(s.row[r])
            if row == 0:
                return  # no row above is filled: pieces rest on others
            for c in range(self.columns):
                if row >> c & 1:
                    s.heights[c] = r + 1

    def is_terminal(self, s):
        if s.piece == 0:
            return s.placed >= self.pieces
        piece = s.piece - 1
        for i in range(self.counts[piece]):
            if self.fits(s, self.placements[piece, i]):
                return False
        return True

    def returns(self, s, out):
        out[0] = float(s.lines)

    # ------------------------------------------------------------ the estimate

    def evaluate(self, s, out):
        """The lines so far, and of those that all cells could still make the share e^score."""
        out[0] = float(s.lines)
        if not self.is_terminal(s):
            holes, across, down, wells = self.roughness(s)
            score = MEAN_HEIGHT * self.mean_height(s) + HOLE * holes
            score += ACROSS * across + DOWN * down + WELL * wells
            out[0] += (self.most_lines - out[0]) * math.exp(score)

    def mean_height(self, s):
        total = 0
        for c in range(self.columns):
            total += np.int64(s.heights[c])
        return total / self.columns

    def roughness(self, s):
        """Holes, changes along rows and down columns, wells.

        A hole is an empty cell with a filled one above it. A change is a pair of neighbours of
        which one is filled; walls and floor are, and only rows with a filled cell count. A cell
        of a well is empty, has filled neighbours left and right, and counts itself and the cells
        of the well above it.
        """
        full = (1 << self.columns) - 1
        holes, across, down, wells, above = 0, 0, 0, 0, 0
        top = 0
        for c in range(self.columns):
            top = max(top, np.int64(s.heights[c]))
        for r in range(top):
            row = np.int64(s.row[r])
            below_it = full if r == 0 else np.int64(s.row[r - 1])
            walled = row << 1 | 1 | 1 << (self.columns + 1)
            across += popcount(U((walled ^ walled >> 1) & (2 * full + 1)))
            down += popcount(U(row ^ below_it))
        if top > 0:
            down += popcount(U(np.int64(s.row[top - 1])))
        else:
            down += self.columns
        for r in range(top - 1, -1, -1):
            row = np.int64(s.row[r])
            holes += popcount(U(above & ~row & full))
            above |= row
        for c in range(self.columns):
            depth = 0
            for r in range(top - 1, -1, -1):
                walled = np.int64(s.row[r]) << 1 | 1 | 1 << (self.columns + 1)
                depth = depth + 1 if walled >> c & 7 == 5 else 0
                wells += depth
        return holes, across, down, wells

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        holes, across, down, wells = self.roughness(s)
        return [
            Term("mean height of the columns", float(self.mean_height(s)), MEAN_HEIGHT),
            Term("holes", holes, HOLE),
            Term("changes along rows", across, ACROSS),
            Term("changes down columns", down, DOWN),
            Term("cells of wells, by depth", wells, WELL),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        """Lines so far and the share of those still possible."""
        return float(s.lines) + (self.most_lines - float(s.lines)) * math.exp(score)
