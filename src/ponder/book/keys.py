"""How a book names positions and moves: with numbers that stay the same in every process.

The key of a position has 64 bits: the game's own `key` where it has one, else a hash of the
record's bytes (of a plain Python game: of its key or state). Where a game gives symmetries, the
key is the smallest of all its images', so that mirrored positions share one entry; a move is
written as it looks in that image, and of moves that mirror each other the smallest stands for all.

A move is read back only by comparing with the legal moves: a book cannot give an illegal one, not
even when two positions happen to have the same key.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from ponder.core.compiled import guarded
from ponder.core.game import hooks_of, new_states
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import kernel


@kernel
def _symmetries(game):  # type: ignore[no-untyped-def]
    return int(game.symmetries())


@kernel
def _transform(game, states, k, images):  # type: ignore[no-untyped-def]
    game.transform(states[0], k, images[0])


@kernel
def _transform_action(game, a, k):  # type: ignore[no-untyped-def]
    return int(game.transform_action(a, k))


class Signs:
    """The key of one position and the codes of its moves."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules: Any = position.rules
        state = position.raw_state
        images = [state]
        for k in range(1, symmetries_of(position)):
            image = new_states(self.rules.spec.state, 1)
            guarded(self.rules.name, _transform, self.rules.part, state, k, image)
            images.append(image)
        words = [self._word(image) for image in images]
        self.key = min(words)
        self.smallest = [k for k, word in enumerate(words) if word == self.key]
        """The symmetries that lead to the image whose key is taken."""

    def _word(self, state: Any) -> int:
        key = self.rules.key(state)
        if self.rules.compiled:
            return key & (1 << 64) - 1 if isinstance(key, int) else _hashed(key, 8)
        return _hashed(stable_bytes(key, self.rules.name), 8)

    def code(self, action: Any) -> int:
        """The number, within 32 bits, under which the book keeps this move."""
        if not self.rules.compiled:
            return _hashed(stable_bytes(action, self.rules.name), 4) - (1 << 31)
        if len(self.smallest) == 1 and self.smallest[0] == 0:
            return int(action)
        name, part = self.rules.name, self.rules.part
        return min(int(guarded(name, _transform_action, part, action, k)) for k in self.smallest)

    def legal(self) -> dict[int, Any]:
        """The legal moves by code; of moves that mirror each other the first."""
        moves: dict[int, Any] = {}
        for action in self.position.legal_actions:
            moves.setdefault(self.code(action), action)
        return moves


def symmetries_of(position: Position) -> int:
    """How many images a position has, itself included."""
    rules: Any = position.rules
    if not rules.compiled or "symmetries" not in hooks_of(position.game):
        return 1
    return max(1, int(guarded(rules.name, _symmetries, rules.part)))


def fingerprint(game: Any) -> int:
    """Changes when the rules name positions in another way: an old book then fits no more."""
    start = Position(game)
    return _hashed(f"{Signs(start).key} {symmetries_of(start)}".encode(), 8)


def _hashed(data: bytes, size: int) -> int:
    return int.from_bytes(blake2b(data, digest_size=size).digest(), "little")


def stable_bytes(value: Any, game: str) -> bytes:
    """A value of a plain Python game as bytes, the same in every process."""
    if isinstance(value, tuple | list):
        inner = [stable_bytes(item, game) for item in value]
        return b"(" + b"".join(b"%d:" % len(item) + item for item in inner) + b")"
    if isinstance(value, frozenset | set):
        inner = sorted(stable_bytes(item, game) for item in value)
        return b"{" + b"".join(b"%d:" % len(item) + item for item in inner) + b"}"
    if value is None or isinstance(value, int | float | str | bytes):
        return f"{type(value).__name__} {value!r}".encode()
    raise InputError(
        f"a book of {game} needs a key(state), and actions, made of numbers, texts and tuples, "
        f"not {type(value).__name__}"
    )
