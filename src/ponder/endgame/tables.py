"""Opening tables and asking them about positions.

    >>> from ponder.endgame.tables import open_tables
    >>> tables = open_tables("chess", folder)                                # doctest: +SKIP
    >>> tables.probe(position("chess", "8/8/8/8/8/2k5/8/K1q5 w - - 0 1"))    # doctest: +SKIP
    TableEntry(value=-1.0, distance=0)

Chess tables count plies to mate with best play and know neither the clock of fifty moves nor
positions that have occurred before. A win that the clock might prevent is not claimed: `probe`
gives None. Earlier occurrences are disregarded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.protocols import Game
from ponder.core.registry import game_text
from ponder.core.start import game as game_named
from ponder.endgame import storage
from ponder.endgame.bearoff import Bearoff, build_bearoff, check_chances, homes, table_shape
from ponder.endgame.chess import build_classes, checked_class
from ponder.endgame.material import UNKNOWN, Class, in_order, make_library, parse_class
from ponder.endgame.placements import checkers_placements
from ponder.endgame.positions import (
    DEFAULT_MEMORY,
    UNUSED,
    build_positions,
    check_slots,
    look_up,
)
from ponder.endgame.probe import ChessProbe, PositionsProbe, Scale, chess_code
from ponder.endgame.values import Values, ValuesProbe, checked_values, value_in
from ponder.errors import InputError
from ponder.files import named_file
from ponder.games.backgammon.game import Backgammon
from ponder.games.checkers.rules import Checkers
from ponder.games.chess.game import Chess
from ponder.jit import kernel


class TableEntry(NamedTuple):
    """What a table says of a position."""

    value: float
    """The utility for the player to move; for player 0 at a roll of dice or after the end."""
    distance: float | None
    """Plies to the end if won or lost, else 0; None in tables of values (`ponder solve --save`). In
    bearing off: the expected rolls of who rolls."""


class TableMove(NamedTuple):
    """A move and what it leads to, the value being for who makes it; None: not in the tables."""

    action: Any
    name: str
    value: float | None
    distance: float | None


def built_for(game: Any) -> Any:
    """The game as its tables know it: those of chess and backgammon hold for every variant."""
    for cls in (Chess, Backgammon):
        if isinstance(game, cls):
            return cls()
    return game


# ------------------------------------------------------------------ building


def build(
    position: Position,
    *,
    classes: str = "",
    pieces: int = 0,
    folder: str | Path | None = None,
    memory: float = DEFAULT_MEMORY,
    stop: threading.Event | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[dict[str, Any]]:
    """Build tables and write them into the folder; returns their headers, with the path added.

    chess        `classes`: names such as "KQK KBNK"; the smaller classes they need come with them
    backgammon   `classes`: rolls, wins1 .. wins8
    checkers     `pieces`: all placements of 2 to so many pieces; or as the others
    any other    all that can be reached from `position`
    """
    game = built_for(position.game)
    where = Path(folder) if folder else storage.default_folder()
    names = classes.replace(",", " ").split()
    if isinstance(game, Chess | Backgammon):
        if not names:
            example = "KQK,KRK,KBNK" if isinstance(game, Chess) else "rolls,wins6"
            raise InputError(f"{game_text(game)} is built by classes: --class {example}")
        if isinstance(game, Chess):
            headers = build_classes([parse_class(n) for n in names], where, stop, progress)
        else:
            headers = [h for name in names for h in build_bearoff(name, where, stop)]
    else:
        if names:
            raise InputError("only chess and backgammon have classes; give a position instead")
        starts, part = None, "from " + (position.text() or "the start")
        if pieces:
            if not isinstance(game, Checkers):
                raise InputError("pieces is for checkers alone; give a position instead")
            starts, part = checkers_placements(pieces), f"pieces{pieces}"
        path = where / storage.file_name(game, part)
        headers = [
            build_positions(
                position,
                path,
                part=part,
                starts=starts,
                memory=memory,
                stop=stop,
                progress=progress,
            )
        ]
    for header in headers:
        header["path"] = str(where / storage.file_name(game, header["class"]))
    return headers


# ------------------------------------------------------------------ asking


class EndgameTable:
    """One or several tables of a game."""

    def __init__(self, game: Any) -> None:
        self.game = built_for(game)
        self.headers: list[dict[str, Any]] = []
        self.chess: dict[Class, Any] = {}
        self.positions: list[dict[str, Any]] = []
        self.values: list[Values] = []
        self.bearoff = Bearoff()
        self._library: Any = None

    def add(self, path: Path) -> None:
        header, arrays = storage.read(path)
        storage.check_game(path, header, self.game)
        kind, name = header.get("kind"), str(header.get("class"))
        if kind == "chess":
            cls = parse_class(name)
            self.chess[cls] = checked_class(path, header, arrays, cls)
        elif kind == "bearoff":
            values = storage.check_array(path, arrays, "values", np.float64, table_shape(name))
            check_chances(path, name, values)
            self.bearoff.add(name, values)
        elif kind == "positions":
            check_slots(path, header, arrays)
            self.positions.append(arrays)
        elif kind == "values":
            self.values.append(checked_values(path, header, arrays, self.game))
        else:
            raise InputError(f"{path} is a table of an unknown kind: build it again")
        self.headers.append(header)

    @property
    def library(self) -> Any:
        if self._library is None:
            self._library = make_library(self.chess)
        return self._library

    def probe(self, position: Position) -> TableEntry | None:
        """The value for the player to move and the distance, or None if no table has it."""
        self._check(position)
        if isinstance(self.game, Backgammon):
            return self._bearoff_value(position)
        return self._found(position, max(position.current_player, 0))

    def moves(self, position: Position) -> list[TableMove]:
        """Every move with its value for who makes it, the best first, then those not known."""
        self._check(position)
        if position.is_terminal or position.is_chance:
            return []
        mover = position.current_player
        rows = []
        for action in position.legal_actions:
            found = self._after(position.play(action), mover)
            value, distance = found if found is not None else (None, None)
            rows.append(TableMove(action, position.action_name(action), value, distance))
        return sorted(rows, key=self._merit)

    def _after(self, position: Position, mover: int) -> TableEntry | None:
        if isinstance(self.game, Backgammon):
            found = self._bearoff_value(position)
            if found is None or position.current_player == mover:
                return found
            # at a roll or after the end the value is for player 0
            return found if mover == 0 else found._replace(value=-found.value)
        return self._found(position, mover)

    def _merit(self, move: TableMove) -> tuple[float, float]:
        """Unknown last; a win the sooner the better, a loss the later."""
        if move.value is None:
            return (float("inf"), 0.0)
        spec, plies = self.game.spec(), move.distance or 0.0
        wins = 2 * move.value > spec.lowest + spec.highest
        return (-move.value, plies if wins else -plies)

    def _check(self, position: Position) -> None:
        if built_for(position.game) != self.game or type(position.game) is not type(self.game):
            raise InputError(
                f"these are tables of {game_text(self.game)}, not of {game_text(position.game)}"
            )

    def _code(self, position: Position) -> int | None:
        """The code of `ponder.endgame.retrograde`, for player 0."""
        spec = position.rules.spec
        if position.is_terminal:
            u = position.returns[0]
            return 1 if u == spec.highest else -1 if u == spec.lowest else 0
        state = position.raw_state
        if self.chess:
            code = int(_chess_code(self.library, state))
            return None if code == UNKNOWN else code
        words = state.view(np.uint64).reshape(1, -1)
        for arrays in self.positions:
            code = int(look_up(arrays["first"], arrays["second"], arrays["codes"], words, 0))
            if code != UNUSED:
                return code
        return None

    def _found(self, position: Position, player: int) -> TableEntry | None:
        """What the tables know of the position, for `player`."""
        if self.values:
            value = self._value(position)
            if value is not None:
                spec = self.game.spec()
                # two opposed players share the sum of the range
                worth = value if player == 0 else spec.lowest + spec.highest - value
                return TableEntry(worth, None)
        code = self._code(position)
        return None if code is None else self._of_code(code, player)

    def _value(self, position: Position) -> float | None:
        """The utility of player 0, where a table of values has it."""
        if position.is_terminal:
            return position.returns[0]
        words = position.raw_state.view(np.uint64).reshape(1, -1)
        for table in self.values:
            value = float(value_in(table, words, 0))
            if value == value:  # NaN: not in this one
                return value
        return None

    def _of_code(self, code: int, player: int) -> TableEntry:
        spec = self.game.spec()
        if code == 0:
            return TableEntry((spec.lowest + spec.highest) / 2, 0)
        won = (code > 0) == (player == 0)
        return TableEntry(float(spec.highest if won else spec.lowest), abs(code) - 1)

    def _bearoff_value(self, position: Position) -> TableEntry | None:
        state = position.raw_state[0]
        if position.is_terminal:
            return TableEntry(position.returns[0], 0)
        both = homes(state)
        if both is None or state.player < 0:
            return None
        if not position.is_chance:
            best = self.moves(position)[0]
            return None if best.value is None else TableEntry(best.value, best.distance or 0.0)
        roller = int(state.player)
        win = self.bearoff.win(both[roller], both[1 - roller])
        rolls = self.bearoff.rolls(both[roller])
        if win is None:
            return None
        value = 2 * win - 1  # somebody who has checkers off loses no more than 1
        return TableEntry(value if roller == 0 else -value, rolls or 0.0)

    def part(self, scale: Scale) -> Any:
        """The tables for a kernel, see `ponder.endgame.probe`: of several sets the largest one."""
        if self.chess:
            return ChessProbe(self.library, scale)
        if self.values:
            spec, largest = self.game.spec(), max(self.values, key=lambda t: int(t.values.size))
            return ValuesProbe(largest, float(spec.lowest + spec.highest) / 2)
        if not self.positions:
            raise InputError("bear-off tables do not fit this search")
        found = max(self.positions, key=lambda arrays: int(arrays["codes"].size))
        return PositionsProbe(found["first"], found["second"], found["codes"], scale)


@kernel
def _chess_code(library, states):  # type: ignore[no-untyped-def]
    return chess_code(library, states[0])


def open_tables(game: str | Game | type[Game], path: str | Path | None = None) -> EndgameTable:
    """The tables of a game (or GAME text) in a folder, or one file and the classes it leads to."""
    game = game_named(game) if isinstance(game, str) else game
    tables = EndgameTable(game() if isinstance(game, type) else game)
    where = Path(path) if path else storage.default_folder()
    if where.is_file():
        tables.add(where)
        if tables.chess:
            wanted = next(iter(tables.chess))
            for cls in in_order([wanted])[:-1]:
                smaller = where.parent / storage.file_name(tables.game, cls.name)
                if smaller.is_file():
                    tables.add(smaller)
        return tables
    name = game_text(tables.game)
    for file in sorted(where.glob(f"*{storage.SUFFIX}")):
        if storage.game_of(file) == name:
            tables.add(file)
    if not tables.headers:
        raise InputError(
            f"no endgame table of {name} in {where}; build one with ponder endgame build"
        )
    return tables


def search_part(game: Any, path: str, half: float, step: float) -> Any:
    """The tables at a path for a kernel: `part` of `ponder.core.tablebase`."""
    return open_tables(game, named_file(path)).part(Scale(float(half), float(step)))
