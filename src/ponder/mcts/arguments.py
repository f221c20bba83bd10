"""What `MCTS.search` is given besides limits: checked before anything is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from ponder.errors import InputError, quoted
from ponder.mcts.recording import Recording
from ponder.mcts.view import SearchTree


def check_arguments(seed: Any, moves: Any, tree: Any, trace: Any) -> None:
    """Refuse, in one sentence, what is not of the kind that the argument takes."""
    if seed is not None and not isinstance(seed, Integral):
        raise InputError(f"seed must be a whole number, not {quoted(seed)}")
    if moves is not None:
        if isinstance(moves, str) or not isinstance(moves, Sequence):
            raise InputError(f"moves takes a list of moves, such as ['a1'], not {quoted(moves)}")
        if not moves:
            raise InputError("moves is empty: name at least one, or leave it out to consider all")
    if tree is not None and not isinstance(tree, SearchTree):
        raise InputError(f"tree takes a search tree, such as result.tree, not {kind_of(tree)}")
    if trace is not None and not isinstance(trace, Recording):
        raise InputError(f"trace takes a Recording(), not {kind_of(trace)}")


def kind_of(given: Any) -> str:
    """A plain value as it is, an object by its class: a whole result is no part of a sentence."""
    plain = isinstance(given, int | float | str | bytes)
    return quoted(given) if plain else f"an object of class {type(given).__name__}"
