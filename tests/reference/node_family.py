"""A node and its children made by hand, for the formulas of select rules."""

from __future__ import annotations

import numpy as np

from ponder.jit import kernel
from ponder.mcts.backup.mean import Mean
from ponder.mcts.defaults import NoMemory
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.expand import OneChild
from ponder.mcts.parts import Memory, Parts, completed, needs_of
from ponder.mcts.tree import NoMoveTrace, TreeStore, Work, node_type

MOST = 16


class Family:
    """The root, where player 0 chooses, and a child for each list of player 0's utilities."""

    def __init__(self, rule, utilities, bounds=(-1.0, 1.0), simulations=100):
        self.rule = completed("select", rule)
        given = {"expand": OneChild(), "evaluate": Rollout(), "backup": Mean()}
        self.parts = Parts(self.rule, *(completed(kind, part) for kind, part in given.items()))
        self.utilities = [list(seen) for seen in utilities]
        self.store = TreeStore(1, node_type(tuple(needs_of(self.rule)), 2), utilities=bounds)
        self.tree = self.store.tree
        nodes, self.first = self.tree.nodes, 1
        self.store.info[0] += len(utilities)
        nodes[0].first, nodes[0].count, nodes[0].player = 1, len(utilities), 0
        for child, seen in enumerate(self.utilities, 1):
            nodes[child] = self.store.blank[0]
            nodes[child].action, nodes[child].player = child - 1, 0
            self._set(child, seen)
        everything = [u for seen in self.utilities for u in seen]
        self._set(0, everything)
        nodes[0].visits += 1  # for being made
        spec = _Spec()
        self.work = Work(
            states=np.zeros(2, np.int8),
            actions=np.zeros(MOST, np.int32),
            chances=np.zeros(MOST),
            utilities=np.zeros(2),
            path=np.zeros(8, np.int64),
            totals=np.zeros(2),
            squares=np.zeros(MOST),
            scores=np.zeros(MOST),
            trace=NoMoveTrace(),
            memory=Memory(self.rule.memory(spec, simulations), NoMemory(), NoMemory(), NoMemory()),
        )

    def _set(self, node, seen):
        record = self.tree.nodes[node]
        record.visits, record.value = len(seen), sum(seen)
        if "squares" in self.store.dtype.names:
            record.squares = sum(u * u for u in seen)

    def plain_terms(self):
        """The terms of every child's score, by the rule's methods run as ordinary Python."""
        return _terms_of(self.rule, self.parts, self.tree, self.work, len(self.utilities))

    def compiled_terms(self):
        """The same, compiled."""
        out = np.zeros((len(self.utilities), len(self.rule.TERMS)))
        _fill_terms(self.rule, self.parts, self.tree, self.work, out)
        return out.tolist()

    def plain_weights(self):
        self.rule.weights(None, self.parts, self.tree, self.work, 0)
        return self.work.scores[: len(self.utilities)].tolist()

    def compiled_weights(self):
        self.work.scores[:] = -1.0
        _fill_weights(self.rule, self.parts, self.tree, self.work)
        return self.work.scores[: len(self.utilities)].tolist()

    def choose(self, rng):
        """Which child the rule goes on to, counted from 0; compiled."""
        return _choose(self.rule, self.parts, self.tree, self.work, rng) - self.first


class _Spec:
    players = 2


def _one(rule, shared, tree, child, worth):
    n = int(tree.nodes[child].visits)
    return rule.terms(shared, tree, child, n, 1.0 / n, (1.0 / n) ** 0.5, worth)


def _terms_of(rule, parts, tree, work, count):
    n = int(tree.nodes[0].visits)
    shared = rule.shared(None, parts, tree, work, 0, n, float(np.log(n)))
    return [
        list(_one(rule, shared, tree, c, parts.backup.worth(tree, c, 1.0 / tree.nodes[c].visits)))
        for c in range(1, count + 1)
    ]


@kernel
def _fill_terms(rule, parts, tree, work, out):
    n = tree.nodes[0].visits
    shared = rule.shared(None, parts, tree, work, 0, n, np.log(n))
    for i in range(out.shape[0]):
        visits = tree.nodes[1 + i].visits
        inverse = 1.0 / visits
        mean = parts.backup.worth(tree, 1 + i, inverse)
        terms = rule.terms(shared, tree, 1 + i, visits, inverse, np.sqrt(inverse), mean)
        for k in range(out.shape[1]):
            out[i, k] = terms[k]


@kernel
def _fill_weights(rule, parts, tree, work):
    rule.weights(None, parts, tree, work, 0)


@kernel
def _choose(rule, parts, tree, work, rng):
    return rule.choose(None, parts, tree, work, 0, rng)
