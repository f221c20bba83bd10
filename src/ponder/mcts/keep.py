"""What a session keeps for rules that may be switched to later.

A tree has only what its own parts need. A rule that is switched to in the middle needs results of
simulations that are long over: their squares (variance), sums for every player, all moves as first,
the range seen, averages of moves. `Keep` notes them from the first simulation on; it changes no
choice and draws no random number, so a search is the same with it and without. What follows from
the positions of a tree (priors, evaluations, ends of games) need not be kept: `ponder.mcts.switch`
computes it when a rule asks for it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.jit import inlined
from ponder.mcts.backup.vectors import add_to_sums
from ponder.mcts.evaluate.rollout import add_moves
from ponder.mcts.select.rave import add_amaf
from ponder.mcts.select.variance import add_seen, add_squares, new_seen, variance_below
from ponder.mcts.tree import ROOT

MOST_MOVES = 1 << 16
"""Players times distinct actions for which averages of moves are kept."""


class NoKeep(NamedTuple):
    """Nothing is kept beside what the parts need."""

    @inlined
    def before(self, parts, tree, work, node):
        pass

    @inlined
    def after(self, tree, work, depth):
        pass


class RootSums(NamedTuple):
    """Of each root move, in the order of the children."""

    sums: Any  # [moves, players] f8: of utilities
    counts: Any  # [moves] i8: simulations


class KeepRootSums(NamedTuple):
    """Every player's mean of every root move, for tables where one does not follow from another."""

    @inlined
    def before(self, parts, tree, work, node):
        pass

    @inlined
    def after(self, tree, work, depth):
        if depth > 0:
            move = work.path[1] - tree.nodes[ROOT].first
            work.memory.keep.counts[move] += 1
            for p in range(work.utilities.size):
                work.memory.keep.sums[move, p] += work.utilities[p]


class Kept(NamedTuple):
    """For the whole search, under the names that the rules give them."""

    seen: Any  # [2, players] f8: the lowest and the highest utility
    sums: Any  # [players, distinct_actions] f8: of MAST; empty where it is not kept
    counts: Any  # [players, distinct_actions] i8


class Keep(NamedTuple):
    """Notes what the other parts do not: each field says whether that is this part's to keep."""

    squares: bool
    sums: bool
    spread: bool
    amaf: bool
    moves: bool

    @inlined
    def before(self, parts, tree, work, node):
        if self.spread and not parts.expand.has_untried(tree, node):
            found = math.sqrt(variance_below(tree, node))
            tree.nodes[node].spread = max(found, tree.nodes[node].spread)

    @inlined
    def after(self, tree, work, depth):
        if self.squares:
            add_squares(tree, work, depth)
        if self.sums:
            add_to_sums(tree, work, depth)
        if self.amaf:
            add_amaf(tree, work, depth)
        add_seen(work.memory.keep.seen, work.utilities)
        if self.moves:
            add_moves(work.memory.keep, work)


FIELDS = ("squares", "sums", "spread", "amaf_value", "amaf_visits")
"""The node fields that `Keep` writes."""


def keep_for(needs: set[str], spec: Spec, dice: bool) -> Keep:
    """What is to be kept beside parts that need (and so keep) the fields `needs` themselves."""
    actions = spec.players * (spec.distinct_actions or spec.max_actions)
    return Keep(
        squares="squares" not in needs,
        sums="sums" not in needs,
        spread="spread" not in needs,
        # with dice between, the same move later is not the same move
        amaf="amaf_visits" not in needs and not dice,
        moves=actions <= MOST_MOVES,
    )


def new_kept(keep: Any, spec: Spec) -> Any:
    """Nothing noted yet."""
    if isinstance(keep, KeepRootSums):
        moves = spec.max_actions
        return RootSums(np.zeros((moves, spec.players)), np.zeros(moves, np.int64))
    actions = (spec.distinct_actions or spec.max_actions) if keep.moves else 0
    shape = (spec.players, actions)
    return Kept(new_seen(spec.players), np.zeros(shape), np.zeros(shape, np.int64))
