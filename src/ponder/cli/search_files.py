"""The files of `ponder search`: checked before it, read, and written after it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ponder.cli.console import say
from ponder.errors import InputError, quoted
from ponder.files import require_writable, save_file

MOST_NODES = 5000
"""A tree file keeps nodes with at least 1 / MOST_NODES of the visits: readable, soon written."""


def check_file(option: str, name: str | None, endings: tuple[str, ...]) -> None:
    """Refuse an unusable file before the search, not after it."""
    if name is None:
        return
    if Path(name).suffix not in endings:
        raise InputError(
            f"{option} needs a file that ends in {' or '.join(endings)}, not {quoted(name)}"
        )
    require_writable(name)


def saved_tree(game: str, position: str, moves: str, file: str) -> Any:
    """The tree of a file, which must be of this game; it knows its position."""
    from ponder.core.registry import game_text
    from ponder.core.start import game as game_named
    from ponder.mcts.view import SearchTree

    if position or moves:
        raise InputError("--continue takes the position from its file: leave out the others")
    wanted = game_text(game_named(game))  # first: reading the file runs no code
    tree = SearchTree.load(file)
    found = game_text(tree.position.game)
    if wanted != found:
        raise InputError(f"{file} is a tree of {found}, not of {wanted}")
    return tree


def engine_of_file(tree: Any, file: str) -> str:
    """The engine that made the tree of the file."""
    from ponder.core.registry import saved_engine

    try:
        saved_engine(tree.engine)
    except InputError:
        raise InputError(
            f"{file} was made by {tree.engine}, which cannot be read back: say --engine"
        ) from None
    return str(tree.engine)


def write_files(result: Any, tree: str, save: str, trace: str, log: Any) -> list[InputError]:
    """Write what was asked for; what prevented it."""
    problems = []
    if tree:
        problems += tried(lambda: _write_tree(result, Path(tree)))
    if save:
        problems += tried(lambda: _save_tree(result, save))
    if log is not None:
        problems += tried(lambda: _write_trace(log, Path(trace)))
    return problems


def tried(action: Callable[[], None]) -> list[InputError]:
    """Do it; the reason why it could not be done, if there is one."""
    try:
        action()
    except InputError as error:
        return [error]
    return []


def _save_tree(result: Any, file: str) -> None:
    tree = tree_of(result, "--save")
    tree.save(file)
    say(f"wrote {file}: {tree.size:,} nodes; --continue {file} continues it")


def tree_of(result: Any, option: str) -> Any:
    """The tree of the result; a move from a book has none."""
    if result.tree is None:
        raise InputError(f"{result.engine} has searched nothing here: {option} needs a tree")
    return result.tree


def _write_tree(result: Any, path: Path) -> None:
    tree = tree_of(result, "--tree")
    least = max(1, (result.simulations or 0) // MOST_NODES)
    if path.suffix == ".json":
        text = json.dumps(tree.to_json(least_visits=least)) + "\n"
    else:
        text = tree.to_dot(least_visits=least)
    save_file(path, text.encode())
    kept = "all visited nodes" if least == 1 else f"nodes with at least {least} visits"
    say(f"wrote {path}: {kept}")


def _write_trace(log: Any, path: Path) -> None:
    text = "".join(json.dumps(event.to_json()) + "\n" for event in log)
    save_file(path, text.encode())
    say(f"wrote {path}: {len(log):,} events")
