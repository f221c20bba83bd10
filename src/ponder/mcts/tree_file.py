"""Search trees as files: save one, load it, continue the search.

A file has a line that says what it is, with a checksum of all that follows; a line of JSON (the
game, the position, the engine, the fields of a node); and the nodes as they are in memory. A file
that was cut short or changed is refused.

Kernels trust a tree: they follow its indices and play its actions without a second look. So a tree
from a file is walked once, with the rules of the game, before any of them sees it (`tree_fault`).
What passes can lead no kernel outside its arrays, whoever wrote the file.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.formats import wrong_format
from ponder.core.game import CHANCE, new_states
from ponder.core.hashing import state_key
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.registry import saved_engine
from ponder.errors import InputError
from ponder.files import read_file, save_file
from ponder.jit import U, copy_record, kernel
from ponder.json_text import json_object
from ponder.mcts.modes import Transposing, new_graph
from ponder.mcts.parts import COMPILED_KINDS, Parts, completed, for_graphs
from ponder.mcts.tree import EXTRA_FIELDS, PLAIN_FIELDS, ROOT, UNEXPANDED, TreeStore, node_type

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
        raise wrong_format(path, "a saved search tree", first)
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
        raise InputError(f"{path} is not a tree of its position: {fault}")
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
        if not isinstance(squares, list) or any(type(one) is not float for one in squares):
            raise ValueError
        store.squares = np.array(squares, np.float64)
        if store.squares.ndim != 1 or not np.isfinite(store.squares).all():
            raise ValueError
    return store


SOUND = -1
MOST_SAVED_VISITS = 1 << 30
"""Of a node in a tree from a file: so many more can be counted."""


class NodeWalk(NamedTuple):
    """Scratch space of one walk through a tree."""

    states: Any  # [max_length + 2] the game's records, by depth
    words: Any  # the same, word by word
    path: Any  # [max_length + 2] i8: the node at each depth
    following: Any  # [max_length + 2] i8: which child of it comes next; -1: not looked at yet
    actions: Any  # [max_actions + 1] i4
    chances: Any  # [max_actions + 1] f8
    allowed: Any  # [distinct actions] i8: the number of the last node in which it is legal
    totals: Any  # [nodes] i8: how many children a node has, open or not yet
    block: Any  # [nodes] i4: where the block of children begins that the node is in; 0: none yet
    keys: Any  # [nodes] u8: by that beginning, the key of the position they belong to
    shares: bool  # may several nodes have the same children?
    own_key: bool  # does the game give keys of its own?


@kernel
def first_fault(game, nodes, walk):
    """The first node whose children cannot be its own, depth first; SOUND if there is none.

    Where positions share children, the walk may come to a node with children by a way on which the
    game is over there (`Graph.ends`). Nobody can tell then whether they are right: they are given
    up, as in a tree that is recycled.
    """
    states, path, following, totals = walk.states, walk.path, walk.following, walk.totals
    path[0] = ROOT
    following[0] = -1
    number = 0
    depth = 0
    while depth >= 0:
        node = path[depth]
        first = np.int64(nodes[node].first)
        if following[depth] < 0:
            following[depth] = 0
            if game.is_terminal(states[depth]):
                if not walk.shares:
                    return node
                nodes[node].first = UNEXPANDED
                nodes[node].count = 0
                depth -= 1
                continue
            outside = first < 1 or nodes[node].count < 1 or first + totals[node] > nodes.size
            if outside or depth + 2 > states.size:
                return node
            key = U(0)
            if walk.shares:
                key = game.key(states[depth]) if walk.own_key else state_key(walk.words, depth)
                if walk.block[first] == first:  # the walk has been below this position
                    if walk.keys[first] != key:
                        return node
                    depth -= 1
                    continue
            walk.keys[first] = key
            number += 1
            if not are_children(game, nodes, walk, depth, first, totals[node], number):
                return node
        i = following[depth]
        if i >= totals[node]:
            depth -= 1
            continue
        following[depth] = i + 1
        if nodes[first + i].first != UNEXPANDED:
            copy_record(states, depth + 1, depth)
            game.apply_action(states[depth + 1], nodes[first + i].action)
            depth += 1
            path[depth] = first + i
            following[depth] = -1
    return SOUND


@kernel
def are_children(game, nodes, walk, depth, first, n, number):
    """Are the n nodes from `first` on, which must be in no other block, chosen by who is to move in
    ``states[depth]``: different legal actions, or all outcomes of the dice in their order? Their
    visits must be what a root can count."""
    s = walk.states[depth]
    player = np.int64(game.current_player(s))
    visits = 0
    for child in range(first, first + n):
        if walk.block[child] != 0 or nodes[child].player != player:
            return False
        visits += np.int64(nodes[child].visits)
        if visits > MOST_SAVED_VISITS:
            return False
        walk.block[child] = first
    if player == CHANCE:
        if game.chance_outcomes(s, walk.actions, walk.chances) != n:
            return False
        for i in range(n):
            if nodes[first + i].action != walk.actions[i]:
                return False
        return nodes[walk.path[depth]].count == n
    allowed = walk.allowed
    for i in range(game.legal_actions(s, walk.actions)):
        if walk.actions[i] >= 0 and walk.actions[i] < allowed.size:
            allowed[walk.actions[i]] = number
    for child in range(first, first + n):
        action = nodes[child].action
        if action < 0 or action >= allowed.size or allowed[action] != number:
            return False
        allowed[action] = 0  # legal once
    return True


def tree_fault(store: TreeStore, position: Position) -> str | None:
    """A few words about what is wrong with a tree of `position`; None if nothing is.

    Every reachable node is looked at once: about the work of making the tree without playouts.
    """
    nodes, spec = store.nodes, position.rules.spec
    # a sum of squares at most, of as many visits as there can be
    widest = max(1.0, abs(spec.lowest), abs(spec.highest))
    largest = 4.0 * MOST_SAVED_VISITS * widest * widest
    for name in store.dtype.names:
        numbers = nodes[name]
        if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
            return f"{name} of a node is not a number"
        if numbers.dtype.kind == "f" and (np.abs(numbers) > largest).any():
            return f"{name} of a node is more than a search can add up"
        if name.endswith("visits") and (numbers < 0).any():
            return f"{name} of a node is negative"
    root = nodes[ROOT]
    if root.visits < 1 or not CHANCE <= root.player < spec.players:
        return "its first node is not a root"
    shares = isinstance(store.mode, Transposing)
    # where positions share children, those may have been visited by other ways than from this root
    if (nodes.visits > (MOST_SAVED_VISITS if shares else root.visits)).any():
        return "a node has more visits than the root"
    _, walk = walked = _walk(store, position)
    if root.first != UNEXPANDED:
        fault = guarded(position.rules.name, first_fault, position.rules.part, *walked)
        if fault != SOUND:
            return f"the children of node {fault} are not by the rules"
    # nobody has looked at the others, which are in no line of play: threads leave some blank
    beyond = (walk.block == 0) & (nodes.first >= 0)
    beyond[ROOT] = False
    if beyond.any():
        return f"node {beyond.argmax()} is in no line of play and has children"
    return None


def _walk(store: TreeStore, position: Position) -> tuple[Any, NodeWalk]:
    spec, size = position.rules.spec, store.size
    shares = isinstance(store.mode, Transposing)
    states = new_states(spec.state, spec.max_length + 2)
    states[0] = position.raw_state[0]
    walk = NodeWalk(
        states=states,
        words=states.view(np.uint64).reshape(len(states), -1),
        path=np.zeros(len(states), np.int64),
        following=np.zeros(len(states), np.int64),
        actions=np.zeros(spec.max_actions + 1, np.int32),
        chances=np.zeros(spec.max_actions + 1),
        allowed=np.zeros(spec.distinct_actions or spec.max_actions, np.int64),
        totals=store.totals(),
        block=np.zeros(size, np.int32),
        keys=np.zeros(size, np.uint64),
        shares=shares,
        own_key=position.rules.own_key,
    )
    return store.nodes, walk


FUNCTION = "evaluate=function("


def parts_of_text(engine: str, position: Position) -> Parts:
    """The parts of a tree that was read from a file, but for the evaluation.

    Nothing is evaluated here, and a function's name cannot be read back.
    """
    made: Any = canonical(saved_engine(_without_function(engine)))
    parts = Parts(
        *(
            completed(kind, completed(kind, getattr(made, kind)).fitted(position))
            for kind in COMPILED_KINDS
        )
    )
    return for_graphs(parts, position.rules.spec) if made.transpositions else parts


def _without_function(engine: str) -> str:
    """The engine's text without ``evaluate=function(...)``."""
    begin = engine.find(FUNCTION)
    if begin < 0:
        return engine
    end, depth = begin + len(FUNCTION), 1
    while depth and end < len(engine):
        depth += {"(": 1, ")": -1}.get(engine[end], 0)
        end += 1
    return engine[:begin] + engine[end:].removeprefix(", ")
