"""Games of OpenSpiel as plain Python games: ``openspiel("connect_four")``.

    >>> from ponder import perft, position
    >>> perft(position('openspiel("tic_tac_toe")'), 3)  # doctest: +SKIP
    504

States are OpenSpiel's own, actions its numbers, names its `action_to_string`.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ponder.errors import InputError, quoted
from ponder.files import named_file

MISSING = "OpenSpiel is not installed: pip install open_spiel"


def load_pyspiel() -> Any:
    """The module, or one line that says how to get it."""
    try:
        import pyspiel
    except ImportError:
        raise InputError(MISSING) from None
    return pyspiel


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """OpenSpiel writes every complaint to stderr before it raises it: once is enough."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def load_spiel_game(name: str) -> Any:
    """OpenSpiel's game of that name, with parameters in its own syntax; checked for use here."""
    pyspiel = load_pyspiel()
    if not isinstance(name, str) or not name.strip():
        given = f", not {quoted(name)}" if name else ""
        raise InputError(f'openspiel takes a name: openspiel("connect_four"){given}')
    short = name.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if short not in known:
        close = get_close_matches(short, known, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InputError(f"OpenSpiel has no game {quoted(short)}{hint} (it has {len(known)} games)")
    try:
        with quiet():
            _check_files(pyspiel.game_parameters_from_string(name))
            game = pyspiel.load_game(name)
            game.new_initial_state()  # some parameters are looked at only here
    except InputError:
        raise
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(f"OpenSpiel cannot make {quoted(name)}: {first}") from None
    _check_kind(pyspiel, game, short)
    return game


def _check_files(parameters: dict[str, Any]) -> None:
    """Refuse a file that may not be named: some games are read from one, or hold such a game."""
    for name, value in parameters.items():
        if isinstance(value, dict):
            _check_files(value)
        elif "file" in name:
            named_file(str(value))


def _check_kind(pyspiel: Any, game: Any, name: str) -> None:
    kind = game.get_type()
    of = pyspiel.GameType
    if kind.dynamics != of.Dynamics.SEQUENTIAL:
        raise InputError(
            f"{name} is played simultaneously; only games played in turns are searched"
        )
    if kind.information != of.Information.PERFECT_INFORMATION:
        raise InputError(f"{name} has hidden information; only games without it are searched")
    if kind.chance_mode == of.ChanceMode.SAMPLED_STOCHASTIC:
        raise InputError(f"{name} hides the chances of its dice; they are needed for a search")


class OpenSpielGame:
    """A game of OpenSpiel, by its name there: "hex(board_size=5)".

    Perfect information, played in turns, with or without dice, any number of players.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.spiel = load_spiel_game(name)
        self.players = int(self.spiel.num_players())
        self.utilities = (float(self.spiel.min_utility()), float(self.spiel.max_utility()))
        self.max_length = int(self.spiel.max_history_length())
        deterministic = load_pyspiel().GameType.ChanceMode.DETERMINISTIC
        if self.spiel.get_type().chance_mode != deterministic:
            self.chance_outcomes = _chance_outcomes  # whoever has it, has dice

    def start(self) -> Any:
        return self.spiel.new_initial_state()

    def current_player(self, state: Any) -> int:
        return int(state.current_player())

    def legal_actions(self, state: Any) -> list[int]:
        return list(state.legal_actions())

    def apply_action(self, state: Any, action: int) -> Any:
        return state.child(action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state.is_terminal())

    def returns(self, state: Any) -> list[float]:
        return list(state.returns())

    def key(self, state: Any) -> tuple[int, ...]:
        """The moves: OpenSpiel promises no other text that tells all states apart."""
        return tuple(state.history())

    def action_name(self, state: Any, action: int) -> str:
        """OpenSpiel's name, with ``_`` for blanks and commas, which separate moves here."""
        return _one_word(state.action_to_string(state.current_player(), action))

    def parse_action(self, state: Any, text: str) -> int | None:
        """Names are found by Ponder; this reads OpenSpiel's own spelling and its numbers."""
        wanted = _one_word(text)
        for action in state.legal_actions():
            if self.action_name(state, action) == wanted:
                return int(action)
        return int(text) if text.isdigit() else None

    def board_text(self, state: Any) -> str:
        return str(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielGame) and str(self.spiel) == str(other.spiel)

    def __hash__(self) -> int:
        return hash(str(self.spiel))

    def __reduce__(self) -> Any:
        return OpenSpielGame, (self.name,)


def _chance_outcomes(state: Any) -> list[tuple[int, float]]:
    return list(state.chance_outcomes())


def _one_word(name: str) -> str:
    return re.sub(r"[,\s]+", "_", name.strip())
