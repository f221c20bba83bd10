"""Plain Python games: any objects as states, any hashables as actions, ordinary return values.

    class Countdown:
        "Take 1 or 2 from the pile; who takes the last one wins."
        players = 2

        def start(self):                     return (5, 0)
        def current_player(self, state):     return state[1]
        def legal_actions(self, state):      return [n for n in (1, 2) if n <= state[0]]
        def apply_action(self, state, n):    return (state[0] - n, 1 - state[1])
        def is_terminal(self, state):        return state[0] == 0
        def returns(self, state):            return (1, -1) if state[1] else (-1, 1)

`apply_action` returns a new state and leaves the old one as it is. Optional: `players` (2),
`utilities` ((-1, 1)), `chance_outcomes(state)` -> [(outcome, probability), ...],
`evaluate(state)`, `action_name(state, action)`, `board_text(state)`, `key(state)`.
The same algorithms search these games; only the rules run at Python's speed.
"""

from __future__ import annotations

from typing import Any

from ponder.core.compiled import TERMINAL, Facts
from ponder.core.game import CHANCE, REQUIRED
from ponder.errors import GameError, InputError, PonderError


class PlainRules:
    """The rules of a plain Python game, with the same interface as `CompiledRules`."""

    compiled = False

    def __init__(self, game: Any) -> None:
        missing = [name for name in REQUIRED if not callable(getattr(game, name, None))]
        if missing:
            raise InputError(
                f"{type(game).__name__} is not a game: it lacks {', '.join(missing)} "
                f"(a plain Python game has {', '.join(REQUIRED)})"
            )
        self.game = game
        self.name = type(game).__name__
        self.players = int(getattr(game, "players", 2))
        self.utilities: tuple[float, float] = getattr(game, "utilities", (-1.0, 1.0))

    def start(self) -> Any:
        return self._call(self.game.start)

    def facts(self, state: Any) -> Facts:
        found: Facts = self._call(self._facts, state)
        return found

    def _facts(self, state: Any) -> Facts:
        game = self.game
        if game.is_terminal(state):
            utilities = tuple(map(float, game.returns(state)))
            if len(utilities) != self.players:
                raise GameError(
                    f"{self.name}.returns gave {len(utilities)} utilities, "
                    f"but there are {self.players} players"
                )
            return Facts(TERMINAL, (), (), utilities)
        player = game.current_player(state)
        if player == CHANCE:
            outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
            return Facts(CHANCE, outcomes, chances, ())
        if player not in range(self.players):
            raise GameError(
                f"{self.name}.current_player gave {player!r}; "
                f"accepted are 0 to {self.players - 1} and CHANCE ({CHANCE})"
            )
        actions = tuple(game.legal_actions(state))
        if not actions:
            raise GameError(f"{self.name} gave no legal action in a state that is not terminal")
        return Facts(player, actions, (), ())

    def advance(self, state: Any, action: Any) -> Any:
        return self._call(self.game.apply_action, state, action)

    def key(self, state: Any) -> Any:
        own = getattr(self.game, "key", None)
        return self._call(own, state) if own else state

    def evaluate(self, state: Any) -> tuple[float, ...]:
        return tuple(map(float, self._call(self.game.evaluate, state)))

    def _call(self, method: Any, *args: Any) -> Any:
        try:
            return method(*args)
        except PonderError:
            raise
        except Exception as error:
            raise GameError(
                f"the rules of {self.name} raised {type(error).__name__}: {error}"
            ) from error
