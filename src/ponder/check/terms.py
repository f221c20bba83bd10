"""`evaluate_terms` in one state: do the terms make up `evaluate`, with constant weights?"""

from __future__ import annotations

from typing import Any

from ponder.check.report import Findings
from ponder.core.terms import terms_of, terms_problem
from ponder.errors import GameError


class TermChecks:
    """Checks of the hook of some rules (a plain Python game's: the game); remembers the weights."""

    def __init__(self, rules: Any, findings: Findings) -> None:
        self.rules, self.findings = rules, findings
        self.weights: list[tuple[str, float]] = []

    def check(self, state: Any, values: tuple[float, ...]) -> None:
        """For every player; `values` is what `evaluate` says of the state."""
        for player, value in enumerate(values):
            try:
                terms = terms_of(self.rules, state, player)
                problem = terms_problem(self.rules, state, player, terms, value)
            except GameError as error:
                problem = str(error)
            if problem:
                self.findings.add("evaluate_terms", problem)
                return
            weights = [(term.name, term.weight) for term in terms]
            self.weights = self.weights or weights
            if weights and weights != self.weights:
                self.findings.add(
                    "evaluate_terms",
                    f"evaluate_terms gives {_shown(weights)} here, {_shown(self.weights)} "
                    "elsewhere: names and weights are the same everywhere",
                )
                return


def _shown(weights: list[tuple[str, float]]) -> str:
    return ", ".join(f"{name} * {weight:g}" for name, weight in weights)[:200]
