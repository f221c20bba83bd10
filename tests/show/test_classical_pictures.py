"""Pictures of minimax, alpha-beta, expectiminimax and max^n say what a person would write."""

from __future__ import annotations

import json
import random

import pytest

from ponder import AlphaBeta, Limit, position
from ponder.core.events import Event
from ponder.games.tree import tree_game
from ponder.presets import plain_alphabeta
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.maxn import MaxN
from ponder.search.minimax import Minimax
from ponder.show.classical import classical_picture
from ponder.show.draw import picture_of
from ponder.show.legend import legend
from ponder.show.picture import Form, number_text, window_text


def drawn(engine, game, text="", step=None, most=60):
    session = engine.start(position(game, text), plan=Limit(depth=9))
    session.run(depth=9)
    return picture_of(session, most, step)


def below(picture, *path):
    node = picture.root
    for name in path:
        node = next(child for child in node.children if child.edge == name)
    return node


def test_the_textbooks_tree_has_the_textbooks_values():
    root = drawn(Minimax(), "tree").root
    assert root.value == "3"
    assert [child.value for child in root.children] == ["3", "2", "2"]
    leaves = [leaf.value for child in root.children for leaf in child.children]
    assert leaves == ["3", "12", "8", "2", "4", "6", "14", "5", "2"]
    assert (root.form, root.children[0].form) == (Form.MAX, Form.MIN)
    assert [child.line for child in root.children] == [True, False, False]


def test_alpha_beta_shows_windows_the_cut_and_what_was_never_looked_at():
    picture = drawn(plain_alphabeta(), "tree")
    assert picture.root.window == "[−∞, +∞]"
    assert [child.window for child in picture.root.children] == ["[−∞, +∞]", "[3, +∞]", "[3, +∞]"]
    cut = below(picture, "2")
    assert (cut.value, cut.reason) == ("≤2", "cut, β ≤ α: 2 ≤ 3")
    assert [leaf.unseen for leaf in cut.children] == [False, True, True]
    assert [leaf.cut for leaf in cut.children] == [False, True, True]
    assert [leaf.values for leaf in cut.children[1:]] == [(), ()], "nobody has seen them"
    assert not below(picture, "3").reason, "after the last move nothing was left to cut"


def test_a_null_window_is_told_from_one_with_room():
    assert below(drawn(AlphaBeta(), "tree"), "2").window == "[3, 3⁺]"
    assert window_text(1.0, 1.0) == "[1, 1⁺]", "the sliver may be lost in rounding"


@pytest.mark.parametrize("seed", range(6))
def test_every_window_and_value_is_of_player_0_whoever_begins(seed):
    rng = random.Random(seed)
    leaves = [[[rng.randint(-9, 9) for _ in range(3)] for _ in range(2)] for _ in range(3)]
    nested = {"player": 1, "moves": leaves}  # MIN at the root, then MAX, then MIN
    session = plain_alphabeta().start(position(tree_game(nested)), plan=Limit(depth=9))
    session.run(depth=9)
    picture = picture_of(session)

    def walk(node, values, alpha, beta, minimises):
        """The lecture's recursion, with MAX's window."""
        if not isinstance(values, list):
            assert node.value == number_text(values)
            return values
        assert node.form is (Form.MIN if minimises else Form.MAX)
        assert node.window == f"[{number_text(alpha)}, {number_text(beta)}]"
        value = float("inf") if minimises else float("-inf")
        for child, inner in zip(node.children, values, strict=True):
            if (value <= alpha) if minimises else (value >= beta):
                assert child.unseen
                assert node.reason.startswith("cut, β ≤ α")
                continue
            assert not child.unseen
            found = walk(child, inner, alpha, beta, not minimises)
            value = min(value, found) if minimises else max(value, found)
            if minimises and value > alpha:
                beta = min(beta, value)
            if not minimises and value < beta:
                alpha = max(alpha, value)
        return value

    walk(picture.root, leaves, float("-inf"), float("inf"), True)


def test_values_are_written_in_as_they_come_up():
    at = drawn(Minimax(), "tree", step=5)
    assert (at.root.value, at.root.open) == ("3", True)
    assert below(at, "1").value == "3"
    assert below(at, "2").unseen
    assert drawn(Minimax(), "tree", step=2).root.values == ()


def test_chance_nodes_are_round_with_probabilities_and_averages():
    nested = [{"chance": [[0.5, 4], [0.5, 8]]}, {"chance": [[0.25, 0], [0.75, 8]]}]
    picture = drawn(Expectiminimax(pruning="none", table=False), tree_game(nested, players=1))
    assert [child.form for child in picture.root.children] == [Form.CHANCE] * 2
    assert [child.value for child in picture.root.children] == ["6", "6"]
    assert [leaf.probability for leaf in below(picture, "2").children] == ["0.25", "0.75"]


def test_tuples_tell_which_component_decides():
    leaf = [{"returns": r} for r in ((1, 2, 6), (4, 3, 2), (6, 1, 2), (7, 4, 1))]
    nested = [[leaf[0], leaf[1]], [leaf[2], leaf[3]]]
    picture = drawn(MaxN(), tree_game(nested, players=3))
    assert picture.root.value == "(7, 4, 1)"
    assert [child.value for child in picture.root.children] == ["(4, 3, 2)", "(7, 4, 1)"]
    assert {child.deciding for child in picture.root.children} == {0}
    assert {node.deciding for child in picture.root.children for node in child.children} == {1}
    assert (picture.root.form, picture.root.mark) == (Form.PLAYER, "0")


def test_of_a_large_tree_the_most_important_part_is_drawn_and_it_says_so():
    rng = random.Random(1)
    nested = [[[[rng.random() for _ in "abc"] for _ in "abc"] for _ in "abc"] for _ in "abc"]
    picture = drawn(Minimax(), tree_game(nested), most=20)
    nodes = list(picture.root.walk())
    assert len([node for node in nodes if not node.unseen]) == 20
    assert any("more are left out" in fact for fact in picture.facts)
    assert any(node.line for node in nodes), "the best line is always there"


def test_the_move_that_decides_a_node_is_drawn_before_its_others():
    """A leaf may decide a node beside a subtree of many nodes."""
    rng = random.Random(2)
    large = [[[rng.uniform(50, 60) for _ in "abc"] for _ in "abc"] for _ in "abc"]
    picture = drawn(Minimax(), tree_game([100, [large, large, 3], [large, 4, large]]), most=16)
    decided = [node for node in picture.root.walk() if node.children and node.more]
    assert len(decided) > 2
    for node in decided:
        assert [child.value for child in node.children if child.chosen] == [node.value]


def test_a_value_is_exact_where_all_below_was_seen_and_a_bound_where_it_was_not():
    """The lecture's third node: 14, 5 and 2 were all looked at, so it is worth 2, not at most 2."""
    root = drawn(plain_alphabeta(), "tree").root
    assert [child.value for child in root.children] == ["3", "≤2", "2"]


def test_what_is_exact_does_not_depend_on_what_is_drawn():
    rng = random.Random(3)
    nested = [[[rng.randint(0, 2) for _ in "abc"] for _ in "abc"] for _ in "abc"]
    whole = drawn(plain_alphabeta(), tree_game(nested), most=60)
    part = drawn(plain_alphabeta(), tree_game(nested), most=9)

    def values(node, path=()):
        yield path, node.values
        for child in node.children:
            yield from values(child, (*path, child.edge))

    known, shown = dict(values(whole.root)), dict(values(part.root))
    assert any(value and value[0][0] in "≤≥" for value in known.values())
    assert all(known[path] == value for path, value in shown.items() if value)


def test_what_an_earlier_search_of_a_node_found_is_not_mixed_with_the_last_one():
    """Cut at first; then the table knows it, as a bound only."""
    window = {"player": 1, "depth": 1, "alpha": 3.0, "beta": 4.0}
    events = [
        Event(1, "enter", (), {"player": 0, "depth": 2, "alpha": -9.0, "beta": 9.0}),
        Event(2, "enter", ("1",), window),
        Event(3, "enter", ("1", "1"), {"player": "end", "depth": 0}),
        Event(3, "leave", ("1", "1"), {"value": 2.0, "bound": "exact"}),
        Event(3, "best", ("1",), {"move": "1", "value": 2.0}),
        Event(3, "cut", ("1",), {"reason": "window", "value": 2.0, **window}),
        Event(3, "leave", ("1",), {"value": 2.0, "bound": "upper"}),
        Event(4, "enter", ("2",), window),
        Event(4, "table", ("2",), {}),
        Event(4, "leave", ("2",), {"value": 5.0, "bound": "lower"}),
        Event(5, "enter", ("1",), window),
        Event(5, "table", ("1",), {}),
        Event(5, "leave", ("1",), {"value": 3.0, "bound": "lower"}),
    ]
    picture = classical_picture(position("tree"), events, 60)
    first, second = below(picture, "1"), below(picture, "2")
    assert (first.value, first.reason) == ("≥3", "")
    assert first.remarks == ["searched 2 times", "in the table"]
    assert second.value == "≥5", "the table's bound is no exact value"
    words = " ".join(legend(picture))
    assert "≤ ≥ a bound" in words
    assert "in the table: known" in words
    assert "the last one" in words


def test_the_legend_explains_null_windows_and_a_narrow_window_at_the_root():
    scout = drawn(AlphaBeta(), "tree")
    assert any("null window" in words for words in legend(scout))
    deeper = [Event(n, "enter", (), {"player": 0, "depth": n, "alpha": -1.0 / n}) for n in (1, 2)]
    assert "a guess" in classical_picture(position("tree"), deeper, 9).facts[-1]
    assert "a guess" not in classical_picture(position("tree"), deeper[:1], 9).facts[-1]


def test_a_picture_is_plain_data_too():
    data = json.loads(json.dumps(drawn(plain_alphabeta(), "tree").to_json()))
    root = data["root"]
    assert (root["form"], root["values"], root["window"]) == ("max", ["3"], "[−∞, +∞]")
    second = root["children"][1]
    assert second["reason"] == "cut, β ≤ α: 2 ≤ 3"
    assert second["children"][1] == {"form": "leaf", "edge": "2", "unseen": True, "cut": True}
