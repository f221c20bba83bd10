"""Table, tree, events, JSON and DOT show one value of a node, the backup rule's."""

from __future__ import annotations

from typing import Any

import pytest

from ponder import position
from ponder.core.registry import parse_engine
from ponder.mcts.view import SearchTree

ENGINES = [
    "mcts()",
    "mcts(backup=max(points=1))",
    "mcts(backup=solver())",
    "mcts(backup=discounted(gamma=0.5))",
    "mcts(transpositions=True)",
]


def searched(engine: str, game: str = "tictactoe", simulations: int = 60, **more: Any) -> Any:
    made: Any = parse_engine(engine)
    return made.search(position(game), simulations=simulations, seed=1, **more)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.plain
def test_the_tree_shows_the_values_of_the_table(engine: str) -> None:
    assert_one_value(searched(engine))


def test_so_it_does_in_compiled_code() -> None:
    assert_one_value(searched("mcts(backup=solver())", simulations=400))


def assert_one_value(result: Any) -> None:
    table = {row.name: row.value for row in result.moves}
    assert {child.name: child.value for child in result.tree.root.children} == table
    assert result.tree.root.value == result.root_value
    data = result.tree.to_json()
    assert data["value"] == result.root_value
    assert {c["name"]: c["value"] for c in data["children"]} == table
    for name, value in table.items():
        if value is not None:
            assert f'label="{name}\\n' in (dot := result.tree.to_dot())
            assert f"{value:+.3f}" in dot


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.plain
def test_events_end_with_the_values_of_the_tree(engine: str) -> None:
    made: Any = parse_engine(engine)
    session = made.start(position("tictactoe"), seed=1)
    session.run(simulations=60)
    passed = [event for event in session.events() if event.kind == "backed_up"]
    last = {event.path: event.facts["value"] for event in passed}
    checked = 0
    for node in session.tree().walk():
        path: list[str] = []
        above = node
        while above.parent is not None:
            path.insert(0, above.name)
            above = above.parent
        # where positions share children, others change the value of a node too
        if path and "transpositions" not in engine:
            assert last[tuple(path)] == node.value
            checked += 1
    assert checked > 20 or "transpositions" in engine


@pytest.mark.plain
def test_with_max_the_value_of_a_node_is_its_best_childs_and_not_the_mean() -> None:
    result = searched("mcts(backup=max(points=1))", simulations=300)
    tree = result.tree
    seen = 0
    for node in tree.walk(least_visits=10):
        tried = [child for child in node.children if child.visits]
        if tried and tried[0].player != node.owner:
            best = max(child.value for child in tried)
            assert node.value == pytest.approx(
                -best
            )  # of two opponents: the other's gain is a loss
            seen += node.value != pytest.approx(float(node._record.value) / node.visits)
    assert seen > 3


@pytest.mark.plain
def test_below_dice_the_value_belongs_to_the_last_player_who_chose() -> None:
    result = searched("mcts(backup=max(points=1))", "pig(target=8, sides=2)", 400)
    checked = 0
    for node in result.tree.walk():
        if node.player < 0 and node.parent is not None:
            assert node.owner == node.parent.owner >= 0
            assert node.value == float(node._record.backed[node.owner])
            checked += node.owner == 0
    assert checked > 5


@pytest.mark.plain
def test_a_loaded_tree_shows_the_values_it_had(tmp_path: Any) -> None:
    result = searched("mcts(backup=max(points=1))")
    result.tree.save(tmp_path / "a.tree")
    loaded = SearchTree.load(tmp_path / "a.tree")
    assert [n.value for n in loaded.walk()] == [n.value for n in result.tree.walk()]
    assert loaded.root.value == result.root_value


@pytest.mark.plain
def test_trees_of_several_threads_add_up_to_one_root_value() -> None:
    for engine in (
        "mcts(threads=2, parallel='root')",
        "mcts(transpositions=True, threads=2, parallel='root')",
    ):
        result = searched(engine, simulations=200)
        rows = [row for row in result.moves if row.visits]
        mean = sum(row.visits * row.value for row in rows) / sum(row.visits for row in rows)
        assert result.root_value == pytest.approx(mean)
        assert result.root_values[0] + result.root_values[1] == pytest.approx(0.0)


@pytest.mark.plain
def test_rows_have_the_priors_that_the_search_used() -> None:
    rows = searched("mcts(select=puct(), expand=all_children())").moves
    assert [row.prior for row in rows] == pytest.approx([1 / 9] * 9)
    assert all(row.prior is None for row in searched("mcts()").moves)
