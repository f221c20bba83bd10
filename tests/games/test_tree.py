"""Explicit trees: the notation, the rules against the nested values themselves, the mistakes."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import CHANCE, MCTS, InputError, Position, position
from ponder.core.game import hooks_of, new_states
from ponder.core.registry import game_text, parse_game
from ponder.games.tree import TreeGame, tree_game
from ponder.games.tree_edit import reordered, with_utility
from ponder.games.tree_notation import read_tree
from reference.nested_tree import nested_trees

COIN = '{"chance": {"heads": [0.5, [1, 2]], "tails": ["1/2", {"returns": [0, 0]}]}}'


def same_everywhere(s, node, mover=-1):
    """Compare the position with the nested value it stands for, and all below."""
    players = s.players
    if isinstance(node, list):
        node = {"moves": node}
    if not isinstance(node, dict) or "returns" in node:
        expected = node["returns"] if isinstance(node, dict) else [node, -node][:players]
        assert s.is_terminal
        assert s.returns == tuple(expected)
        return
    if "chance" in node:
        assert s.current_player == CHANCE
        assert [p for _, p in s.chance_outcomes] == [float(Fraction(p)) for p, _ in node["chance"]]
        below = [n for _, n in node["chance"]]
    else:
        mover = node.get("player", (mover + 1) % players)
        assert s.current_player == mover
        below = node["moves"]
    assert s.legal_actions == tuple(range(len(below)))
    for a, n in enumerate(below):
        same_everywhere(s.play(a), n, mover)


@settings(max_examples=150, deadline=None)
@given(nested_trees(2, chance=True, any_turns=True), st.booleans())
def test_the_rules_say_what_the_nested_values_say(nested, python_spelling):
    text = repr(nested) if python_spelling else json.dumps(nested)
    same_everywhere(Position(TreeGame(text)), nested)


@settings(max_examples=50, deadline=None)
@given(nested_trees(3, chance=True, any_turns=True))
def test_the_rules_of_three_players(nested):
    same_everywhere(Position(tree_game(nested, 3)), nested)


def test_the_default_is_the_textbook_tree():
    s = position("tree")
    assert [s.play(a).play(b).returns[0] for a in range(3) for b in range(3)] == [
        3, 12, 8, 2, 4, 6, 14, 5, 2,
    ]  # fmt: skip
    assert s.play_all("3 1").returns == (14, -14)


def test_turns_alternate_and_chance_takes_none():
    s = Position(TreeGame("[" + COIN + "]"))
    assert s.current_player == 0
    assert s.play("1").current_player == CHANCE
    assert s.play_all("1 heads").current_player == 1


def test_after_a_given_player_the_next_one_follows():
    s = Position(tree_game({"player": 2, "moves": [[{"returns": [1, 2, 3]}]]}, players=3))
    assert s.current_player == 2
    assert s.play(0).current_player == 0


def test_moves_have_the_names_they_are_given():
    s = Position(TreeGame('{"moves": {"left": 1, "right": {"moves": {"up": 2, "down": 3}}}}'))
    assert s.legal_names == ("left", "right")
    assert s.play("right").legal_names == ("up", "down")
    assert s.play_all("right down").text() == "right down"
    assert Position(TreeGame(COIN)).legal_names == ("heads", "tails")


def test_python_spelling_is_accepted():
    assert Position(TreeGame("((3, 12), (2, -4),)")).play_all("2 2").returns == (-4, 4)
    assert Position(TreeGame("{'moves': {'a': (1, 2), 'b': 3}}")).legal_names == ("a", "b")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tree([[3,12],[2,4]])", "[[3, 12], [2, 4]]"),
        ("tree(((3, 12.5), [-2, -1e-3]))", "[[3, 12.5], [-2, -0.001]]"),
        ("tree(text=[[3, 12], [2, 4]], players=1)", "[[3, 12], [2, 4]]"),
        ("tree(4)", "4"),
        (
            "tree({'chance': [[0.5, 3], ['1/2', {'moves': {'a': 1, 'b': 2}}]]})",
            '{"chance": [[0.5, 3], ["1/2", {"moves": {"a": 1, "b": 2}}]]}',
        ),
    ],
)
def test_a_tree_is_typed_without_quotes(text, meant):
    made = parse_game(text)
    assert made.text == meant
    assert parse_game(game_text(made)) == made


def test_three_players_leaves_are_typed_as_tuples():
    made = parse_game("tree([[(1, 0, 2), (3, 4, 5)], [(-1, 1.5, 1)]], players=3)")
    spelt_out = [[{"returns": [1, 0, 2]}, {"returns": [3, 4, 5]}], [{"returns": [-1, 1.5, 1]}]]
    assert Position(made).play_all("2 1").returns == (-1, 1.5, 1)
    same_everywhere(Position(made), spelt_out)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tree([[3,12],[2,4])", "cannot read"),
        ("tree([[3,a],[2,4]])", "not a$"),
        ("tree([[3,1e400],[2,4]])", "finite numbers"),
        ("tree([[3,True],[2,4]])", "not True"),
        ("tree([3,12],[2,4])", "players of TreeGame must be a whole number"),
        ("tree([])", "a node has 1 to 10000 moves, not 0"),
        ("tree({'a': 1, 'a': 2})", "stands twice"),
        ("tree({1: 2})", "accepted: names, calls"),
        ("nim(heaps={'a': 1})", "must be a tuple of numbers"),
        ("tree(" + "[" * 400 + "1" + "]" * 400 + ")", "cannot read|levels"),
    ],
)
def test_a_mistyped_tree_is_one_line(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        position(text)
    assert "\n" not in str(caught.value)


def test_a_tree_is_read_from_a_file(tmp_path):
    file = tmp_path / "tree.json"
    file.write_text(COIN + "\n")
    assert TreeGame.from_file(file) == TreeGame(COIN)
    with pytest.raises(InputError, match="cannot read"):
        TreeGame.from_file(tmp_path / "none.json")
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        TreeGame.from_file(file)


def test_the_utility_range_is_that_of_the_leaves():
    spec = TreeGame("[[3, 12], [-20, 4]]").spec()
    assert (spec.lowest, spec.highest, spec.zero_sum) == (-20, 20, True)
    spec = tree_game([3, 7, {"chance": [[1, 5]]}], players=1).spec()
    assert (spec.lowest, spec.highest, spec.zero_sum) == (3, 7, False)
    assert (spec.max_actions, spec.max_length) == (3, 2)
    constant = tree_game([{"returns": [3, 7]}, {"returns": [6, 4]}]).spec()
    assert constant.zero_sum
    flat = TreeGame("[0, 0]").spec()
    assert flat.lowest < flat.highest


def test_a_tree_may_be_a_single_leaf():
    s = Position(TreeGame("4"))
    assert s.is_terminal
    assert s.returns == (4, -4)
    assert s.text() == ""


@pytest.mark.parametrize(
    ("text", "players", "complaint"),
    [
        ("", 2, "nested lists, in JSON"),
        ("[1, 2", 2, r"nested lists, in JSON.*line 1, column"),
        ("[1, two]", 2, "not two"),
        ("[]", 2, "1 to 10000 moves, not 0 .at the root"),
        ("[1, [2, []]]", 2, "1 to 10000 moves, not 0 .at 2 2"),
        ('{"chance": []}', 2, "1 to 10000 chance, not 0"),
        ('[{"chance": [[0.5, 1], [0.4, 2]]}]', 2, r"add up to 1, not 0.9 \(at 1\)"),
        ('{"chance": [[0, 1], [1, 2]]}', 2, "above 0"),
        ('{"chance": [[-1, 1], [2, 2]]}', 2, "above 0"),
        ('{"chance": [["1/0", 1]]}', 2, "fraction"),
        ('{"chance": [["half", 1]]}', 2, "fraction"),
        ('{"chance": [1, 2]}', 2, r"\[probability, node\]"),
        ('{"chance": 1}', 2, "list, or an object"),
        ('{"moves": 1}', 2, "list, or an object"),
        ("[1, NaN]", 2, "finite numbers, not NaN"),
        ("[1, Infinity]", 2, "finite numbers, not Infinity"),
        ("[1, 1e999]", 2, "finite number up to 1e.100, not inf"),
        ("[" + "9" * 200 + "]", 2, "not a huge number"),
        ("[" + "9" * 5000 + "]", 2, "too many digits"),
        ("[nan]", 2, "not nan"),
        ("[true]", 2, "not True"),
        ("[null]", 2, "not None"),
        ('["3"]', 2, "not '3'"),
        ("[1j]", 2, "not 1j"),
        ('{"returns": [1, 2, 3]}', 2, "3 utilities in a tree for 2 players .say players=3"),
        ('[{"returns": [1, 2]}, {"returns": [1]}]', 2, "1 utilities in a tree for 2 players"),
        ('{"returns": []}', 2, "0 utilities"),
        ('{"returns": 1}', 2, "list with one utility per player"),
        ('{"returns": ["a", 1]}', 2, "a utility is a number"),
        ("[1, [1, 2, 3]]", 3, "a leaf for 3 players is a list of 3 numbers, not 1"),
        ("[1, 2]", 3, "2 utilities in a tree for 3 players"),
        ("[1, 2]", 0, "1 to 16 players, not 0"),
        ("[1, 2]", 17, "1 to 16 players, not 17"),
        ('{"player": 2, "moves": [1]}', 2, "player must be 0 to 1, not 2"),
        ('{"player": "x", "moves": [1]}', 2, "player must be 0 to 1, not 'x'"),
        ('{"player": 1}', 2, "a node of a tree is"),
        ("{}", 2, "a node of a tree is"),
        ('{"moves": [1], "chance": [[1, 1]]}', 2, "cannot have 'moves' too"),
        ('{"moves": [1], "speed": 3}', 2, "cannot have 'speed' too"),
        ('{"moves": {"a": 1, "a": 2}}', 2, "'a' stands twice"),
        ("{'moves': {'a': 1, 'a': 2}}", 2, "'a' stands twice"),
        ('{"moves": {"a b": 1}}', 2, "no blanks and no commas"),
        ('{"moves": {"": 1}}', 2, "no blanks and no commas"),
        ("[" * 151 + "1" + "]" * 151, 2, "at most 150 levels"),
        ("[" * 100_000 + "1" + "]" * 100_000, 2, "at most 150 levels"),
    ],
)
def test_every_mistake_is_named(text, players, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        Position(TreeGame(text, players))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_values_that_are_no_tree_are_refused():
    with pytest.raises(InputError, match="numbers, lists and dicts"):
        tree_game([object()])
    with pytest.raises(InputError, match="finite"):
        tree_game([float("nan")])


def test_the_deepest_tree_is_accepted():
    assert Position(TreeGame("[" * 150 + "1" + "]" * 150)).rules.spec.max_length == 150


NOISE = st.text(st.sampled_from("[]{}(),:\"' 0123456789.-e/abcmovesplayerchancereturns\\\n\x00é"))


@settings(max_examples=500, deadline=None)
@given(st.one_of(NOISE, st.text()))
def test_random_text_is_a_tree_or_refused(text):
    try:
        s = Position(TreeGame(text))
    except InputError:
        return
    assert s.rules.spec.max_length < 151


@settings(max_examples=100, deadline=None)
@given(nested_trees(2, chance=True), st.randoms(use_true_random=False))
def test_every_printed_position_parses_back(nested, rng):
    s = Position(tree_game(nested))
    while True:
        again = Position.parse(s.game, s.text())
        assert again == s
        assert again.text() == s.text()
        if s.is_terminal:
            break
        s = s.play(rng.choice(s.legal_actions))


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_random_positions_are_refused_with_a_reason(text):
    try:
        s = Position.parse(TreeGame(), text)
    except InputError:
        return
    assert s.text().split() == text.split()


def test_a_move_below_a_leaf_does_not_exist():
    with pytest.raises(InputError, match="no move '1' after '2 1'; it has: nothing, it is a leaf"):
        position("tree", "2 1 1")


def test_the_game_text_parses_back():
    for game in (TreeGame(), TreeGame(COIN), tree_game([1, 2], players=1)):
        assert parse_game(game_text(game)) == game


def test_plain_rules_agree_with_compiled_ones():
    game = TreeGame("[" + COIN + ", [3, {'player': 1, 'moves': [4, 5]}]]".replace("'", '"'))
    rules, spec = game.rules(), game.spec()
    rng = random.Random(1)
    for _ in range(50):
        s, ours = Position(game), new_states(spec.state, 1)[0]
        rules.start(ours)
        out, p = np.zeros(spec.max_actions, np.int32), np.zeros(spec.max_actions)
        while not rules.is_terminal(ours):
            assert s.current_player == rules.current_player(ours)
            if s.is_chance:
                n = rules.chance_outcomes(ours, out, p)
                assert s.facts.chances == tuple(p[:n])
            else:
                n = rules.legal_actions(ours, out)
            assert s.legal_actions == tuple(out[:n])
            a = rng.choice(s.legal_actions)
            s = s.play(a)
            rules.apply_action(ours, a)
            assert s.state == ours
        utilities = np.zeros(2)
        rules.returns(ours, utilities)
        assert s.returns == tuple(utilities)


def test_the_default_search_finds_the_textbook_move():
    result = MCTS().search(position("tree"), simulations=2000, seed=1)
    assert result.best_move.name == "1"
    assert all(-14 <= row.value <= 14 for row in result.moves)


def test_the_outline_shows_where_we_are():
    s = Position(TreeGame("[" + COIN + ", 7]"))
    assert str(s).splitlines() == [
        "at the root: player 0",
        "  1: chance",
        "    heads (0.5): player 1",
        "      1: 1",
        "      2: 2",
        "    tails (0.5): 0",
        "  2: 7",
    ]
    assert str(s.play_all("1 heads")).startswith("at 1 heads: player 1")
    wide = Position(TreeGame(str(list(range(100)))))
    assert str(wide).endswith("...")
    assert len(str(wide).splitlines()) < 50


def test_the_drawing_has_a_shape_for_every_node_and_marks_the_way():
    s = Position(TreeGame("[" + COIN + ", 7]")).play("1")
    drawn = s.svg()
    assert drawn.count("<polygon") == 2  # one triangle up, one down
    assert drawn.count("<circle") == 1
    assert drawn.count("<rect") == 4
    assert drawn.count('stroke-width="4"') == 1  # the way here
    assert drawn.count('stroke="#7d8f69"') == 2  # the outcomes that may follow
    assert "heads (0.5)" in drawn
    three = Position(tree_game([[[{"returns": [1, 2, 3]}]]], players=3)).svg()
    assert "(1, 2, 3)" in three
    assert Position(TreeGame(str(list(range(1000))))).svg().startswith("<svg")


ESTIMATED = (
    '{"estimate": 1, "moves": [{"noisy": {"estimate": -2, "moves": [3, {"noisy": -7}]}}, 4]}'
)


def test_estimates_and_noisy_moves_are_read_where_they_stand():
    tree = TreeGame(ESTIMATED).flat
    assert tree.estimated
    assert tree.estimates[:2].tolist() == [[1, -1], [-2, 2]]
    assert [tree.name[i] for i in range(5) if tree.noisy[i]] == ["1", "2"]
    spec = TreeGame(ESTIMATED).spec()
    assert (spec.lowest, spec.highest) == (-7, 7)
    rules, out = TreeGame(ESTIMATED).rules(), np.zeros(2, np.int32)
    start = np.zeros(1, spec.state).view(np.recarray)[0]
    assert (rules.noisy_actions(start, out), out[0]) == (1, 0)
    assert {"evaluate", "noisy_actions"} <= set(hooks_of(TreeGame(ESTIMATED)))
    assert "evaluate" not in hooks_of(TreeGame())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"estimate": 1, "moves": [[3, 4], 5]}', "all but the leaves need one (at 1)"),
        ('[{"noisy": 3}, 4]', 'give every node but the leaves an "estimate"'),
        ('{"noisy": [1, 2]}', "below a decision"),
        ('{"estimate": [1, 2, 3], "moves": [3, 4]}', "3 utilities in a tree for 2 players"),
    ],
)
def test_estimates_that_make_no_sense_are_refused(text, told):
    with pytest.raises(InputError, match=re.escape(told)):
        read_tree(text, 2)


def test_a_leaf_gets_another_utility_and_the_other_players_follows():
    text = '[{"noisy": {"estimate": 0, "moves": [3, {"returns": [1, -1]}]}}, 4]'
    text = '{"estimate": 2, "moves": ' + text + "}"
    assert '"moves": [9, {' in with_utility(text, 2, ("1", "1"), 0, 9)
    assert '"moves": [-9, {' in with_utility(text, 2, ("1", "1"), 1, 9.0)
    assert '{"returns": [-5, 5]}' in with_utility(text, 2, ("1", "2"), 1, 5)
    three = '[{"returns": [1, 2, 3]}, {"returns": [4, 5, 6]}]'
    changed = with_utility(three, 3, ("2",), 1, 0.5)
    listed = "[[1, 0, 2], {'chance': [[0.5, [3, 4, 5]], [0.5, [0, 0, 0]]]}]"
    assert '[0.5, {"returns": [3, 4, 9]}]' in with_utility(listed, 3, ("2", "1"), 2, 9)
    assert reordered(listed, 3, lambda path, names: names[::-1])[1][("2",)] == ("1",)
    assert changed == '[{"returns": [1, 2, 3]}, {"returns": [4, 0.5, 6]}]'
    with pytest.raises(InputError, match="no leaf at 1"):
        with_utility(text, 2, ("1",), 0, 9)


def test_moves_are_put_in_another_order_and_chance_is_left_alone():
    text = '[[1, 2], {"chance": [[0.25, [3, 4]], [0.75, 5]]}, {"moves": {"a": 6, "b": 7}}]'
    turned, before = reordered(text, 2, lambda path, names: names[::-1])
    assert turned == (
        '[{"moves": {"b": 7, "a": 6}}, {"chance": [[0.25, [4, 3]], [0.75, 5]]}, [2, 1]]'
    )
    assert before["1", "b"] == ("3", "b")
    assert before["2", "1", "1"] == ("2", "1", "2")
    assert reordered(turned, 2, lambda path, names: names[::-1])[0] == text
