"""Random trees: uniform, with independent values at the leaves; also as a compiled game.

A tree with branching b and m plies is the array of its b**m leaf values, from left to right, for
MAX. `turns` says who moves at each ply: ``+`` MAX, ``-`` MIN, ``?`` chance (all equally likely).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, record
from ponder.jit import take_methods

PLAYERS = {"+": 0, "-": 1, "?": CHANCE}
ARRANGEMENTS = ("random", "best", "worst", "adversary")
SCALES = ("plain", "affine", "cubed", "exponential")
MOST_LEAVES = 1 << 24
INSIDE = 0.9
"""Leaf values lie in -0.9 .. 0.9: none is a proven win, which a search would treat apart."""


def random_leaves(branching: int, plies: int, seed: int) -> Any:
    """Independent uniform values."""
    return np.random.default_rng(seed).uniform(-INSIDE, INSIDE, branching**plies)


def adversary_leaves(branching: int, plies: int) -> Any:
    """Values with which alpha-beta, from left to right, never cuts off (Knuth & Moore 1975).

    Each child of a MAX node lies wholly above its left neighbour, each child of a MIN node wholly
    below: every value falls inside the window.
    """
    rank = np.zeros(1)
    for ply in range(plies):
        step = np.arange(branching) if ply % 2 == 0 else np.arange(branching)[::-1]
        rank = (rank[:, None] * branching + step).ravel()
    return INSIDE * (2.0 * rank / max(rank.size - 1, 1) - 1.0)


def levels(leaves: Any, branching: int, turns: str) -> list[Any]:
    """The exact values of all nodes, ply by ply: the root's first, the leaves last."""
    found = [np.asarray(leaves, dtype=float)]
    for turn in reversed(turns):
        children = found[0].reshape(-1, branching)
        up: Any = {"+": np.max, "-": np.min, "?": np.mean}[turn]
        found.insert(0, up(children, axis=1))
    return found


def arranged(leaves: Any, branching: int, turns: str, best_first: bool) -> Any:
    """The same tree with the children of every node sorted by exact value for the mover."""
    values = levels(leaves, branching, turns)
    tree = np.asarray(leaves, dtype=float)
    for ply in range(len(turns) - 1, -1, -1):
        # From the bottom up: what was sorted so far stays within the blocks moved here.
        children = values[ply + 1].reshape(-1, branching)
        descending = (turns[ply] == "+") == best_first
        order = np.argsort(-children if descending else children, axis=1, kind="stable")
        blocks = tree.reshape(children.shape[0], branching, -1)
        tree = np.take_along_axis(blocks, order[:, :, None], axis=1).ravel()
    return tree


def rescaled(leaves: Any, scale: str) -> Any:
    """Another scale for the same outcomes: each of them keeps the order of all values."""
    if scale == "affine":
        return 0.5 * leaves + 0.25
    if scale == "cubed":
        return leaves**3
    if scale == "exponential":
        return INSIDE * (2.0 * np.expm1(2.0 * (leaves + 1.0)) / np.expm1(4.0) - 1.0)
    return leaves


class RandomTree(NamedTuple):
    """A random tree as a game: 3 moves at each of 4 plies unless told otherwise."""

    branching: int = 3
    turns: str = "+-+-"
    seed: int = 0
    arrangement: str = "random"
    scale: str = "plain"

    def problem(self) -> str | None:
        if not self.turns or set(self.turns) - set(PLAYERS):
            return f"turns is a text of + - ? such as +-+-, not {self.turns!r}"
        if self.branching < 2 or self.branching ** len(self.turns) > MOST_LEAVES:
            return f"a random tree has a branching of 2 or more and at most {MOST_LEAVES:,} leaves"
        if self.arrangement not in ARRANGEMENTS:
            return f"arrangement must be {', '.join(ARRANGEMENTS)}, not {self.arrangement!r}"
        if self.scale not in SCALES:
            return f"scale must be {', '.join(SCALES)}, not {self.scale!r}"
        return None

    def leaves(self) -> Any:
        """The values of the leaves for MAX."""
        return _leaves(self)

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=self.branching,
            max_length=len(self.turns),
            # place: which node of its ply, counted from the left
            state=record(place="i8", ply="i8"),
        )

    def rules(self) -> Any:
        movers = np.array([PLAYERS[turn] for turn in self.turns], np.int64)
        if "?" in self.turns:
            return ChanceTreeRules(self.branching, movers, self.leaves())
        return LabTreeRules(self.branching, movers, self.leaves())


class LabTreeRules(NamedTuple):
    """The rules of a random tree without chance."""

    branching: int
    movers: Any
    leaves: Any

    def start(self, s):
        s.place = 0

    def current_player(self, s):
        return self.movers[s.ply]

    def legal_actions(self, s, out):
        for a in range(self.branching):
            out[a] = a
        return self.branching

    def apply_action(self, s, a):
        s.place = s.place * self.branching + a
        s.ply += 1

    def is_terminal(self, s):
        return s.ply == self.movers.size

    def returns(self, s, out):
        out[0] = self.leaves[s.place]
        out[1] = -out[0]


class ChanceTreeRules(NamedTuple):
    """The rules of a random tree with chance nodes."""

    branching: int
    movers: Any
    leaves: Any

    def chance_outcomes(self, s, out, p):
        for a in range(self.branching):
            out[a] = a
            p[a] = 1.0 / self.branching
        return self.branching


take_methods(ChanceTreeRules, LabTreeRules)


@lru_cache(maxsize=4)
def _leaves(tree: RandomTree) -> Any:
    plies = len(tree.turns)
    if tree.arrangement == "adversary":
        found = adversary_leaves(tree.branching, plies)
    else:
        found = random_leaves(tree.branching, plies, tree.seed)
        if tree.arrangement != "random":
            found = arranged(found, tree.branching, tree.turns, tree.arrangement == "best")
    return rescaled(found, tree.scale)
