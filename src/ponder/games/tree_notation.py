"""The notation of explicit trees: nested text in, flat arrays out, every mistake in one clear line.

A node is one of

    5                                              a leaf: 5 to player 0, -5 to player 1
    {"returns": [1, 0, 2]}                         a leaf: one utility per player
    [1, 0, 2]                                      the same, with three players or more: a list of
                                                   numbers, one for each of them
    [node, node, ...]                              a decision; its moves are called 1, 2, 3 ...
    {"moves": [node, ...]}                         the same
    {"moves": {"left": node, "right": node}}       a decision whose moves have names
    {"player": 1, "moves": ...}                    a decision of this player
    {"chance": [[0.5, node], ["1/2", node]]}       chance; a probability is a number or a fraction
    {"chance": {"heads": [0.5, node], ...}}        chance whose outcomes have names
    {"estimate": 4, "moves": ...}                  a decision, or chance, with a static evaluation,
                                                   written as a leaf would be: 4, or [1, 0, 2]
    {"noisy": node}                                the move that leads here is a noisy one

Estimates are for searches that end before the leaves do: where one node has one, all but the
leaves have. Noisy moves (captures, say) are those that quiescence search looks at beyond.

Where no player is given, it is the turn of the one after the player who moved last on the way
from the root (chance is nobody's turn); player 0 begins. The text is JSON, or the same in
Python's spelling (single quotes, tuples).
"""

from __future__ import annotations

import ast
import json
import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import TERMINAL
from ponder.core.game import CHANCE
from ponder.errors import InputError

MOST_PLAYERS = 16
MOST_MOVES = 10_000
"""At one node."""
DEEPEST = 150
"""Levels below the root."""
LARGEST = 1e100
"""Utilities beyond this would overflow when a search squares and adds them."""

FORMS = (
    'a number, a list of nodes, {"moves": ...}, {"chance": ...}, {"returns": [...]} or '
    '{"noisy": node}'
)


class FlatTree(NamedTuple):
    """A tree in arrays, breadth first: node 0 is the root, children stand side by side."""

    first: Any  # [nodes] i8: index of the first child
    count: Any  # [nodes] i8: number of children; 0 at a leaf
    player: Any  # [nodes] i8: who moves; CHANCE, or TERMINAL at a leaf
    chance: Any  # [nodes] f8: probability of the edge into the node, below chance
    utilities: Any  # [nodes, players] f8: at leaves
    estimates: Any  # [nodes, players] f8: elsewhere, if the tree is estimated
    noisy: Any  # [nodes] i1: is the edge into the node a noisy move?
    estimated: bool
    name: tuple[str, ...]  # of the edge into the node
    parent: tuple[int, ...]  # -1 at the root
    depth: int

    def path(self, node: int) -> list[int]:
        """The nodes from the root to `node`, both included."""
        path = [node]
        while self.parent[path[-1]] >= 0:
            path.append(self.parent[path[-1]])
        return path[::-1]

    def children(self, node: int) -> range:
        first = int(self.first[node])
        return range(first, first + int(self.count[node]))


@lru_cache(maxsize=64)
def read_tree(text: str, players: int) -> FlatTree:
    """The tree that `text` describes; InputError says what is wrong and where."""
    if not 1 <= players <= MOST_PLAYERS:
        raise InputError(f"a tree is for 1 to {MOST_PLAYERS} players, not {players}")
    return flatten(read_nested(text), players)


# ------------------------------------------------------------------ text -> nested values


def read_nested(text: str) -> Any:
    """Numbers, lists and dicts from JSON or Python text."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        fault = f"{error.msg} (line {error.lineno}, column {error.colno})"
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"a tree has at most {DEEPEST} levels") from None
    except ValueError:
        raise InputError("a number in the tree has too many digits") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the compiler, about odd literals
            return _python_value(ast.parse(text.strip(), mode="eval").body)
    except InputError:
        raise
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise InputError(f"a tree is written as nested lists, in JSON: {fault}") from None


def _no_constant(word: str) -> Any:
    raise InputError(f"utilities and probabilities are finite numbers, not {word}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(f"{_shown(name)} stands twice in one node of the tree")
        found[name] = value
    return found


def _python_value(node: ast.AST) -> Any:
    if isinstance(node, ast.List | ast.Tuple):
        return [_python_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        keys = [ast.literal_eval(key) if key else None for key in node.keys]
        return _unique([(str(k), _python_value(v)) for k, v in zip(keys, node.values, strict=True)])
    if isinstance(node, ast.Name):
        raise InputError(f"a node of a tree is {FORMS}, not {node.id}")
    return ast.literal_eval(node)


# ------------------------------------------------------------------ nested values -> flat arrays


class _Open(NamedTuple):
    """A node that waits to be read."""

    value: Any
    parent: int
    name: str
    chance: float
    mover: int
    """The last player who moved on the way here; -1 at the root."""
    level: int


class _Read(NamedTuple):
    """What one node says."""

    player: int
    utilities: tuple[float, ...]
    branches: list[tuple[str, float, Any]]
    """Name, probability (0 below a decision), node."""
    estimate: tuple[float, ...] = ()
    noisy: bool = False


def flatten(nested: Any, players: int) -> FlatTree:
    waiting = [_Open(nested, -1, "", 0.0, -1, 0)]
    read: list[_Read] = []
    first = []
    for index, node in enumerate(_growing(waiting)):
        try:
            here = _read_node(node, players)
            if node.level > DEEPEST:
                raise InputError(f"a tree has at most {DEEPEST} levels")
        except InputError as error:
            raise InputError(f"{error} ({_place(waiting, index)})") from None
        read.append(here)
        first.append(len(waiting))
        mover = here.player if here.player >= 0 else node.mover
        for name, chance, value in here.branches:
            waiting.append(_Open(value, index, name, chance, mover, node.level + 1))
    estimated = any(one.estimate for one in read)
    for index, one in enumerate(read):
        if estimated and one.branches and not one.estimate:
            raise InputError(
                'where one node has an "estimate", all but the leaves need one '
                f"({_place(waiting, index)})"
            )
        if one.noisy and not estimated:
            raise InputError(
                'a "noisy" move is for searches that stop early: give every node but the leaves '
                f'an "estimate" ({_place(waiting, index)})'
            )
    none = (0.0,) * players
    return FlatTree(
        first=np.array(first, np.int64),
        count=np.array([len(r.branches) for r in read], np.int64),
        player=np.array([r.player for r in read], np.int64),
        chance=np.array([node.chance for node in waiting]),
        utilities=np.array([r.utilities or none for r in read]),
        estimates=np.array([r.estimate or none for r in read]),
        noisy=np.array([r.noisy for r in read], np.int8),
        estimated=estimated,
        name=tuple(node.name for node in waiting),
        parent=tuple(node.parent for node in waiting),
        depth=waiting[-1].level,
    )


def _growing(items: list[_Open]) -> Iterator[_Open]:
    """The items, those included that are appended meanwhile."""
    index = 0
    while index < len(items):
        yield items[index]
        index += 1


def _place(nodes: list[_Open], index: int) -> str:
    names = []
    while index > 0:
        names.append(nodes[index].name)
        index = nodes[index].parent
    if not names:
        return "at the root"
    return "at " + ("... " if len(names) > 12 else "") + " ".join(reversed(names[:12]))


def _read_node(node: _Open, players: int) -> _Read:
    value = node.value
    if isinstance(value, dict) and "noisy" in value:
        if set(value) != {"noisy"} or node.parent < 0:
            raise InputError('a noisy move is written as {"noisy": node}, below a decision')
        return _read_node(node._replace(value=value["noisy"]), players)._replace(noisy=True)
    if _is_number(value):
        return _Read(TERMINAL, _plain_leaf(value, players), [])
    if isinstance(value, list):
        value = {"returns" if is_listed_leaf(value, players) else "moves": value}
    if not isinstance(value, dict):
        raise InputError(f"a node of a tree is {FORMS}, not {_shown(value)}")
    for kind, others in (
        ("returns", ()),
        ("chance", ("estimate",)),
        ("moves", ("player", "estimate")),
    ):
        if kind in value:
            strange = set(value) - {kind, *others}
            if strange:
                raise InputError(f"a node with {kind!r} cannot have {_shown(min(strange))} too")
            break
    else:
        raise InputError(f"a node of a tree is {FORMS}, not {_shown(value)}")
    if kind == "returns":
        return _Read(TERMINAL, _listed_leaf(value["returns"], players), [])
    estimate: tuple[float, ...] = ()
    if "estimate" in value:
        given = value["estimate"]
        listed = isinstance(given, list)
        estimate = _listed_leaf(given, players) if listed else _plain_leaf(given, players)
    if kind == "chance":
        return _Read(CHANCE, (), _outcomes(value["chance"]), estimate)
    following = (node.mover + 1) % players
    player = value.get("player", following)
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < players:
        raise InputError(f"player must be 0 to {players - 1}, not {_shown(player)}")
    branches = [(name, 0.0, below) for name, below in _named(value["moves"], "moves")]
    return _Read(player, (), branches, estimate)


def _plain_leaf(value: float, players: int) -> tuple[float, ...]:
    utility = _utility(value)
    if players > 2:
        raise InputError(
            f"a leaf for {players} players is a list of {players} numbers, not {_shown(value)}"
        )
    return (utility,) if players == 1 else (utility, 0.0 - utility)  # never -0.0


def _listed_leaf(values: Any, players: int) -> tuple[float, ...]:
    if not isinstance(values, list):
        raise InputError(f'"returns" is a list with one utility per player, not {_shown(values)}')
    if len(values) != players:
        raise InputError(
            f"a leaf with {len(values)} utilities in a tree for {players} players "
            f"(say players={max(len(values), 1)}, or give {players} utilities)"
        )
    return tuple(_utility(value) for value in values)


def _utility(value: Any) -> float:
    if not _is_number(value):
        raise InputError(f"a utility is a number, not {_shown(value)}")
    if not abs(value) <= LARGEST:  # nan too
        raise InputError(f"a utility is a finite number up to {LARGEST:g}, not {_shown(value)}")
    return float(value)


def is_listed_leaf(value: Any, players: int) -> bool:
    """Is it a list of utilities? With three players no leaf is a number: a list of numbers can
    only be one leaf."""
    return players > 2 and isinstance(value, list) and bool(value) and all(map(_is_number, value))


def spelt_out(nested: Any, players: int) -> Any:
    """A tree that was read, with every listed leaf as {"returns": ...}."""
    if is_listed_leaf(nested, players):
        return {"returns": nested}
    if isinstance(nested, list):
        return [spelt_out(value, players) for value in nested]
    if not isinstance(nested, dict):
        return nested
    kept = ("returns", "estimate")  # lists of utilities as they are
    return {k: v if k in kept else spelt_out(v, players) for k, v in nested.items()}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _named(branches: Any, what: str) -> list[tuple[str, Any]]:
    """The branches of a node with their names: the keys, or 1, 2, 3 ..."""
    if isinstance(branches, list):
        named = [(str(number), branch) for number, branch in enumerate(branches, 1)]
    elif isinstance(branches, dict):
        named = list(branches.items())
    else:
        raise InputError(f'"{what}" is a list, or an object with names, not {_shown(branches)}')
    if not 1 <= len(named) <= MOST_MOVES:
        raise InputError(f"a node has 1 to {MOST_MOVES} {what}, not {len(named)}")
    for name, _ in named:
        if not name or any(c == "," or c.isspace() or not c.isprintable() for c in name):
            raise InputError(f"a name has no blanks and no commas, unlike {_shown(name)}")
    return named


def _outcomes(branches: Any) -> list[tuple[str, float, Any]]:
    read = []
    for name, pair in _named(branches, "chance"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(f"an outcome of chance is [probability, node], not {_shown(pair)}")
        read.append((name, _probability(pair[0]), pair[1]))
    total = math.fsum(p for _, p, _ in read)
    if abs(total - 1.0) > 1e-9:
        raise InputError(f"the probabilities of chance add up to 1, not {total:.12g}")
    return read


def _probability(value: Any) -> float:
    number = value
    if isinstance(value, str):
        try:
            number = float(Fraction(value))
        except (ValueError, ZeroDivisionError, OverflowError):
            number = None
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number <= 1:
        raise InputError(
            f'a probability is a number above 0 and up to 1, or a fraction such as "1/6", '
            f"not {_shown(value)}"
        )
    return float(number)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "a huge number"
    return text if len(text) <= 60 else text[:57] + "..."
