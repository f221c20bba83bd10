"""Search trees as files: save one, load it, go on with the search.

A file is a line of JSON (the game, the position, the engine, the shape of a node, a checksum) and
the nodes as they are in memory. A file that was cut short or changed is refused.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.errors import InputError
from ponder.files import save_file
from ponder.mcts.tree import ROOT, TreeStore

MAGIC = "ponder search tree 1"


def save_tree(store: TreeStore, position: Position, engine: str, path: str | Path) -> None:
    """Write the tree; the whole file or nothing."""
    if not position.rules.compiled:
        raise InputError("only trees of compiled games can be saved: this is a plain Python game")
    data = store.nodes.tobytes()
    head = {
        "format": MAGIC,
        **position.to_json(),
        "engine": engine,
        "fields": [[name, *_shape(store.dtype[name])] for name in store.dtype.names],
        "nodes": store.size,
        "deepest": store.deepest,
        "utilities": list(store.utilities),
        "squares": None if store.squares is None else store.squares.tolist(),
        "checksum": zlib.crc32(data),
    }
    save_file(path, (json.dumps(head) + "\n").encode() + data)


def _shape(kind: Any) -> tuple[str, list[int]]:
    base, shape = kind.subdtype or (kind, ())
    return base.str, list(shape)


def load_tree(path: str | Path) -> tuple[TreeStore, Position, str]:
    """The tree, its position and the engine that made it."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    line, _, data = raw.partition(b"\n")
    try:
        head = json.loads(line)
        if head["format"] != MAGIC:
            raise ValueError
        layout = [(name, kind, tuple(shape)) for name, kind, shape in head["fields"]]
        plain = [(name, kind, shape) if shape else (name, kind) for name, kind, shape in layout]
        dtype = np.dtype((np.record, np.dtype(plain, align=True)))
        size, deepest = int(head["nodes"]), int(head["deepest"])
        low, high = head["utilities"]
        squares = head.get("squares")  # older files have none
        squares = None if squares is None else np.array(squares, np.float64)
        checksum, engine = head["checksum"], head["engine"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is not a saved search tree") from None
    if len(data) != size * dtype.itemsize or zlib.crc32(data) != checksum:
        raise InputError(f"{path} is damaged: its contents do not match its checksum")
    store = TreeStore(len(data) / (1 << 20) + 1, dtype, utilities=(low, high))
    store.reserve(size)
    store._nodes[:size] = np.frombuffer(data, dtype)
    store.info[0], store.depths[0], store.squares = size, deepest, squares
    if squares is not None and squares.shape != (len(store.children(ROOT)),):
        raise InputError(f"{path} is damaged: it has not one square for each move")
    return store, Position.from_json(head), engine
