"""Random trees as nested values, and their truth by recursion on those values themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

PROBABILITIES = ([1], [0.5, 0.5], [0.25, 0.75], ["1/3", "1/3", "1/3"], ["1/6", "5/6"])


def nested_trees(players: int, *, chance: bool = False, any_turns: bool = False) -> Any:
    """A strategy for trees with whole-number utilities (ties are frequent)."""
    numbers = st.integers(-9, 9)
    listed = st.lists(numbers, min_size=players, max_size=players)
    leaves = numbers if players <= 2 else listed.map(lambda values: {"returns": values})

    def grow(below: Any) -> Any:
        kinds = [st.lists(below, min_size=1, max_size=4)]
        if any_turns:
            kinds.append(
                st.builds(
                    lambda player, moves: {"player": player, "moves": moves},
                    st.integers(0, players - 1),
                    st.lists(below, min_size=1, max_size=3),
                )
            )
        if chance:
            kinds += [
                st.tuples(*[below] * len(p)).map(
                    lambda nodes, p=p: {"chance": [[q, n] for q, n in zip(p, nodes, strict=True)]}
                )
                for p in PROBABILITIES
            ]
        return st.one_of(kinds)

    return st.recursive(leaves, grow, max_leaves=25)


def true_values(node: Any, players: int, mover: int = -1) -> tuple[float, ...]:
    """One utility per player when each takes the first move that is best for itself."""
    if isinstance(node, int | float):
        return (node, -node)[:players]
    if isinstance(node, list):
        node = {"moves": node}
    if "returns" in node:
        return tuple(node["returns"])
    if "chance" in node:
        parts = [(float(Fraction(p)), true_values(n, players, mover)) for p, n in node["chance"]]
        return tuple(sum(p * v[i] for p, v in parts) for i in range(players))
    player = node.get("player", (mover + 1) % players)
    below = [true_values(n, players, player) for n in node["moves"]]
    return max(below, key=lambda values: values[player])


def size(node: Any) -> int:
    """Nodes of the tree."""
    if isinstance(node, dict) and "chance" in node:
        return 1 + sum(size(n) for _, n in node["chance"])
    if isinstance(node, dict) and "returns" in node:
        return 1
    moves = node["moves"] if isinstance(node, dict) else node
    return 1 + sum(size(n) for n in moves) if isinstance(moves, list) else 1
