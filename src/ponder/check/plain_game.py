"""A plain Python game as a subject of checks."""

from __future__ import annotations

import math
import pickle
from typing import Any

from ponder.check.plain_hooks import PlainHookChecks
from ponder.check.record_game import same_facts
from ponder.check.report import OUTSIDE, Broken, Findings
from ponder.check.terms import TermChecks
from ponder.core.compiled import TERMINAL, Facts
from ponder.core.game import CHANCE
from ponder.core.hooks import PLAIN_ARGUMENTS, REQUIRED, fact_of
from ponder.core.plain import FAULTS, listed
from ponder.core.plain_graph import MAX_LENGTH
from ponder.errors import GameError

OPTIONAL = tuple(name for name in PLAIN_ARGUMENTS if name not in REQUIRED)
MOST_BYTES = 1 << 20
MOST_COMPARED = 20_000
"""States kept for comparison."""


class CheckedPlainGame:
    """The rules of a plain Python game, every call watched."""

    length_promised_by = "most that a search allows"
    constant_sum = False
    distinct_actions: int | None = None
    max_length = MAX_LENGTH

    def __init__(self, game: Any, findings: Findings) -> None:
        self.game, self.findings = game, findings
        self.players = fact_of(game, "players", 2)
        if not isinstance(self.players, int) or self.players < 1:
            raise Broken("players", f"players is {self.players!r}, expected a whole number above 0")
        try:
            self.lowest, self.highest = map(float, fact_of(game, "utilities", (-1.0, 1.0)))
        except (TypeError, ValueError):
            raise Broken("utilities", "utilities must be two numbers: (lowest, highest)") from None
        if not self.lowest < self.highest:
            raise Broken(
                "utilities", f"utilities {self.lowest}, {self.highest}: lowest comes first"
            )
        self.hooks = tuple(name for name in OPTIONAL if hasattr(game, name))
        self.terms = TermChecks(game, findings)
        self.hook_checks = PlainHookChecks(self)
        self._said: dict[Any, Facts] = {}
        """What the rules said of states, by what a search recognises them by."""

    # ------------------------------------------------------------ what a walk needs

    def start(self) -> Any:
        state = self.call("start")
        size = len(fingerprint(state))
        if size > MOST_BYTES:
            raise Broken(
                "state-size",
                f"a state takes {size:,} bytes when it is written, accepted: up to {MOST_BYTES:,} "
                "(a search keeps thousands)",
            )
        return state

    def facts(self, state: Any, in_depth: bool = True) -> Facts:
        """What the rules say; in depth: asked again, they say the same."""
        found = self._facts(state)
        self._compare_equals(state, found)
        if in_depth and not same_facts(found, self._facts(state)):
            self.findings.add(
                "memory", f"asked twice about one state, they give two answers: {OUTSIDE}"
            )
        return found

    def _compare_equals(self, state: Any, facts: Facts) -> None:
        """States that count as one must be one: a search asks about the first of them alone."""
        own = "key" in self.hooks or type(state).__module__ != "builtins"
        if not own or "memory" in self.findings.found:  # of that, two answers are a consequence
            return
        try:
            key = self.game.key(state) if "key" in self.hooks else state
            before = self._said.setdefault(key, facts)
        except Exception:
            return  # what cannot be hashed is not taken for another state
        if len(self._said) > MOST_COMPARED:
            self._said.clear()
        same = (before.player, before.returns) == (facts.player, facts.returns)
        if not same or set(before.actions) != set(facts.actions):
            by = "key" if "key" in self.hooks else "__eq__"
            self.findings.add(
                "equal", f"two states are the same by {by}, and have different moves or players"
            )

    def _facts(self, state: Any) -> Facts:
        if self.query("is_terminal", state):
            return Facts(TERMINAL, (), (), self._utilities("returns", state))
        player = self.query("current_player", state)
        if isinstance(player, bool) or player not in range(CHANCE, self.players):
            raise Broken(
                "player",
                f"current_player gave {player!r}, accepted: 0 to {self.players - 1} "
                f"and CHANCE ({CHANCE})",
            )
        if player == CHANCE:
            return self._chance_facts(state)
        actions = self.query("legal_actions", state)
        try:
            actions = listed(actions, "legal_actions")
        except GameError as error:
            raise Broken("count", str(error)) from None
        except TypeError:
            raise Broken("count", f"legal_actions gave {actions!r}, expected a list") from None
        self._check_hashable(actions)
        return Facts(int(player), actions, (), ())

    def _chance_facts(self, state: Any) -> Facts:
        if "chance_outcomes" not in self.hooks:
            raise Broken("chance", "current_player is CHANCE, but chance_outcomes is missing")
        pairs = self.query("chance_outcomes", state)
        try:
            pairs = listed(pairs, "chance_outcomes")
            outcomes = tuple(outcome for outcome, _ in pairs)
            chances = tuple(float(chance) for _, chance in pairs)
        except GameError as error:
            raise Broken("chance", str(error)) from None
        except (TypeError, ValueError):
            raise Broken(
                "chance", f"chance_outcomes gave {pairs!r}, expected (outcome, probability) pairs"
            ) from None
        self._check_hashable(outcomes)
        return Facts(CHANCE, outcomes, chances, ())

    def _check_hashable(self, actions: tuple[Any, ...]) -> None:
        for action in actions:
            try:
                hash(action)
            except TypeError:
                raise Broken(
                    "unhashable", f"the action {action!r} cannot be hashed; use a tuple, say"
                ) from None
            if action != action:
                raise Broken("unequal", f"the action {action!r} is not equal to itself")

    def advance(self, state: Any, action: Any, in_depth: bool = True) -> Any:
        """The state after the action; in depth: the same one when it is done again."""
        after = self._advance(state, action)
        if in_depth:
            again = self._advance(state, action)
            if not self.same_state(after, again) or not same_facts(
                self._facts(after), self._facts(again)
            ):
                self.findings.add(
                    "memory", f"the same action in the same state leads elsewhere: {OUTSIDE}"
                )
        return after

    def _advance(self, state: Any, action: Any) -> Any:
        before = fingerprint(state)
        after = self.call("apply_action", state, action)
        if after is None:
            raise Broken("apply_action", "apply_action returned None, expected the next state")
        if changed(before, state):
            raise Broken(
                "apply_action", "apply_action changes the old state; it must return a new one"
            )
        return after

    def examine(self, state: Any, facts: Facts) -> None:
        """Names, board, estimate, key and the other hooks of one state."""
        names: dict[str, Any] = {}
        named = {action: self.name(state, action) for action in facts.actions}
        for action, name in named.items():
            if names.get(name, action) != action:
                self.findings.add(
                    "action_name",
                    f"actions {names[name]!r} and {action!r} are both called {name!r}",
                )
            names[name] = action
        if any(set(name) & set(",\t\n") for name in names):
            self.findings.note("some action names hold commas or tabs: --moves cannot take them")
        if "board_text" in self.hooks:
            self.query("board_text", state)
        if "key" in self.hooks:
            try:
                hash(self.query("key", state))
            except TypeError:
                self.findings.add("key", "key gave something that cannot be hashed")
        if "evaluate" in self.hooks and facts.player != TERMINAL:
            values = self._utilities("evaluate", state)
            self._check_estimate(values)
            if "evaluate_terms" in self.hooks:
                self.terms.check(state, values)
        self.hook_checks.check(state, facts, named)

    def _check_estimate(self, values: tuple[float, ...]) -> None:
        for player, value in enumerate(values):
            if math.isnan(value) or not self.lowest <= value <= self.highest:
                self.findings.add(
                    "evaluate",
                    f"evaluate gives player {player} {value:g}, outside "
                    f"[{self.lowest:g}, {self.highest:g}]",
                )

    def name(self, state: Any, action: Any) -> str:
        if "action_name" not in self.hooks:
            return str(action)
        return str(self.query("action_name", state, action))

    # ------------------------------------------------------------ what the memory check needs

    solo_facts = facts
    solo_advance = advance

    def same_state(self, a: Any, b: Any) -> bool:
        """Equal, where the state's class says what that means."""
        if not _says_equal(a):
            return True
        try:
            return bool(a == b)
        except ValueError:  # an array inside: == has no single answer
            return bool(fingerprint(a) == fingerprint(b))

    # ------------------------------------------------------------ calls under guard

    def _utilities(self, method: str, state: Any) -> tuple[float, ...]:
        given = self.query(method, state)
        try:
            utilities = tuple(map(float, listed(given, method)))
        except GameError as error:
            raise Broken(method, str(error)) from None
        except (TypeError, ValueError):
            raise Broken(
                method, f"{method} gave {given!r}, expected one number per player"
            ) from None
        if len(utilities) != self.players:
            raise Broken(
                method, f"{method} gave {len(utilities)} utilities for {self.players} players"
            )
        return utilities

    def query(self, method: str, state: Any, *args: Any) -> Any:
        before = fingerprint(state)
        value = self.call(method, state, *args)
        if changed(before, state):
            self.findings.add(
                "query-changes-state", f"{method} changes the state; it may only look"
            )
        return value

    def call(self, method: str, *args: Any) -> Any:
        try:
            return getattr(self.game, method)(*args)
        except FAULTS as error:
            raise Broken("raises", f"{method} raised {type(error).__name__}: {error}") from None


def _says_equal(state: Any) -> bool:
    """Does the state's class define what == means?"""
    own: Any = type(state).__eq__
    return own is not object.__eq__


def fingerprint(state: Any) -> Any:
    """Something that changes when the object is changed: its pickle, else how it prints."""
    try:
        return pickle.dumps(state)
    except Exception:
        return repr(state)


def changed(before: Any, state: Any) -> bool:
    """Is the state another than when its fingerprint was `before`?

    A value that an object keeps for later (a cached property) is no change if the object still
    equals its old self.
    """
    if fingerprint(state) == before:
        return False
    if isinstance(before, str) or not _says_equal(state):
        return True
    try:
        return not bool(pickle.loads(before) == state)
    except Exception:
        return True


class PlainRulesAlone(CheckedPlainGame):
    """The same without what people see: whoever searches asks for the rules alone."""

    def examine(self, state: Any, facts: Facts) -> None:
        pass
