"""One select rule on one bandit, pull by pull: what the Lecture page shows of it.

A simulation of the game `bandit` is a pull. After each one the session is asked what it knows; so
going back is to look that up, and going on is to run on.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.arena.rating import wilson
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.registry import parse_engine, part_text
from ponder.core.result import MoveRow
from ponder.errors import InputError
from ponder.games.bandit import Bandit
from ponder.lab.bandit import regrets_of
from ponder.mcts.engine import MCTS
from ponder.mcts.session import MCTSSession
from ponder.mcts.why import Reason, why


class Rule(NamedTuple):
    """Which gambler: the arms, the select rule as text, and the seed."""

    arms: tuple[float, ...]
    select: str
    seed: int


class Gambler:
    """The session of one rule, and what it knew after each pull."""

    def __init__(self, rule: Rule) -> None:
        game = Bandit(*canonical(Bandit(rule.arms)))
        start = Position(game)
        self.names = start.legal_names
        engine = parse_engine(f"mcts(select={rule.select})")
        session = engine.start(start, seed=rule.seed)
        if not isinstance(engine, MCTS) or not isinstance(session, MCTSSession):
            raise InputError(f"{rule.select} is not a select rule")
        self.session, self.rule = session, part_text(engine.select)
        self.regrets: list[float] = []
        """After no pull, one, two ..."""
        self.known: list[dict[str, Any]] = [self._known(None)]

    @property
    def pulls(self) -> int:
        return len(self.known) - 1

    def pull(self) -> None:
        """One more."""
        self.session.step()
        self.known.append(self._known(self.known[-1]))

    def _known(self, before: dict[str, Any] | None) -> dict[str, Any]:
        result = self.session.result()
        self.regrets.append(regrets_of(result)[0] if before else 0.0)
        reasons: list[Reason] = []
        if before is not None:
            tree = self.session.live_tree()
            reasons = why(tree, tree.root)
        thought = {reason.name: reason for reason in reasons}
        rows = {row.name: row for row in result.moves}
        arms = [self._arm(name, rows.get(name), thought.get(name)) for name in self.names]
        made: dict[str, Any] = {"arms": arms, "next": reasons[0].name if reasons else None}
        if before is not None:
            made |= pulled(before["arms"], arms)
        return made

    def _arm(self, name: str, row: MoveRow | None, thought: Reason | None) -> dict[str, Any]:
        """What is known of an arm: pulls, wins, the interval of its chance, what the rule says."""
        arm: dict[str, Any] = {"name": name, "pulls": row.visits if row else 0}
        if row and row.visits and row.value is not None:
            low, high = wilson(row.value, row.visits)
            wins = round(row.value * row.visits)
            arm |= {"mean": float(row.value), "low": low, "high": high, "wins": wins}
        if thought is None:
            return arm
        if "probability" in thought.terms:
            arm["probability"] = float(thought.terms["probability"])
        elif "mean" in thought.terms and thought.score is not None and arm["pulls"]:
            score = float(thought.score)
            arm["bound"] = score if math.isfinite(score) else None
        if thought.closed:
            arm["cut"] = True
        return arm

    def at(self, pulls: int) -> dict[str, Any]:
        """What it knew after so many pulls."""
        return {
            "rule": self.rule,
            **self.known[pulls],
            "regret": self.regrets[pulls],
            "regrets": self.regrets,
        }


def pulled(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> dict[str, Any]:
    """The arm that was pulled between two moments, and whether it won."""
    for old, new in zip(before, after, strict=True):
        if new["pulls"] > old["pulls"]:
            return {"last": new["name"], "won": new["wins"] > old.get("wins", 0)}
    return {}
