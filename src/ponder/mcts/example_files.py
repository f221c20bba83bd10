"""A small search tree, and a search whose rules were switched: see `ponder.core.formats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.core.session import Session
from ponder.mcts.engine import MCTS
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.tree_file import load_tree


def write_tree(path: Path) -> None:
    tree = MCTS().search(Position(parse_game("tictactoe")), simulations=60, seed=1).tree
    assert tree is not None
    tree.save(path)


def read_tree(path: Path) -> Any:
    store, here, engine = load_tree(path)
    return store.nodes.tobytes(), here.to_json(), engine, store.deepest


def write_steered(path: Path) -> None:
    session = MCTS(memory=1).start(
        Position(parse_game("tictactoe")).play("b2"), seed=1, moves=("a1", "a2")
    )
    session.run(simulations=8)
    session.change(select=UCB1(c=0.5))
    session.run(simulations=12)
    session.save(path)


def read_steered(path: Path) -> Any:
    return Session.load(path).history.to_json()
