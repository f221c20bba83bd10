"""The rules of a record game in plain Python, every call watched.

Arrays are larger than promised and filled with a mark, so that a write out of bounds is seen
instead of damaging memory; the record is compared before and after every query.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.check.report import Broken, Findings
from ponder.core.compiled import TERMINAL, Facts
from ponder.core.game import CHANCE, Spec, new_states, rules_of
from ponder.core.twin import told, twin

SPARE = 1024
"""Places beyond what the spec promises."""
MARK = -(1 << 30) - 7
"""What no game writes."""


class GuardedRules:
    """Start, facts and actions of a record game, in plain Python. States: arrays of one record."""

    def __init__(self, game: Any, findings: Findings) -> None:
        self.part = twin(rules_of(game))
        self.spec: Spec = game.spec()
        self.findings = findings
        self.out = np.empty(self.spec.max_actions + SPARE, np.int32)
        self.chances = np.empty(self.spec.max_actions + SPARE)
        self.utilities = np.empty(self.spec.players + SPARE)

    # ------------------------------------------------------------ the contract

    def start(self) -> Any:
        states = new_states(self.spec.state, 1)
        self.call("start", states[0])
        return states

    def advance(self, states: Any, action: Any) -> Any:
        after = states.copy()
        self.call("apply_action", after[0], action)
        return after

    def facts(self, states: Any) -> Facts:
        if self.query("is_terminal", states):
            return Facts(TERMINAL, (), (), self.utilities_by("returns", states))
        player = self.query("current_player", states)
        if not _is_whole(player) or not CHANCE <= player < self.spec.players:
            raise Broken(
                "player",
                f"current_player gave {player}, accepted: 0 to {self.spec.players - 1} "
                f"and CHANCE ({CHANCE})",
            )
        if player == CHANCE:
            actions = self.listed("chance_outcomes", states)
            chances = tuple(self.chances[: len(actions)].tolist())
            return Facts(CHANCE, actions, chances, ())
        return Facts(int(player), self.listed("legal_actions", states), (), ())

    # ------------------------------------------------------------ calls under guard

    def call(self, method: str, *args: Any) -> Any:
        """Call a method of the rules; what it raises is a finding."""
        try:
            return getattr(self.part, method)(*args)
        except IndexError as error:
            if f"size {len(self.out)}" in str(error):
                raise Broken(
                    "max-actions",
                    f"{method} writes more than {len(self.out)} actions; "
                    f"max_actions is {self.spec.max_actions}",
                ) from None
            raise Broken("raises", f"{method} raised {told(error)}") from None
        except (Exception, SystemExit) as error:
            raise Broken("raises", f"{method} raised {told(error)}") from None

    def query(self, method: str, states: Any, *args: Any) -> Any:
        """Call a method that must leave the record as it is."""
        before = states.tobytes()
        value = self.call(method, states[0], *args)
        if states.tobytes() != before:
            self.findings.add(
                "query-changes-state", f"{method} changes the state; it may only look"
            )
            states[:] = np.frombuffer(before, states.dtype)
        return value

    def listed(self, method: str, states: Any) -> tuple[int, ...]:
        """What `legal_actions`, `noisy_actions` or `chance_outcomes` writes."""
        out, most = self.out, self.spec.max_actions
        out.fill(MARK)
        self.chances.fill(math.nan)
        with_chances = (self.chances,) if method == "chance_outcomes" else ()
        n = self.query(method, states, out, *with_chances)
        if not _is_whole(n) or n < 0:
            raise Broken(
                "count", f"{method} returned {n!r}, expected the number of actions written"
            )
        if n > most or (out[most:] != MARK).any():
            wrote = max(int(n), most + int((out[most:] != MARK).sum()))
            raise Broken("max-actions", f"{method} writes {wrote} actions; max_actions is {most}")
        if (out[:n] == MARK).any():
            raise Broken("count", f"{method} returned {n}, but wrote fewer actions")
        return tuple(out[:n].tolist())

    def utilities_by(self, method: str, states: Any) -> tuple[float, ...]:
        """What `returns` or `evaluate` writes; whatever it leaves out is nan."""
        out, players = self.utilities, self.spec.players
        out.fill(math.nan)
        self.query(method, states, out)
        if not np.isnan(out[players:]).all():
            self.findings.add(method, f"{method} writes more than {players} utilities")
        return tuple(out[:players].tolist())


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
