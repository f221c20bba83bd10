"""Changing a tree in its notation: another utility at a leaf, branches in another order."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ponder.errors import InputError
from ponder.games.tree_notation import read_nested, read_tree, spelt_out

Path = tuple[str, ...]
Order = Callable[[Path, list[str]], list[str]]
"""The names of the branches of a decision as they shall stand, given its path."""


def with_utility(text: str, players: int, path: Path, player: int, value: float) -> str:
    """The tree with another utility of `player` at the leaf that a path leads to.

    Where two players' utilities always add up to the same, the other one's follows.
    """
    if not 0 <= player < players:
        raise InputError(f"player must be 0 to {players - 1}, not {player}")
    number = int(value) if float(value).is_integer() else float(value)
    tree = read_tree(text, players)
    sums = tree.utilities[tree.count == 0].sum(axis=1)
    opposed = players == 2 and sums.max() - sums.min() <= 1e-9 * max(1.0, abs(sums).max())

    def changed(leaf: Any) -> Any:
        if isinstance(leaf, int | float):
            return number if player == 0 else 0 - number  # the negative is the other one's
        if "returns" not in leaf:
            raise InputError(f"there is no leaf at {' '.join(path) or 'the root'}")
        utilities = list(leaf["returns"])
        if opposed:
            utilities[1 - player] += utilities[player] - number
        utilities[player] = number
        return {"returns": utilities}

    return json.dumps(
        _replaced(spelt_out(read_nested(text), players), list(path), changed), ensure_ascii=False
    )


def reordered(text: str, players: int, order: Order) -> tuple[str, dict[Path, Path]]:
    """The tree with the branches of every decision in the order that `order` gives; and which
    path each path was before."""
    read_tree(text, players)  # what is wrong with it is said
    before: dict[Path, Path] = {(): ()}

    def arranged(node: Any, old: Path, new: Path) -> Any:
        if _is_noisy(node):
            return {"noisy": arranged(node["noisy"], old, new)}
        kind = _kind(node)
        if kind is None:
            return node
        branches = dict(_branches(node, kind))
        names = order(old, list(branches)) if kind == "moves" else list(branches)
        listed = isinstance(node, list) or isinstance(node[kind], list)
        made = {}
        for number, name in enumerate(names, 1):
            here = (*new, str(number) if listed else name)
            before[here] = (*old, name)
            chance, below = branches[name]
            below = arranged(below, (*old, name), here)
            made[name] = below if kind == "moves" else [chance, below]
        values = list(made.values()) if listed else made
        return values if isinstance(node, list) else {**node, kind: values}

    nested = spelt_out(read_nested(text), players)
    return json.dumps(arranged(nested, (), ()), ensure_ascii=False), before


def _is_noisy(node: Any) -> bool:
    return isinstance(node, dict) and "noisy" in node


def _kind(node: Any) -> str | None:
    """What leads on from a node: moves, chance, or nothing."""
    if isinstance(node, list):
        return "moves"
    return next((k for k in ("moves", "chance") if isinstance(node, dict) and k in node), None)


def _branches(node: Any, kind: str) -> list[tuple[str, tuple[Any, Any]]]:
    """Name, probability (None below a decision) and node of each branch."""
    given = node if isinstance(node, list) else node[kind]
    items = given.items() if isinstance(given, dict) else enumerate(given, 1)
    return [
        (str(name), (None, one) if kind == "moves" else (one[0], one[1])) for name, one in items
    ]


def _replaced(node: Any, path: list[str], change: Callable[[Any], Any]) -> Any:
    """The node with another one at the end of a path."""
    if _is_noisy(node):
        return {"noisy": _replaced(node["noisy"], path, change)}
    kind = _kind(node)
    if not path:
        return change(node) if kind is None else change({})
    branches = _branches(node, kind) if kind else []
    if path[0] not in dict(branches):
        raise InputError(f"the tree has no branch {path[0]!r} there")
    made: dict[str, Any] = {}
    for name, (chance, below) in branches:
        after = _replaced(below, path[1:], change) if name == path[0] else below
        made[name] = after if kind == "moves" else [chance, after]
    given = node if isinstance(node, list) else node[kind]
    values = list(made.values()) if isinstance(given, list) else made
    return values if isinstance(node, list) else {**node, kind: values}
