"""Random games, with every state judged. The pace of the slow checks is kept to a time budget."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from typing import Any

from ponder.check.report import Broken, Counts, Findings
from ponder.core.compiled import TERMINAL, Facts, chances_problem, utilities_problem
from ponder.core.game import CHANCE

ENOUGH_GAMES = 5
"""A player who moves in none of so many games never does."""


class Walk:
    """Plays the random games. `subject` is a `RecordGame` or a `CheckedPlainGame`."""

    def __init__(
        self,
        subject: Any,
        findings: Findings,
        games: int,
        seconds: float,
        progress: Callable[[str], None],
        until: float = math.inf,
    ) -> None:
        """`until`: when, by `time.perf_counter`, all playing ends."""
        self.subject, self.findings, self.games = subject, findings, games
        self.budget, self.progress, self.until = seconds, progress, until
        self.counts = Counts()
        self.spent = 0.0
        self.sum: float | None = None
        self.played: list[list[Any]] = []
        """The actions of each game."""
        self.movers: set[int] = set()

    def run(self) -> None:
        for number in range(self.games):
            if time.perf_counter() > self.until:
                break
            self.findings.game = number + 1
            self.played.append([])
            self.findings.moves = self._names
            try:
                self._play(random.Random(f"{self.findings.seed} {number}"), number)
            except Broken as broken:
                self.findings.add(broken.kind, broken.message)
            self.counts.games += 1
            self.counts.longest = max(self.counts.longest, len(self.played[-1]))
        self.findings.game = None
        idle = sorted({*range(self.subject.players)} - self.movers)
        whole = self.games >= ENOUGH_GAMES and self.until == math.inf
        if idle and self.findings.ok and whole:
            self.findings.add(
                "players",
                f"player {idle[0]} moves in none of {self.games} games; "
                f"there are said to be {self.subject.players} players",
            )

    def _play(self, rng: random.Random, number: int) -> None:
        subject, actions = self.subject, self.played[-1]
        state = subject.start()
        while True:
            self.counts.states += 1
            self.progress(
                f"game {number + 1} of {self.games}, move {len(actions)}, "
                f"{self.counts.states:,} states, {len(self.findings.found)} findings"
            )
            in_depth = self._has_time(number, len(actions))
            began = time.perf_counter()
            facts = subject.facts(state, in_depth)
            if facts.player == TERMINAL and not in_depth and self.spent < 2 * self.budget:
                in_depth, facts = True, subject.facts(state, True)
            self._judge(facts)
            if in_depth:
                self.counts.examined += 1
                subject.examine(state, facts)
            if facts.player == TERMINAL:
                if not actions:
                    self.findings.add("over", "the game is over at the start: nobody ever moves")
                self._spend(began, in_depth)
                return
            if time.perf_counter() > self.until:
                return
            self.movers.add(facts.player)
            if len(actions) >= subject.max_length:
                raise Broken(
                    "max-length",
                    f"the game is not over after {len(actions):,} actions, "
                    f"the {subject.length_promised_by}",
                )
            weights = facts.chances if facts.player == CHANCE else None
            action = rng.choices(facts.actions, weights)[0]
            state = subject.advance(state, action, in_depth)
            actions.append(action)
            self._spend(began, in_depth)

    def _has_time(self, number: int, ply: int) -> bool:
        """Is less of the budget spent than of the way gone?

        The way is counted in games; within a game it is guessed from the games before.
        """
        if ply == 0:
            return True
        usual = self.counts.states / max(self.counts.games, 1)
        way = number + min(ply / max(usual, 20.0), 1.0)
        return self.spent <= self.budget * way / self.games

    def _spend(self, began: float, in_depth: bool) -> None:
        if in_depth and self.counts.states > 1:  # the first state pays for compiling
            self.spent += time.perf_counter() - began

    def _judge(self, facts: Facts) -> None:
        """What the contract says of one state's facts alone."""
        if facts.player == TERMINAL:
            self._judge_returns(facts.returns)
            return
        what = "outcomes" if facts.player == CHANCE else "legal actions"
        if not facts.actions:
            hint = " (chance_outcomes is missing)" if facts.player == CHANCE else ""
            kind = "chance" if facts.player == CHANCE else "no-actions"
            raise Broken(kind, f"there are no {what} in a state that is not terminal{hint}")
        if len(set(facts.actions)) < len(facts.actions):
            twice = next(a for a in facts.actions if facts.actions.count(a) > 1)
            self.findings.add("duplicate", f"the {what} list {twice!r} more than once")
        most = self.subject.distinct_actions
        if most is not None:
            wrong = [a for a in facts.actions if not 0 <= a < most]
            if wrong:
                self.findings.add(
                    "action-range",
                    f"action {wrong[0]} is outside 0 .. {most - 1} (distinct_actions)",
                )
        if facts.player == CHANCE:
            self._judge_chances(facts)
        else:
            self.counts.decision(len(facts.actions))

    def _judge_chances(self, facts: Facts) -> None:
        problem = chances_problem(facts.chances)
        if problem:
            self.findings.add("chance", problem)
            if not sum(facts.chances) > 0:  # nothing can be drawn
                raise Broken("chance", problem)

    def _judge_returns(self, utilities: tuple[float, ...]) -> None:
        subject = self.subject
        problem = utilities_problem("returns", utilities, subject.lowest, subject.highest)
        if problem:
            self.findings.add("returns", problem)
            return
        total = math.fsum(utilities)
        self.sum = total if self.sum is None else self.sum
        if subject.constant_sum and not math.isclose(total, self.sum, abs_tol=1e-6):
            self.findings.add(
                "zero-sum",
                f"the utilities add up to {total:g} here and to {self.sum:g} in another game, "
                "although the spec says zero_sum",
            )

    def _names(self) -> list[str]:
        """The moves of the running game by name: it is replayed for that."""
        names = []
        try:
            state = self.subject.start()
            for action in self.played[-1]:
                names.append(self.subject.name(state, action))
                state = self.subject.advance(state, action, False)
        except Exception:
            names += [str(a) for a in self.played[-1][len(names) :]]
        return names
