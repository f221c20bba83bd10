"""What a network sees of a plain Python game: a code per cell, and which output an action is.

The game's own `cells(state, player)` gives the codes, with ``board = Geometry(...)`` in its class.
Where it has none, a state is taken to pieces: tuples, lists, strings, dictionaries, sets, arrays
and objects, down to numbers and letters, each with the way that leads to it. Whatever differs
between states of random games becomes a cell; where it takes many values, each bit that differs.

An action is known by its text (`repr`). Those that random games have met have an output each, all
others share the last one.
"""

from __future__ import annotations

import enum
import random
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import TERMINAL
from ponder.core.game import CHANCE
from ponder.core.geometry import MOST_CELLS, Geometry, geometry_problem
from ponder.core.hooks import fact_of, hook_of
from ponder.core.plain import PlainRules, picked
from ponder.core.plain_graph import MAX_LENGTH
from ponder.core.position import Position
from ponder.errors import GameError, InputError

FEW = 8
"""A piece with so many values at most is one cell."""
GAMES, MOST_STATES = 64, 1 << 14
"""Random games from which pieces and actions are known, and when they have been enough."""
DEEPEST = 16
"""Things inside things inside things ..."""
HINT = (
    "for a far better network write cells(self, state, player), a list of codes, and "
    "board = Geometry(rows, columns, codes) in its class: see docs/learning.md"
)
SLOW = (
    "is a plain Python game, which is learned slowly, on one thread: a compiled one is many times "
    "as fast (docs/your-own-game.md)"
)


class Piece(NamedTuple):
    """A piece of a state, and the cells that it becomes."""

    way: str
    """How it is reached: ``1.0``, ``board.3``."""
    values: list[Any] | None
    """All its values; None: a whole number, which is its own."""
    bits: list[int]
    """The bits of the value's number that are cells; none: the number is the code of one cell."""

    def write(self, pieces: dict[str, Any], out: list[int]) -> None:
        """Append the codes of its cells."""
        value = pieces.get(self.way)
        if self.values is not None:
            number = self.values.index(value) if value in self.values else 0
        else:
            number = value if isinstance(value, int) else 0
        if self.bits:
            out += [number >> bit & 1 for bit in self.bits]
        else:
            out.append(number)


class PlainCodes(NamedTuple):
    """How the states and actions of a plain game become numbers. All of it is JSON."""

    board: Geometry
    pieces: list[Piece]
    """Empty where the game has `cells`."""
    actions: list[str]
    """Texts of the actions, in the order of the outputs; one more output is for any other."""

    def codes(self, rules: PlainRules, state: Any, player: int) -> list[int]:
        """The code of every cell, checked: kernels rely on it."""
        made: list[int] = []
        if self.pieces:
            found = pieces_of(rules, state)
            for piece in self.pieces:
                piece.write(found, made)
            made.append(player)
        else:
            made = [int(code) for code in rules.cells(state, player)]
        if len(made) != self.board.cells or min(made) < 0 or max(made) >= self.board.codes:
            raise GameError(
                f"{rules.name} has a state with {len(made)} cells and codes from {min(made)} to "
                f"{max(made)}; its board has {self.board.cells} cells with codes from 0 to "
                f"{self.board.codes - 1}"
            )
        return made

    def outputs(self) -> dict[str, int]:
        """The output of each action that is known, by its text."""
        return {text: number for number, text in enumerate(self.actions)}


class Visited(NamedTuple):
    """What random games have met."""

    states: list[Any]
    """In which a player is to move."""
    players: list[int]
    """Who, in each of them."""
    actions: list[Any]
    """Of players."""
    most_actions: int
    """In one state, or outcomes of chance."""
    games: int


def visited(rules: PlainRules) -> Visited:
    """States and actions of random games, always the same ones."""
    rng, longest = random.Random(1), fact_of(rules.game, "max_length", MAX_LENGTH)
    states, players, actions = list[Any](), list[int](), dict[Any, None]()
    most, games = 1, 0
    while games < GAMES and len(states) < MOST_STATES:
        state, plies = rules.start(), 0
        while plies <= longest:
            facts = rules.facts(state)
            if facts.player == TERMINAL:
                break
            if facts.player != CHANCE:
                states.append(state)
                players.append(facts.player)
                actions.update(dict.fromkeys(facts.actions))
            most = max(most, len(facts.actions))
            chances = facts.chances or None
            action = facts.actions[picked(rng.random(), len(facts.actions), chances)]
            state = rules.advance(state, action)
            plies += 1
        games += 1
    return Visited(states, players, list(actions), most, games)


def found_codes(rules: PlainRules) -> PlainCodes:
    """The codes of a game, from random games of it. InputError where there are none to be had."""
    met = visited(rules)
    actions = sorted({action_text(action) for action in met.actions})
    if callable(hook_of(rules.game, "cells")):
        board: Any = fact_of(rules.game, "board", None)
        problem = geometry_problem(board) if board is not None else "its class has no board"
        if problem:
            raise InputError(f"{rules.name} has the method cells, but {problem}; {HINT}")
        return PlainCodes(board, [], actions)
    pieces = found_pieces(rules, met)
    cells = sum(max(1, len(piece.bits)) for piece in pieces) + 1
    if not pieces or cells > MOST_CELLS:
        raise uncoded(rules, f"its states have {cells - 1} cells, accepted: 1 to {MOST_CELLS - 1}")
    widest = max(2 if piece.bits else len(piece.values or ()) for piece in pieces)
    board = Geometry(1, cells, max(widest, rules.players, 2), "loose")
    return PlainCodes(board, pieces, actions)


def found_pieces(rules: PlainRules, met: Visited) -> list[Piece]:
    """The pieces that differ between states."""
    seen: dict[str, dict[Any, None]] = {}
    for i, state in enumerate(met.states):
        pieces = pieces_of(rules, state)
        for way, value in pieces.items():
            # a piece that is not always there had no value before
            values = seen.setdefault(way, {None: None} if i else {})
            values[value] = None
        for way in seen.keys() - pieces.keys():
            seen[way][None] = None
    # in the order in which they were met: neighbours in a state stay neighbours
    return [piece(rules, way, list(values)) for way, values in seen.items() if len(values) > 1]


def piece(rules: PlainRules, way: str, values: list[Any]) -> Piece:
    """The cells of a piece that takes these values."""
    if len(values) <= FEW:
        return Piece(way, in_order(values), [])
    if all(isinstance(value, int) for value in values):
        return Piece(way, None, differing_bits(values))
    if any(isinstance(value, float) for value in values):
        raise uncoded(rules, f"{way} in its states takes {len(values)} values with fractions")
    listed = in_order(values)
    return Piece(way, listed, differing_bits(list(range(len(listed)))))


def in_order(values: list[Any]) -> list[Any]:
    return sorted(values, key=repr)


def differing_bits(numbers: list[int]) -> list[int]:
    """The bits that are not the same in all numbers."""
    differ, length = 0, 0
    for number in numbers:
        differ |= number ^ numbers[0]
        length = max(length, number.bit_length() + 1)  # the last one is the sign
    return [bit for bit in range(length) if differ >> bit & 1]


def pieces_of(rules: PlainRules, state: Any) -> dict[str, Any]:
    """The numbers and letters of a state, each by the way that leads to it."""
    found: dict[str, Any] = {}
    gather(rules, state, "", found, DEEPEST)
    return found


def gather(rules: PlainRules, value: Any, way: str, found: dict[str, Any], depth: int) -> None:
    """See `pieces_of`."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, enum.Enum):
        value = value.name
    elif isinstance(value, bool):
        value = int(value)
    letter = isinstance(value, str) and len(value) <= 1  # a longer text is a row of them
    if value is None or isinstance(value, int | float) or letter:
        found[way] = value
        return
    inside = parts_of(value)
    if inside is None or depth == 0:
        raise uncoded(rules, f"{way or 'its state'} is of the type {type(value).__name__}")
    for name, one in inside:
        gather(rules, one, f"{way}.{name}" if way else name, found, depth - 1)


def parts_of(value: Any) -> list[tuple[str, Any]] | None:
    """What is inside, by name; None if nobody knows."""
    if isinstance(value, set | frozenset):
        return [(name, 1) for name in sorted(map(repr, value))]
    if isinstance(value, dict):
        return [(repr(key), one) for key, one in value.items()]
    if hasattr(value, "_asdict"):
        return list(value._asdict().items())
    if isinstance(value, str | bytes | tuple | list):
        return [(str(i), one) for i, one in enumerate(value)]
    if hasattr(value, "__dict__"):
        return list(vars(value).items())
    slots = getattr(type(value), "__slots__", None)
    if slots:
        return [(name, getattr(value, name)) for name in slots if hasattr(value, name)]
    return None


def action_text(action: Any) -> str:
    """What tells an action from all others, in another process too."""
    text = repr(action)
    if " at 0x" in text:  # where it happens to lie in memory
        raise InputError(
            f"the action {text} has no text of its own, by which a network could know it again: "
            "use a number or a tuple, or write __repr__"
        )
    return text


def refuse_plain(position: Position, what: str) -> None:
    """InputError for a plain game."""
    if position.rules.plain:
        raise InputError(f"{what} is for compiled games; {position.rules.name} is a plain one")


def uncoded(rules: PlainRules, why: str) -> InputError:
    return InputError(f"the states of {rules.name} cannot be coded: {why}; {HINT}")


def codes_from(said: Any, rules: PlainRules | None = None) -> PlainCodes:
    """The codes as a network's file says them (`PlainCodes` as JSON), of this game if given."""
    try:
        board, pieces, actions = said
        made = PlainCodes(Geometry(*board), [Piece(*one) for one in pieces], list(actions))
        usable = are_usable(made, rules)
    except (TypeError, ValueError):
        usable = False
    if not usable:
        raise InputError("the network's file says nothing usable of how its plain game is coded")
    return made


MOST_BITS = 4096
"""Of a whole number in a state."""


def are_usable(codes: PlainCodes, rules: PlainRules | None) -> bool:
    """Are these codes as `found_codes` makes them? What they are of may be another game's."""
    board, pieces = codes.board, codes.pieces
    if geometry_problem(board) is not None or len(codes.outputs()) != len(codes.actions):
        return False
    if not all(isinstance(text, str) for text in codes.actions):
        return False
    if not pieces:  # the game says it itself
        return rules is None or fact_of(rules.game, "board", None) == board
    cells = sum(max(1, len(piece.bits)) for piece in pieces) + 1
    return board == Geometry(1, cells, board.codes, "loose") and all(map(is_usable, pieces))


def is_usable(piece: Piece) -> bool:
    values = [] if piece.values is None else piece.values
    return (
        isinstance(piece.way, str)
        and isinstance(values, list)
        and all(value is None or isinstance(value, int | float | str) for value in values)
        and isinstance(piece.bits, list)
        and all(type(bit) is int and 0 <= bit < MOST_BITS for bit in piece.bits)
    )
