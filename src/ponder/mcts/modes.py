"""How a tree is shared: what happens when nodes are made, entered and counted.

A mode has

    room(self, n)                   free nodes that must be left before a simulation begins
    claim(self, tree, node)         may this simulation make the node's children?
    reserve(self, tree, n)          the index of n new nodes side by side
    publish(self, tree, node, first, count)   the node's children are ready
    enter(self, tree, node)         a simulation goes on to this node
    before(self, tree, node)        visits of a node that was entered, without this one
    add(self, tree, node, utility)  count the visit and the owner's utility
    in_order(self)                  must untried children be tried in the order they stand?

Types, not flags: a search by one thread (`Alone`) compiles to plain additions.
"""

from typing import NamedTuple

from ponder.jit import inlined


class Alone(NamedTuple):
    """One thread, one tree."""

    unused: int = 0

    @inlined
    def room(self, n):
        return n

    @inlined
    def claim(self, tree, node):
        return True

    @inlined
    def reserve(self, tree, n):
        first = tree.info[0]
        tree.info[0] = first + n
        return first

    @inlined
    def publish(self, tree, node, first, count):
        tree.nodes[node].first = first
        tree.nodes[node].count = count

    @inlined
    def enter(self, tree, node):
        pass

    @inlined
    def before(self, tree, node):
        return tree.nodes[node].visits

    @inlined
    def add(self, tree, node, utility):
        tree.nodes[node].visits += 1
        tree.nodes[node].value += utility

    @inlined
    def in_order(self):
        return False
