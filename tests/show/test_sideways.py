"""A tree that is too wide from the top down is drawn from left to right, and stays legible."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

from ponder import MCTS, position
from ponder.games.tree import tree_game
from ponder.presets import plain_alphabeta
from ponder.show.draw import picture_of
from ponder.show.sideways import drawn_sideways
from ponder.show.svg import WIDEST, tree_svg
from ponder.show.svg_words import text_width
from ponder.show.upright import drawn_upright

SVG = "{http://www.w3.org/2000/svg}"
WIDE = {"moves": {f"move{i}": [[i, 40 - i], [i % 7, 20]] for i in range(30)}}


def searched(engine, game, **limit):
    session = engine.start(position(game), seed=1)
    session.run(**limit)
    return picture_of(session, most=60)


def boxes(drawn):
    """Of all texts: left, top, right, bottom, as wide as they are taken to be."""
    whole = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(drawn.parts)}</svg>'
    found = []
    for text in ElementTree.fromstring(whole).iter(f"{SVG}text"):
        size, bold = float(text.get("font-size")), text.get("font-weight") == "bold"
        wide = text_width(text.text, size, bold)
        x, y = float(text.get("x")), float(text.get("y"))
        x -= wide / 2 if text.get("text-anchor") == "middle" else 0.0
        found.append((x, y - 0.75 * size, x + wide, y + 0.2 * size, text.text))
    return found


def overlapping(found):
    return [
        (a[4], b[4])
        for a, b in itertools.combinations(found, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def test_a_wide_tree_is_turned_and_a_narrow_one_is_not():
    wide = searched(plain_alphabeta(), tree_game(WIDE), depth=3)
    upright, turned = drawn_upright(wide.root), drawn_sideways(wide.root)
    assert turned.width < WIDEST < upright.width
    assert "".join(turned.parts) in tree_svg(wide)
    narrow = searched(plain_alphabeta(), "tree", depth=2)
    assert "".join(drawn_upright(narrow.root).parts) in tree_svg(narrow)


def test_labels_of_a_flat_fan_stand_above_their_own_nodes():
    """Upright, 20 moves side by side: a label is nearer to its node than to any other."""
    root = searched(
        plain_alphabeta(), tree_game({"moves": {f"m{i}": i for i in range(20)}}), depth=1
    ).root
    found = {words: (left + right) / 2 for left, _, right, _, words in boxes(drawn_upright(root))}
    values = [found[str(i)] for i in range(20)]  # written inside the leaves
    for i in range(20):
        away = [abs(found[f"m{i}"] - x) for x in values]
        assert away.index(min(away)) == i


def test_no_text_lies_over_another_and_none_is_missing():
    for picture in (
        searched(plain_alphabeta(), tree_game(WIDE), depth=3),
        searched(MCTS(), tree_game(WIDE), simulations=300),
    ):
        drawn = drawn_sideways(picture.root)
        found = boxes(drawn)
        assert overlapping(found) == []
        assert all(x >= 0 and right <= drawn.width for x, _, right, _, _ in found)
        assert all(y >= 0 and bottom <= drawn.height for _, y, _, bottom, _ in found)
        words = [words for *_, words in found]
        for node in picture.root.walk():
            for expected in filter(None, (node.edge, node.window, node.reason, *node.remarks)):
                assert expected in words
