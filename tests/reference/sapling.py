"""A small tree of a real game, shaped and given its statistics by hand."""

from __future__ import annotations

import math

import numpy as np

from ponder import position
from ponder.core.registry import parse_engine
from ponder.jit import kernel
from ponder.mcts.assembly import node_types
from ponder.mcts.parts import parts_of
from ponder.mcts.run import new_store, new_work
from ponder.mcts.search import make_children


class Sapling:
    """The root of a game and whatever is grown from it, for the parts of an engine text."""

    def __init__(self, engine, game="tictactoe", bounds=None):
        self.engine = parse_engine(f"mcts({engine})")
        self.start = position(game)
        self.game, spec = self.start.rules.part, self.start.rules.spec
        if bounds:
            spec = spec._replace(lowest=bounds[0], highest=bounds[1])
        self.parts = parts_of(self.engine, self.start)
        self.rule = self.parts.select
        self.store = new_store(node_types(self.parts, spec), spec, 1)
        self.work = new_work(self.parts, spec, self.start)
        self.tree = self.store.tree
        self.nodes = self.tree.nodes
        self.set(0, player=self.start.current_player)

    def set(self, node, **fields):
        """Give the node these statistics."""
        for name, value in fields.items():
            self.nodes[node][name] = value

    def grow(self, node, actions, player):
        """Give the node children; their numbers."""
        actions = np.array(actions, np.int32)
        first = int(make_children(self.tree, player, actions, len(actions)))
        self.tree.mode.publish(self.tree, node, first, len(actions))
        return list(range(first, first + len(actions)))

    def walk(self, *nodes):
        """Let the path be the root and these nodes; the depth."""
        self.work.path[: len(nodes) + 1] = (0, *nodes)
        return len(nodes)

    def children(self, node):
        first, count = int(self.nodes[node].first), int(self.nodes[node].count)
        return range(first, first + count)

    def plain_terms(self, depth=0):
        """The terms of every child's score, by the rule's methods run as ordinary Python."""
        node = int(self.work.path[depth])
        n = int(self.nodes[node].visits)
        shared = self.rule.shared(
            self.game, self.parts, self.tree, self.work, depth, n, math.log(n)
        )
        found = []
        for child in self.children(node):
            visits = int(self.nodes[child].visits)
            inverse = 1 / visits if visits else 0.0
            worth = self.parts.backup.worth(self.tree, child, inverse)
            terms = self.rule.terms(
                shared, self.tree, child, visits, inverse, math.sqrt(inverse), worth
            )
            found.append([float(term) for term in terms])
        return found

    def compiled_terms(self, depth=0):
        """The same, compiled."""
        count = len(self.children(int(self.work.path[depth])))
        out = np.zeros((count, len(self.rule.TERMS)))
        _fill_terms(self.game, self.rule, self.parts, self.tree, self.work, np.int64(depth), out)
        return out.tolist()

    def choose(self, rng, depth=0):
        """The node that the rule goes on to; compiled."""
        given = (self.game, self.rule, self.parts, self.tree, self.work, np.int64(depth), rng)
        return int(_choose(*given))

    def weights(self, depth=0):
        """The probabilities of a rule that draws; compiled."""
        _weights(self.game, self.rule, self.parts, self.tree, self.work, np.int64(depth))
        return self.work.scores[: len(self.children(int(self.work.path[depth])))].tolist()

    def plain_weights(self, depth=0):
        self.rule.weights(self.game, self.parts, self.tree, self.work, depth)
        return self.work.scores[: len(self.children(int(self.work.path[depth])))].tolist()

    def after(self, utilities, depth):
        """A simulation along the path ended with these utilities; compiled."""
        self.work.utilities[:] = utilities
        _after(self.rule, self.tree, self.work, np.int64(depth))


def best_moves_found(engine, game, positions, simulations, seeds=(1, 2)):
    """Does the engine find a best move in every position with every seed?"""
    searcher = parse_engine(f"mcts({engine})")
    missed = []
    for text, best in positions.items():
        start = position(game, text)
        for seed in seeds:
            result = searcher.search(start, simulations=simulations, seed=seed)
            if start.action_name(result.action) not in best:
                missed.append((text, seed, start.action_name(result.action)))
    return missed == [] or missed


@kernel
def _fill_terms(game, rule, parts, tree, work, depth, out):
    nodes = tree.nodes
    node = work.path[depth]
    n = nodes[node].visits
    shared = rule.shared(game, parts, tree, work, depth, n, math.log(n))
    for i in range(out.shape[0]):
        child = nodes[node].first + i
        visits = nodes[child].visits
        inverse = 1.0 / visits if visits > 0 else 0.0
        mean = parts.backup.worth(tree, child, inverse)
        terms = rule.terms(shared, tree, child, visits, inverse, math.sqrt(inverse), mean)
        k = 0
        for term in terms:
            out[i, k] = term
            k += 1


@kernel
def _choose(game, rule, parts, tree, work, depth, rng):
    return rule.choose(game, parts, tree, work, depth, rng)


@kernel
def _weights(game, rule, parts, tree, work, depth):
    rule.weights(game, parts, tree, work, depth)


@kernel
def _after(rule, tree, work, depth):
    rule.after(tree, work, depth)
