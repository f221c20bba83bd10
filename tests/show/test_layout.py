"""The layout is tidy: nothing overlaps, parents stand in the middle, equal subtrees look equal."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from ponder.show.layout import Extent, laid_out

GAP = 5.0


@dataclass
class Box:
    extent: Extent
    children: list[Box] = field(default_factory=list)


def random_tree(rng, depth):
    extent = Extent(rng.uniform(1, 30), rng.uniform(1, 90), rng.uniform(10, 40))
    count = rng.randint(0, 4) if depth else 0
    return Box(extent, [random_tree(rng, depth - 1) for _ in range(count)])


def levels_of(root):
    level = [root]
    while level:
        yield level
        level = [child for node in level for child in node.children]


@pytest.mark.parametrize("seed", range(20))
def test_neighbours_keep_their_distance_and_parents_stand_in_the_middle(seed):
    root = random_tree(random.Random(seed), 5)
    layout = laid_out(root, lambda box: box.extent, 20.0, GAP)
    for level in levels_of(root):
        for a, b in pairwise(level):
            right = layout.places[id(a)].x + a.extent.right
            assert layout.places[id(b)].x - b.extent.left >= right + GAP - 1e-6
        for node in level:
            x, y, floor = layout.places[id(node)]
            assert floor >= y + node.extent.height - 1e-6, "edges begin below the node"
            assert x - node.extent.left >= -1e-6
            assert x + node.extent.right <= layout.width + 1e-6
            assert y + node.extent.height <= layout.height + 1e-6
            if node.children:
                ends = [layout.places[id(node.children[i])].x for i in (0, -1)]
                assert x == pytest.approx(sum(ends) / 2)


def test_equal_subtrees_look_equal_and_narrow_ones_stand_close():
    def leaf():
        return Box(Extent(5, 5, 10))

    def pair():
        return Box(Extent(5, 5, 10), [leaf(), leaf()])

    root = Box(Extent(5, 5, 10), [pair(), leaf(), pair()])
    places = laid_out(root, lambda box: box.extent, 20.0, GAP).places
    first, middle, last = root.children
    widths = [
        places[id(node.children[1])].x - places[id(node.children[0])].x for node in (first, last)
    ]
    assert widths == [15, 15]
    assert places[id(middle)].x == pytest.approx(places[id(root)].x)
    # the leaf between the pairs takes no room from the leaves below it
    assert places[id(last.children[0])].x - places[id(first.children[1])].x < 30
