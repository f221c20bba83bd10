"""Our games and the same ones in OpenSpiel: names, parameters, the numbers of the actions.

`state_of` follows the moves of a position in OpenSpiel's state, so that its players can be asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from ponder.adapters import openspiel_backgammon as backgammon
from ponder.adapters.openspiel import OpenSpielGame, load_spiel_game
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.games.backgammon.game import Backgammon
from ponder.games.breakthrough import Breakthrough
from ponder.games.checkers.rules import Checkers
from ponder.games.chess.game import Chess
from ponder.games.chinese_checkers.game import ChineseCheckers
from ponder.games.connect4 import ConnectFour
from ponder.games.go.game import Go
from ponder.games.hex import Hex
from ponder.games.nim import Nim
from ponder.games.othello import Othello
from ponder.games.pig import Pig
from ponder.games.tictactoe import TicTacToe

Mapping = Callable[[Position, Any, Any], int]
"""(our position, our action, their state) -> their action."""


class Twin(NamedTuple):
    """A game of OpenSpiel with the rules of one of ours."""

    name: str
    """With parameters, in OpenSpiel's syntax."""
    to_spiel: Mapping
    actions: Callable[[Position, Any], dict[int, Any]]
    """(our position, their state) -> our action for each of theirs that is legal here."""


def twin_of(game: Any) -> Twin:
    """OpenSpiel's version of the game; refuses one that it does not have."""
    if isinstance(game, OpenSpielGame):
        return Twin(game.name, same_number, _inverse(same_number))
    find = _NAMES.get(type(game))
    if find is None:
        known = ", ".join(sorted(cls.__name__ for cls in _NAMES))
        raise InputError(
            f"OpenSpiel's players do not know {type(game).__name__} (they know openspiel(...) "
            f"games and {known})"
        )
    name = find(game)
    if name is None:
        raise InputError(f"OpenSpiel has no {type(game).__name__} with these parameters: {game}")
    mapping = _MAPPINGS.get(type(game), same_number)
    listed = backgammon.actions if isinstance(game, Backgammon) else _inverse(mapping)
    return Twin(name, mapping, listed)


@lru_cache(maxsize=16)
def spiel_game(name: str) -> Any:
    return load_spiel_game(name)


_followed: deque[tuple[str, Position, Any]] = deque(maxlen=4)
"""Positions that were asked for last, so that a game is followed move by move: one for each of
its players, and some more."""


def state_of(position: Position, twin: Twin) -> Any:
    """OpenSpiel's state of the position: its moves are played from the start, or from an earlier
    position of the same game."""
    if position.to_json()["position"]:
        raise InputError(
            "OpenSpiel's players follow a game from its start; this position was set up from a "
            "text (give its moves instead)"
        )
    known = {id(seen): state for name, seen, state in _followed if name == twin.name}
    steps, here = [], position
    for _ in position.history:
        if id(here) in known:
            break
        before = here.undo()
        steps.append((before, here.last_action))
        here = before
    found = known.get(id(here))
    state = spiel_game(twin.name).new_initial_state() if found is None else found.clone()
    for before, action in reversed(steps):
        state.apply_action(twin.to_spiel(before, action, state))
    _followed.append((twin.name, position, state.clone()))
    return state


# ------------------------------------------------------------------ actions


def same_number(position: Position, action: Any, state: Any) -> int:
    return int(action)


def breakthrough(position: Position, action: Any, state: Any) -> int:
    """OpenSpiel numbers (cell, direction of either player, capture)."""
    player = position.current_player
    cell, direction = divmod(int(action), 3)
    target = cell + (1, -1)[player] * position.rules.game.columns + direction - 1
    takes = int(position.raw_state[0].pawns[1 - player]) >> target & 1
    return int((cell * 6 + 3 * player + direction) * 2 + takes)


def checkers(position: Position, action: Any, state: Any) -> int:
    """OpenSpiel's first player sits at the bottom: half a turn, square n becomes 33 - n.

    Its directions are up left, up right, down right, down left. A capture is another action.
    """
    square = 32 - (int(action) // 4 + 1)
    row = square // 4
    column = 2 * (square % 4) + 1 - row % 2
    direction = (1, 0, 3, 2)[int(action) % 4]
    takes = "x" in position.action_name(action)
    return ((row * 8 + column) * 4 + direction) * 2 + takes


def chess(position: Position, action: Any, state: Any) -> int:
    return int(state.parse_move_to_action(position.action_name(action)))


def _inverse(mapping: Mapping) -> Callable[[Position, Any], dict[int, Any]]:
    def actions(position: Position, state: Any) -> dict[int, Any]:
        return {mapping(position, a, state): a for a in position.legal_actions}

    return actions


_MAPPINGS: dict[type, Mapping] = {
    Breakthrough: breakthrough,
    Checkers: checkers,
    Chess: chess,
    Backgammon: backgammon.to_spiel,
}

# ------------------------------------------------------------------ names; None: not there


def _breakthrough(g: Any) -> str | None:
    return None if g.pawn_rows else f"breakthrough(columns={g.columns},rows={g.rows})"


def _connect4(g: Any) -> str | None:
    if g.players != 2:
        return None
    return f"connect_four(columns={g.columns},rows={g.rows},x_in_row={g.run})"


def _go(g: Any) -> str | None:
    """OpenSpiel calls a repeated board a draw; here it is illegal, and so never played."""
    if g.columns not in (0, g.size) or g.simple_ko or g.suicide:
        return None
    length = g.max_length or 2 * g.size * g.size
    return f"go(board_size={g.size},komi={g.komi},max_game_length={length})"


def _nim(g: Any) -> str:
    """The blank makes a text of a single heap, which OpenSpiel would take for a number."""
    sizes = ";".join(map(str, g.heaps))
    return f"nim(pile_sizes= {sizes},is_misere={str(g.misere).lower()})"


_NAMES: dict[type, Callable[[Any], str | None]] = {
    Backgammon: lambda g: f"backgammon(scoring_type={backgammon.SCORING[g.scoring]})",
    Breakthrough: _breakthrough,
    Checkers: lambda g: "checkers",
    Chess: lambda g: None if g.chess960 else "chess",
    ChineseCheckers: lambda g: f"chinese_checkers(players={g.players},max_moves={g.horizon})",
    ConnectFour: _connect4,
    Go: _go,
    Hex: lambda g: f"hex(board_size={g.size}{',swap=true' if g.swap else ''})",
    Nim: _nim,
    Othello: lambda g: "othello" if (g.columns, g.rows) == (8, 8) else None,
    Pig: lambda g: (
        f"pig(winscore={g.target},diceoutcomes={g.sides},players={g.players},horizon={g.horizon})"
    ),
    TicTacToe: lambda g: "tic_tac_toe",
}
