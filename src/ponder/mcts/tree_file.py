"""Search trees as files: save one, load it, continue the search.

A file has a line that says what it is, with a checksum of all that follows; a line of JSON (the
game, the position, the engine, the fields of a node); and the nodes as they are in memory. A file
that was cut short or changed is refused, and so is a tree that no search of its position could have
made, whatever its checksum (`ponder.mcts.tree_check`).
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.game import new_states
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.files import json_object, read_file, save_file
from ponder.mcts.modes import Transposing, new_graph
from ponder.mcts.tree import EXTRA_FIELDS, PLAIN_FIELDS, ROOT, TreeStore, node_type
from ponder.mcts.tree_check import tree_fault

MAGIC, VERSION = b"ponder search tree ", b"2"


def save_tree(store: TreeStore, position: Position, engine: str, path: str | Path) -> None:
    """Write the tree; the whole file or nothing."""
    if not position.rules.compiled:
        raise InputError("only trees of compiled games can be saved: this is a plain Python game")
    head = {
        **position.to_json(),
        "engine": engine,
        "fields": list(store.dtype.names),
        "nodes": store.size,
        "deepest": store.deepest,
        "shares": isinstance(store.mode, Transposing),
        "squares": None if store.squares is None else store.squares.tolist(),
    }
    body = (json.dumps(head) + "\n").encode() + store.nodes.tobytes()
    save_file(path, MAGIC + VERSION + b" " + _checksum(body) + b"\n" + body)


def _checksum(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).hexdigest().encode()


def load_tree(path: str | Path) -> tuple[TreeStore, Position, str]:
    """The tree, its position and the engine that made it."""
    first, _, body = read_file(path).partition(b"\n")
    version, _, checksum = first.removeprefix(MAGIC).partition(b" ")
    if not first.startswith(MAGIC) or not version.isdigit():
        raise InputError(f"{path} is not a saved search tree")
    if version != VERSION:
        raise InputError(f"{path} was saved by another version of Ponder: search again")
    if checksum != _checksum(body):
        raise InputError(f"{path} is damaged: its contents do not match its checksum")
    line, _, data = body.partition(b"\n")
    try:
        head = json_object(line)
    except ValueError:
        raise InputError(f"{path} is not a saved search tree") from None
    try:
        position = Position.from_json(head)
    except InputError as error:
        raise InputError(f"{path} cannot be used: {error}") from None
    try:
        store = _store(head, position, data)
    except (ValueError, KeyError, TypeError, OverflowError):
        raise InputError(f"{path} is damaged: its header does not fit its nodes") from None
    fault = tree_fault(store, position)
    if store.squares is not None and len(store.squares) != store.nodes[ROOT].count:
        fault = fault or "it does not have one square for each move"
    if fault is not None:
        raise InputError(f"{path} is no tree of its position: {fault}")
    return store, position, str(head["engine"])


def _store(head: dict[str, Any], position: Position, data: bytes) -> TreeStore:
    """The tree that the header announces; ValueError and the like if that makes no sense."""
    spec = position.rules.spec
    names, plain = head["fields"], [name for name, _ in PLAIN_FIELDS]
    dtype = node_type(tuple(name for name in EXTRA_FIELDS if name in names), spec.players)
    size, deepest, squares = head["nodes"], head["deepest"], head["squares"]
    if list(dtype.names) != names or not set(plain) <= set(names):
        raise ValueError
    if type(size) is not int or size < 1 or len(data) != size * dtype.itemsize:
        raise ValueError
    if type(deepest) is not int or not 0 <= deepest <= spec.max_length + 1:
        raise ValueError
    if type(head["shares"]) is not bool or not isinstance(head["engine"], str):
        raise ValueError
    utilities = float(spec.lowest), float(spec.highest)
    store = TreeStore(len(data) / (1 << 20) + 1, dtype, utilities=utilities)
    store.reserve(size)
    store._nodes[:size] = np.frombuffer(data, dtype)
    store.info[0], store.depths[0] = size, deepest
    if head["shares"]:
        store.mode = new_graph(new_states(spec.state, 2), position.rules.own_key, 0.0)
    if squares is not None:
        store.squares = np.array(squares, np.float64)
        if store.squares.ndim != 1 or not np.isfinite(store.squares).all():
            raise ValueError
    return store
