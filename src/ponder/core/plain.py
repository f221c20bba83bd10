"""Plain Python games: any objects as states, any hashables as actions, ordinary return values.

    class Countdown:
        "Take 1 or 2 from the pile; whoever takes the last one wins."
        players = 2

        def start(self):                     return (5, 0)
        def current_player(self, state):     return state[1]
        def legal_actions(self, state):      return [n for n in (1, 2) if n <= state[0]]
        def apply_action(self, state, n):    return (state[0] - n, 1 - state[1])
        def is_terminal(self, state):        return state[0] == 0
        def returns(self, state):            return (1, -1) if state[1] else (-1, 1)

`apply_action` returns a new state and leaves the old one as it is. Optional methods:
`chance_outcomes(state)` -> [(outcome, probability), ...], `evaluate(state)`,
`order(state, action)`, a number, `winning_action(state)`, an action or None, `key(state)`, equal
for states that mean the same, for networks `cells(state, player)`, a code per cell, and those for
people (`ponder.core.hooks`, PLAIN_ARGUMENTS). Optional attributes: `players` (2), `utilities`
((-1, 1)), `zero_sum` (True for one or two players), `max_actions` (4096) in one state,
`max_length` (100,000) of a game, `board`, the `Geometry` of its cells.

Every search runs on these games, through the same kernels as on compiled ones: a state's facts are
asked for once and kept (`ponder.core.plain_graph`). States that can be hashed are recognised when
they come back.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from ponder.core.compiled import TERMINAL, Facts
from ponder.core.game import CHANCE
from ponder.core.hooks import REQUIRED, fact_of, hook_of
from ponder.errors import GameError, InputError, PonderError

_SEQUENCES = (list, tuple)
MOST_LISTED = 1 << 20
"""Actions of one state: what goes on beyond has no end."""
FAULTS = (Exception, SystemExit, GeneratorExit)
"""What rules raise is their fault, also where Python would leave without a word. Ctrl-C is not."""


def listed(values: Iterable[Any], method: str) -> tuple[Any, ...]:
    """What a method of the rules gives, as a tuple; GameError where it does not end."""
    if isinstance(values, _SEQUENCES):
        return tuple(values)
    found = tuple(islice(values, MOST_LISTED + 1))
    if len(found) > MOST_LISTED:
        raise GameError(f"{method} gave more than {MOST_LISTED:,} values: it does not end")
    return found


class PlainRules:
    """The rules of a plain Python game, with the same interface as `CompiledRules`."""

    compiled = False
    plain = True

    def __init__(self, game: Any) -> None:
        missing = [name for name in REQUIRED if not callable(getattr(game, name, None))]
        if missing:
            raise InputError(
                f"{type(game).__name__} is not a game: it lacks {', '.join(missing)} "
                f"(a plain Python game has {', '.join(REQUIRED)})"
            )
        self.game = game
        self.name = type(game).__name__
        self.players: int = fact_of(game, "players", 2)
        if type(self.players) is not int or self.players < 1:
            raise GameError(f"{self.name} has players = {self.players!r}, expected 1 or more")
        self.utilities: tuple[float, float] = fact_of(game, "utilities", (-1.0, 1.0))
        self.zero_sum = bool(fact_of(game, "zero_sum", self.players <= 2))
        self.has_dice = hook_of(game, "chance_outcomes") is not None

    def start(self) -> Any:
        return self._call(self.game.start)

    def facts(self, state: Any) -> Facts:
        """All that the rules say of a state, checked."""
        player, utilities = self.standing(state)
        actions, chances = ((), ()) if player == TERMINAL else self.choices(state, player)
        return Facts(player, actions, chances, utilities)

    def standing(self, state: Any) -> tuple[int, tuple[float, ...]]:
        """Who is to move, or TERMINAL and the utilities."""
        game = self.game
        if self._call(game.is_terminal, state):
            return TERMINAL, self._call(self._returns, state)
        player = self._call(game.current_player, state)
        if player not in range(CHANCE, self.players):
            raise GameError(
                f"{self.name}.current_player gave {player!r}; "
                f"accepted: 0 to {self.players - 1} and CHANCE ({CHANCE})"
            )
        return int(player), ()

    def _returns(self, state: Any) -> tuple[float, ...]:
        return self._utilities("returns", "utilities", self.game.returns(state))

    def _utilities(self, method: str, what: str, given: Any) -> tuple[float, ...]:
        utilities = tuple(map(float, listed(given, f"{self.name}.{method}")))
        if len(utilities) != self.players:
            raise GameError(
                f"{self.name}.{method} gave {len(utilities)} {what}, "
                f"but there are {self.players} players"
            )
        lowest, highest = self.utilities
        for utility in utilities:
            if not lowest <= utility <= highest:
                raise GameError(
                    f"{self.name}.{method} gave {utility:g}; utilities are from {lowest:g} to "
                    f"{highest:g} (a class may say otherwise: utilities = (lowest, highest))"
                )
        return utilities

    def choices(self, state: Any, player: int) -> tuple[tuple[Any, ...], tuple[float, ...]]:
        """The actions, and the probabilities where they are outcomes of chance."""
        actions: tuple[Any, ...]
        chances: tuple[float, ...] = ()
        if player == CHANCE:
            actions, chances = self._call(self._outcomes, state)
        else:
            actions = self._call(self._legal_actions, state)
        if not actions:
            raise GameError(f"{self.name} gave no legal action in a state that is not terminal")
        self.check_hashable(actions)
        return actions, chances

    def _legal_actions(self, state: Any) -> tuple[Any, ...]:
        return listed(self.game.legal_actions(state), f"{self.name}.legal_actions")

    def check_hashable(self, actions: tuple[Any, ...]) -> None:
        """GameError where an action cannot be looked up."""
        if any(map(_is_strange, actions)):
            raise GameError(
                f"an action of {self.name} is not equal to itself (nan, say): it cannot be found "
                "again"
            )
        try:
            hash(actions)
        except TypeError:
            for action in actions[:-1]:
                self.check_hashable((action,))
            raise GameError(
                f"the action {actions[-1]!r} of {self.name} cannot be hashed; use a tuple, say"
            ) from None

    def _outcomes(self, state: Any) -> tuple[tuple[Any, ...], tuple[float, ...]]:
        pairs = listed(self.game.chance_outcomes(state), f"{self.name}.chance_outcomes")
        if not pairs:
            raise GameError(f"{self.name} gave no outcome in a state in which chance moves")
        outcomes, chances = zip(*pairs, strict=True)
        chances = tuple(map(float, chances))
        if not abs(sum(chances) - 1.0) < 1e-6 or min(chances) < 0:
            raise GameError(
                f"{self.name}.chance_outcomes gave probabilities that add up to "
                f"{sum(chances):g}, not to 1, or a negative one"
            )
        return outcomes, chances

    def advance(self, state: Any, action: Any) -> Any:
        return self._call(self.game.apply_action, state, action)

    def play_some(self, state: Any, draws: Any, used: int, out: Any) -> tuple[bool, Any]:
        """Random moves, one for each of the random numbers `draws` from `used` on. True and the
        utilities in `out` if the game has ended, and the state in which it is now."""
        return self._call(self._play_some, state, draws, used, out)  # type: ignore[no-any-return]

    def _play_some(self, state: Any, draws: Any, used: int, out: Any) -> tuple[bool, Any]:
        game, has_dice = self.game, self.has_dice
        is_terminal, legal, apply = game.is_terminal, game.legal_actions, game.apply_action
        for i in range(used, len(draws)):
            if is_terminal(state):
                out[...] = self._returns(state)
                return True, state
            if has_dice and game.current_player(state) == CHANCE:
                actions, chances = self._outcomes(state)
                state = apply(state, actions[picked(draws[i], len(actions), chances)])
            else:
                actions = legal(state)
                if not isinstance(actions, _SEQUENCES):
                    actions = listed(actions, f"{self.name}.legal_actions")
                if not actions:
                    self.choices(state, 0)  # says what is wrong
                state = apply(state, actions[int(draws[i] * len(actions))])
        return False, state

    def key(self, state: Any) -> Any:
        own = hook_of(self.game, "key")
        return self._call(own, state) if own else state

    def evaluate(self, state: Any) -> tuple[float, ...]:
        return self._call(self._evaluate, state)  # type: ignore[no-any-return]

    def _evaluate(self, state: Any) -> tuple[float, ...]:
        return self._utilities("evaluate", "values", self.game.evaluate(state))

    def order(self, state: Any, action: Any) -> float:
        return float(self._call(self.game.order, state, action))

    def winning_action(self, state: Any, player: int) -> Any:
        """An action with which the player to move wins at once, or None."""
        action = self._call(self.game.winning_action, state)
        if action is not None:
            _, utilities = self.standing(self.advance(state, action))
            if not utilities or utilities[player] < self.utilities[1]:
                raise GameError(
                    f"{self.name}.winning_action gave {action!r}, which does not win at once"
                )
        return action

    def cells(self, state: Any, player: int) -> Any:
        """A code per cell as the player sees it, for networks (`ponder.learn.plain_codes`)."""
        return self._call(self.game.cells, state, player)

    def action_name(self, state: Any, action: Any) -> str:
        hook = hook_of(self.game, "action_name")
        return str(action) if hook is None else str(hook(state, action))

    def _call(self, method: Any, *args: Any) -> Any:
        try:
            return method(*args)
        except PonderError:
            raise
        except FAULTS as error:
            raise GameError(
                f"the rules of {self.name} raised {type(error).__name__}: {error}"
            ) from error


def _is_strange(action: Any) -> bool:
    """Is it not equal to itself, or is something in it?"""
    if type(action) is tuple:
        return any(map(_is_strange, action))
    return isinstance(action, float) and action != action


def picked(draw: float, n: int, chances: Any = None) -> int:
    """Which of n actions a random number from 0 to 1 means; any alike, or by probabilities."""
    if chances is None:
        return int(draw * n)
    for i in range(n - 1):
        draw -= chances[i]
        if draw < 0.0:
            return i
    return n - 1
