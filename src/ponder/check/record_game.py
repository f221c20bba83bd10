"""A game in the record contract, as a subject of checks: plain Python beside compiled code."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.check.guarded import GuardedRules
from ponder.check.hooks import HookChecks
from ponder.check.report import OUTSIDE, Broken, Findings
from ponder.check.texts import TextChecks
from ponder.core.compiled import TERMINAL, CompiledRules, Facts
from ponder.core.game import hooks_of
from ponder.core.hooks import hook_of
from ponder.core.parts import canonical, is_ours
from ponder.errors import CompileError, GameError, PonderError
from ponder.jit import BOUNDS_CHECKED, COMPILED


class RulesAlone:
    """A walk through the rules in plain Python with guarded arrays: nothing compiled runs."""

    hooks: tuple[str, ...] = ()

    def __init__(self, game: Any, findings: Findings) -> None:
        self.game = canonical(game)
        self.findings = findings
        self.plain = GuardedRules(self.game, findings)
        spec = self.plain.spec
        self.players, self.lowest, self.highest = spec.players, spec.lowest, spec.highest
        self.constant_sum = spec.zero_sum
        self.max_length = spec.max_length
        self.distinct_actions: int | None = spec.distinct_actions or spec.max_actions
        self.length_promised_by = "max_length of its spec"
        # What hooks say is judged by `RecordGame`; here they must only stay within their arrays.
        unheard = Findings(findings.seed)
        self.hook_checks = HookChecks(hooks_of(self.game), self.plain, None, unheard)

    def start(self) -> Any:
        return self.plain.start()

    def facts(self, states: Any, in_depth: bool) -> Facts:
        found = self.plain.facts(states)
        if in_depth and not same_facts(found, self.plain.facts(states)):
            raise Broken("memory", f"asked twice about one state, they give two answers: {OUTSIDE}")
        return found

    def advance(self, states: Any, action: Any, in_depth: bool) -> Any:
        after = self.plain.advance(states, action)
        if in_depth and self.plain.advance(states, action).tobytes() != after.tobytes():
            raise Broken("memory", f"the same action in the same state leads elsewhere: {OUTSIDE}")
        return after

    def examine(self, states: Any, facts: Facts) -> None:
        """The slow checks of one state: the optional hooks."""
        if not is_incomplete(facts):
            self.hook_checks.check(states, facts)

    def name(self, states: Any, action: Any) -> str:
        hook = hook_of(self.game, "action_name")
        try:
            return str(action if hook is None else hook(states[0], action))
        except Exception:
            return str(action)


class RecordGame(RulesAlone):
    """Plays on compiled rules where they compile, and compares with plain Python when asked.

    With `compiled` False, because plain Python has found faults, nothing compiled is run: it might
    write anywhere. Where indices are not checked, plain Python goes first with every call of rules
    that nobody has checked, for the same reason.
    """

    def __init__(self, game: Any, findings: Findings, compiled: bool = True) -> None:
        super().__init__(game, findings)
        self.hooks = hooks_of(self.game)
        self.plain_first = not (BOUNDS_CHECKED or is_ours(type(self.game)))
        self.compiled = self._compile() if compiled else None
        self.hook_checks = HookChecks(
            self.hooks, self.plain, self.compiled, findings, self.plain_first
        )
        self.text_checks = TextChecks(self.game, self.plain, "key" in self.hooks, findings)

    def _compile(self) -> CompiledRules | None:
        """The compiled rules; None, and a finding, if they do not compile."""
        if not COMPILED:
            return None
        rules = CompiledRules(self.game)
        try:
            start = rules.start()
            facts = rules.told(start)
            if facts.actions:
                self.plain.advance(start, facts.actions[0])  # plain Python first
                rules.advance(start, facts.actions[0])
        except CompileError as error:
            self.findings.add("compile", str(error))
            return None
        except GameError:
            pass  # told when the game is played
        return rules

    # ------------------------------------------------------------ what a walk needs

    def start(self) -> Any:
        states = self.plain.start()
        if self.compiled is not None:
            self._same_record("start", states, self.compiled.start())
        return states

    def facts(self, states: Any, in_depth: bool) -> Facts:
        """What the rules say; in depth: plain Python says it too, and the same."""
        if self.compiled is None:
            return self.plain.facts(states)
        plain = self.plain.facts(states) if in_depth or self.plain_first else None
        if plain is not None and is_incomplete(plain):
            return plain  # the walk will say so; compiled code has nothing to add
        before = states.tobytes()
        try:
            compiled = self.compiled.told(states)
        except PonderError as error:
            self.plain.facts(states)  # says which method, and which line
            raise Broken("raises", str(error)) from None
        if states.tobytes() != before:
            self.findings.add("query-changes-state", "a query changes the state when compiled")
        if plain is not None and not same_facts(plain, compiled):
            raise Broken("disagree", f"plain Python says {plain}, compiled code {compiled}")
        return compiled

    def advance(self, states: Any, action: Any, in_depth: bool) -> Any:
        if self.compiled is None:
            return self.plain.advance(states, action)
        plain = self.plain.advance(states, action) if in_depth or self.plain_first else None
        try:
            after = self.compiled.advance(states, action)
        except PonderError as error:
            self.plain.advance(states, action)  # says which line
            raise Broken("raises", str(error)) from None
        if plain is not None:
            self._same_record(f"action {action}", plain, after)
        return after

    def examine(self, states: Any, facts: Facts) -> None:
        """The slow checks of one state: optional hooks and texts."""
        self.text_checks.check(states, facts)
        self.hook_checks.check(states, facts)

    def name(self, states: Any, action: Any) -> str:
        try:
            return self.text_checks.name(states[0], action)
        except Broken:
            return str(action)

    # ------------------------------------------------------------ what the memory check needs

    def solo_facts(self, states: Any) -> Facts:
        return self.plain.facts(states)

    def solo_advance(self, states: Any, action: Any) -> Any:
        return self.plain.advance(states, action)

    def same_state(self, a: Any, b: Any) -> bool:
        return bool(a.tobytes() == b.tobytes())

    def _same_record(self, what: str, plain: Any, compiled: Any) -> None:
        if plain.tobytes() == compiled.tobytes():
            return
        for field in plain.dtype.names:
            one, two = np.atleast_1d(plain[field][0]), np.atleast_1d(compiled[field][0])
            places = np.argwhere(one != two)
            if len(places):
                place = tuple(places[0].tolist())
                where = str(list(place)) if one.size > 1 else ""
                raise Broken(
                    "disagree",
                    f"after {what} the field {field}{where} is {one[place]} in plain Python, "
                    f"{two[place]} when compiled",
                )


def is_incomplete(facts: Facts) -> bool:
    """Are there no actions before the end, or no utilities at the end?"""
    if facts.player == TERMINAL:
        return any(map(math.isnan, facts.returns))
    return not facts.actions


def same_facts(a: Facts, b: Facts) -> bool:
    """The same player and actions in the same order; probabilities and returns up to rounding."""
    return (
        a.player == b.player
        and a.actions == b.actions
        and np.allclose(a.chances, b.chances, rtol=1e-9, atol=1e-12)
        and np.allclose(a.returns, b.returns, rtol=1e-9, atol=1e-12, equal_nan=True)
    )
