"""Expand rules: when does a leaf get its children, and which of them are open? See
`ponder.mcts.parts`.

Children are always made side by side; a select rule that tries untried children first then goes
on to one more of them with each visit, which is the "one child per visit" of UCT.
"""

from typing import NamedTuple

from ponder.jit import inlined


class OneChild(NamedTuple):
    """One more child with every visit after a node's first (UCT; Coulom 2006 grows this way)."""

    @inlined
    def wants(self, tree, node, visits):
        return visits > 0

    @inlined
    def has_untried(self, tree, node):
        # one visit made the node, each later one tried a child: no need to look at the children
        return tree.nodes[node].visits <= tree.nodes[node].count
