"""`Position`: a moment of a game, as a friendly value. Playing a move gives another position.

>>> from ponder import position
>>> p = position("connect4").play("4").play("4")
>>> p.current_player, p.ply, [move.name for move in p.legal_moves]
(0, 2, ['1', '2', '3', '4', '5', '6', '7'])
"""

from __future__ import annotations

import contextlib
import inspect
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ponder.core.compiled import TERMINAL, CompiledRules, Facts
from ponder.core.draw import Place, text_svg
from ponder.core.game import CHANCE, is_compiled_game
from ponder.core.gate import run_trusted
from ponder.core.hooks import hook_of
from ponder.core.moves import Move, Outcome
from ponder.core.parts import canonical, identical, is_ours
from ponder.core.plain import PlainRules
from ponder.core.plain_graph import MAX_ACTIONS, GraphRules
from ponder.core.protocols import Action, Game
from ponder.core.registry import EXAMINERS, game_text, load, parse_game, reads_back
from ponder.core.twin import told
from ponder.errors import GameError, IllegalAction, InputError, PonderError, quoted
from ponder.files import WrongChecksum, object_on, page_of, read_file, save_file

Rules = CompiledRules | PlainRules | GraphRules
LOOKED_AT = 50
"""Positions, in search of dice."""


def rules_for(game: Game) -> Rules:
    """The rules of any game, compiled or plain, behind one interface."""
    if not is_compiled_game(game):
        rules = PlainRules(game)
        _examine(game)
        return rules
    made = canonical(game)
    return _compiled_rules(type(made), made)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _compiled_rules(cls: Any, game: Any) -> CompiledRules:
    # The class is part of the key: tuples of two classes with equal fields are equal.
    rules = CompiledRules(game, plain_at_first=True)
    _examine(game)
    return rules


def _examine(game: Any) -> None:
    """A game of the user's, which nobody may have checked, before anything of it is used."""
    if not is_ours(type(game)):
        for target in EXAMINERS.values():
            load(target)(game)


class Position:
    """A game, a state and the actions that led there. Immutable to its user."""

    def __init__(self, game: Game | type[Game]) -> None:
        """The start of `game` (an instance, or a class taken with its defaults)."""
        self._rules: Rules = rules_for(game() if isinstance(game, type) else game)
        self._state = self._rules.start()
        self._before: Position | None = None
        self._action: Any = None
        self._origin = ""

    def for_kernels(self, max_actions: int = MAX_ACTIONS) -> Position:
        """The position as kernels take it: itself, or what stands for one of a plain Python game,
        whose state is a record and whose actions are numbers (`ponder.core.plain_graph`).
        `max_actions`: of one state, where such a game does not say."""
        if not isinstance(self._rules, PlainRules):
            return self
        made = Position.__new__(Position)
        made._rules = GraphRules(self._rules, self.facts, self._state, max_actions)
        made._state = made._rules.states_of(self._state)
        made._before, made._action, made._origin = None, None, ""
        return made

    def state_for(self, rules: Any) -> Any:
        """The state as `rules`, those of this position or of one `for_kernels`, take it."""
        if rules.plain and self._rules is not rules:
            return rules.states_of(self._state)
        return self._state

    # ------------------------------------------------------------ what the rules say

    @property
    def game(self) -> Game:
        game: Game = self._rules.game
        return game

    @property
    def own_game(self) -> Game:
        """The game that its author has written, of a position `for_kernels` too."""
        rules = self._rules
        game: Game = rules.rules.game if isinstance(rules, GraphRules) else rules.game
        return game

    @property
    def rules(self) -> Any:
        """The rules (`CompiledRules` or `PlainRules`) behind one interface; for searchers."""
        return self._rules

    @property
    def state(self) -> Any:
        """The state: a copy of the record, or the plain game's own object."""
        return self._state[0].copy() if self._rules.compiled else self._state

    @property
    def raw_state(self) -> Any:
        """What `rules` takes as a state. Not to be changed."""
        return self._state

    @cached_property
    def facts(self) -> Facts:
        return self._rules.facts(self._state)

    @property
    def current_player(self) -> int:
        """0, 1, 2 ..., CHANCE (-1), or TERMINAL (-4)."""
        return self.facts.player

    @property
    def is_chance(self) -> bool:
        return self.facts.player == CHANCE

    @property
    def is_terminal(self) -> bool:
        return self.facts.player == TERMINAL

    @property
    def dice_ahead(self) -> bool:
        """Does chance move in one of the first positions from here on?

        Of games whose rules may have dice some have none, such as trees without a chance node.
        """
        waiting = deque([self] if self._rules.has_dice else ())
        with contextlib.suppress(GameError):  # broken rules: whoever searches them says so
            for _ in range(LOOKED_AT):
                if not waiting:
                    break
                here = waiting.popleft()
                if here.is_chance:
                    return True
                waiting.extend(map(here._after, here.legal_actions))
        return False

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves (the possible outcomes at a chance node), in the game's order; each has
        a `name` and an `action`."""
        return tuple(Move(action, self) for action in self.facts.actions)

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The actions of `legal_moves`, as the game's own methods call them."""
        return self.facts.actions

    @property
    def legal_names(self) -> tuple[str, ...]:
        hook = hook_of(self.game, "action_name")
        if hook is None:
            return tuple(map(str, self.facts.actions))
        state = self._hook_state
        return tuple(str(self._asked(hook, state, a)) for a in self.facts.actions)

    def legal_text(self, most: int | None = None) -> str:
        """The names of the legal actions in a row, with commas where they hold blanks."""
        names = self.legal_names
        between = ", " if any(" " in name for name in names) else " "
        cut = most is not None and len(names) > most
        return between.join(names[:most]) + (between + "..." if cut else "")

    @property
    def chance_outcomes(self) -> tuple[tuple[Action, float], ...]:
        """(outcome, probability) pairs; empty unless `is_chance`."""
        return tuple(zip(self.facts.actions, self.facts.chances, strict=False))

    @property
    def returns(self) -> tuple[float, ...]:
        """One utility per player; empty before the end."""
        return self.facts.returns

    def outcome(self) -> Outcome | None:
        """How the game has ended; None before the end."""
        return Outcome(self.facts.returns) if self.is_terminal else None

    @property
    def winner(self) -> int | None:
        """The player who has won; None before the end, after a draw and in games of one player:
        see `Outcome.winner`."""
        ended = self.outcome()
        return None if ended is None else ended.winner

    @property
    def players(self) -> int:
        return self._rules.players

    # ------------------------------------------------------------ moving about

    def play(self, move: Move | Action) -> Position:
        """The position after a move: one of `legal_moves`, its action, or its name."""
        return self._after(self.parse_action(move))

    def copy(self) -> Position:
        """The position itself: it never changes, so nobody needs a second one."""
        return self

    def play_all(self, actions: str | Iterable[Move | Action]) -> Position:
        """Play several: a sequence, or a text of names separated by blanks or commas.

        Names that hold blanks themselves (``8/5 6/5``) are separated by commas.
        """
        here, number = self, 0
        for part in actions.split(",") if isinstance(actions, str) else actions:
            words = isinstance(actions, str) and isinstance(part, str)
            for action in here._words_of(str(part)) if words else (part,):
                number += 1
                try:
                    here = here.play(action)
                except IllegalAction as error:
                    raise IllegalAction(f"move {number}: {error}") from None
        return here

    def _words_of(self, text: str) -> list[str]:
        """What stands between two commas: one action whose name holds blanks, or several."""
        words = text.split()
        if len(words) > 1 and any(" " in name for name in self.legal_names):
            with contextlib.suppress(IllegalAction):
                self.parse_action(text)
                return [text]
        return words

    def _after(self, action: Any) -> Position:
        after = Position.__new__(Position)
        after._rules = self._rules
        after._state = self._rules.advance(self._state, action)
        after._before, after._action, after._origin = self, action, self._origin
        return after

    def undo(self) -> Position:
        """The position before the last action."""
        if self._before is None:
            raise InputError("nothing to undo: this is where the game began")
        return self._before

    @property
    def last_action(self) -> Action | None:
        """The action that led here; None where the position was set up."""
        action: Action | None = self._action
        return action

    @property
    def ply(self) -> int:
        """How many actions, those of chance included, were played since it was set up."""
        count, here = 0, self
        while here._before is not None:
            count, here = count + 1, here._before
        return count

    @property
    def history(self) -> tuple[Action, ...]:
        """The actions played since the position was set up."""
        actions: list[Any] = []
        here = self
        while here._before is not None:
            actions.append(here._action)
            here = here._before
        return tuple(reversed(actions))

    @property
    def history_names(self) -> tuple[str, ...]:
        names, here = [], self
        while here._before is not None:
            names.append(here._before.action_name(here._action))
            here = here._before
        return tuple(reversed(names))

    # ------------------------------------------------------------ text, for people and files

    def action_name(self, action: Action) -> str:
        """The action in the game's own notation."""
        hook = hook_of(self.game, "action_name")
        if hook is None:
            return str(action)
        return str(self._asked(hook, self._hook_state, action))

    def parse_action(self, action: Move | Action) -> Action:
        """The legal action meant by a move, an action or its name. Raises IllegalAction."""
        facts = self.facts
        actions: tuple[Action, ...] = facts.actions
        if isinstance(action, Move):
            action = action.action
        if facts.player == TERMINAL:
            raise IllegalAction(f"{quoted(action)} cannot be played: the game is over")
        if not isinstance(action, str) or action in actions:
            for legal in actions:
                if legal == action:
                    return legal
        else:
            hook = hook_of(self.game, "parse_action")
            if hook is not None:
                found: Action | None = self._asked(hook, self._hook_state, action)
                if found is not None and found in actions:
                    return found
            wanted = action.strip()
            names = {self.action_name(a): a for a in actions}
            if wanted in names:
                return names[wanted]
            folded = [a for name, a in names.items() if name.lower() == wanted.lower()]
            if len(folded) == 1:
                return folded[0]
        raise IllegalAction(f"{quoted(action)} is not legal here; legal: {self.legal_text(40)}")

    def _asked(self, hook: Callable[..., Any], *args: Any, **marks: Any) -> Any:
        """What a hook for people says; what it raises is told in one line."""
        try:
            return hook(*args, **marks)
        except PonderError:
            raise
        except (Exception, SystemExit) as error:
            raise GameError(
                f"{hook.__name__} of {self._rules.name} raised {told(error)}"
            ) from error

    @property
    def _hook_state(self) -> Any:
        return self._state[0] if self._rules.compiled else self._state

    def __str__(self) -> str:
        """The board, as text."""
        hook = hook_of(self.game, "board_text")
        if hook is not None:
            return str(self._asked(hook, self._hook_state))
        if self._rules.compiled:
            record = self._state[0]
            shown = [name for name in record.dtype.names if not name.startswith("_")]
            return "\n".join(f"{name}: {record[name]}" for name in shown)
        return str(self._state)

    def __repr__(self) -> str:
        text = self.text()
        return f"Position({game_text(self.game)!r}, {text!r})"

    def svg(self) -> str:
        """The board as an SVG drawing, with the last move and the legal moves marked."""
        hook = hook_of(self.game, "board_svg")
        if hook is None:
            return text_svg(str(self))
        marks: dict[str, Any] = {}
        if self._before is not None and "before" in inspect.signature(hook).parameters:
            marks["before"] = self._before._hook_state
        return str(self._asked(hook, self._hook_state, self._action, self.facts.actions, **marks))

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def places(self) -> tuple[tuple[Place, ...], ...]:
        """Where each legal action is on the drawing; nowhere in games that do not say it."""
        hook = hook_of(self.game, "action_places")
        if hook is None:
            return ((),) * len(self.facts.actions)
        state = self._hook_state
        return tuple(tuple(self._asked(hook, state, a)) for a in self.facts.actions)

    def text(self) -> str:
        """The position in the game's own text form (a FEN, say), else the moves that led here."""
        hook = hook_of(self.game, "position_text")
        if hook is not None:
            return str(self._asked(hook, self._hook_state))
        return " ".join(self.history_names)

    @staticmethod
    def parse(game: Game, text: str) -> Position:
        """The position that `text` describes: the inverse of `text()`."""
        start = Position(game)
        hook = hook_of(start.game, "parse_position")
        if hook is None:
            return start.play_all(text)
        made = Position.__new__(Position)
        made._rules = start._rules
        made._before, made._action, made._origin = None, None, text
        if start._rules.compiled:
            made._state = start._state.copy()
            made._asked(hook, text, made._state[0])
        else:
            made._state = made._asked(hook, text)
        return made

    # ------------------------------------------------------------ identity

    @cached_property
    def key(self) -> Hashable:
        """Equal for equal positions of one game, however they were reached."""
        key: Hashable = self._rules.key(self._state)
        return key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return identical(self.game, other.game) and bool(self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    # ------------------------------------------------------------ files

    def to_json(self) -> dict[str, Any]:
        """The position as plain data: game, start and moves."""
        if not reads_back(self.game):
            raise InputError(
                f"{game_text(self.game)} cannot be saved: a file names its game by a text; "
                "make the game from one, with ponder.game('FILE.py:NAME(...)')"
            )
        return {
            "game": game_text(self.game),
            "position": self._origin,
            "moves": list(self.history_names),
        }

    @staticmethod
    def from_json(data: object) -> Position:
        """The inverse of `to_json`; InputError if `data` is anything else."""
        try:
            game, origin, moves = (data[name] for name in ("game", "position", "moves"))  # type: ignore[index]
        except (KeyError, TypeError, IndexError):
            raise InputError("not a saved position: it needs game, position and moves") from None
        if not isinstance(moves, list) or not all(isinstance(x, str) for x in (origin, *moves)):
            raise InputError("not a saved position: position is a text, moves a list of names")
        made = parse_game(game)
        start = Position.parse(made, origin) if origin else Position(made)
        for name in moves:  # not play_all: names may contain blanks
            start = start.play(name)
        return start

    def save(self, path: str | Path) -> None:
        """Write the game, the start and the moves as JSON, with a checksum."""
        save_file(path, page_of(self.to_json()))

    @staticmethod
    def load(path: str | Path, trust: Sequence[str | Path] = ()) -> Position:
        """The position of a file.

        `trust`: Python files that are run, because the position is of a game of your own.
        """
        run_trusted(trust)
        text = read_file(path)
        try:
            data = object_on(text)
        except WrongChecksum as error:
            raise InputError(f"{path} is damaged: {error}") from None
        except ValueError:
            raise InputError(f"{path} is not a saved position (JSON expected)") from None
        return Position.from_json(data)


def check_searchable(position: Position, chance: bool = False) -> None:
    """Refuse what is no position, and positions in which there is nothing to decide.

    With `chance`, the searcher can say what the dice are worth before they fall.
    """
    if not isinstance(position, Position):
        raise InputError(
            f"a search takes a position, such as position('connect4'), not {quoted(position)}"
        )
    if position.is_terminal:
        raise InputError("the game is over in this position: there is nothing to search")
    if position.is_chance and not chance:
        names = position.legal_text(12)
        raise InputError(f"chance moves in this position: play an outcome first ({names})")
