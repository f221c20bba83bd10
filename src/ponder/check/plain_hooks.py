"""The optional methods of a plain Python game that only some searches ask, in one state."""

from __future__ import annotations

import math
from typing import Any

from ponder.check.texts import TextChecks
from ponder.core.compiled import TERMINAL, Facts
from ponder.core.game import CHANCE
from ponder.core.geometry import geometry_problem
from ponder.core.hooks import fact_of

MOST_ORDERED = 16
"""Moves of one state whose order is asked."""


class PlainHookChecks:
    """What hooks of a `CheckedPlainGame` say, against what its rules say."""

    def __init__(self, subject: Any) -> None:
        self.subject, self.game, self.findings = subject, subject.game, subject.findings
        self.texts = TextChecks(subject.game, None, False, subject.findings)

    def check(self, state: Any, facts: Facts, names: dict[Any, str]) -> None:
        """`names`: those of the actions."""
        hooks = self.subject.hooks
        if facts.player not in (TERMINAL, CHANCE):
            for hook, look in (
                ("order", self._order),
                ("winning_action", self._winning_action),
                ("cells", self._cells),
            ):
                if hook in hooks:
                    look(state, facts)
        if "parse_action" in hooks:
            self.texts.read_back(state, names)
        if "board_svg" in hooks:
            self.texts.drawing(state, facts)
        if "position_text" in hooks and "parse_position" in hooks:
            self._position(state, facts)

    def _order(self, state: Any, facts: Facts) -> None:
        for action in facts.actions[:MOST_ORDERED]:
            given = self.subject.query("order", state, action)
            try:
                score = float(given)
            except (TypeError, ValueError):
                score = math.nan
            if not math.isfinite(score):
                self.findings.add(
                    "order", f"order gave {given!r} for action {action!r}, expected a number"
                )
                return

    def _winning_action(self, state: Any, facts: Facts) -> None:
        """The action wins at once; where there is none, no action does."""
        action = self.subject.query("winning_action", state)
        if action is None:
            won = next((a for a in facts.actions if self._wins(state, facts.player, a)), None)
            if won is not None:
                self._wrong_win(f"None, but {won!r} wins")
        elif action not in facts.actions:
            self._wrong_win(f"{action!r}, not legal here")
        elif not self._wins(state, facts.player, action):
            self._wrong_win(f"{action!r}, which does not win")

    def _wrong_win(self, said: str) -> None:
        self.findings.add("winning_action", f"winning_action gave {said}")

    def _wins(self, state: Any, player: int, action: Any) -> bool:
        """Does the action end the game with the highest utility there is?"""
        after = self.subject.advance(state, action, in_depth=False)
        reached = self.subject.facts(after, in_depth=False)
        return bool(reached.player == TERMINAL and reached.returns[player] >= self.subject.highest)

    def _cells(self, state: Any, facts: Facts) -> None:
        """A code in every cell of the board."""
        board: Any = fact_of(self.game, "board", None)
        problem = geometry_problem(board) if board is not None else "the class has no board"
        if problem:
            self.findings.add(
                "cells", f"cells needs board = Geometry(rows, columns, codes): {problem}"
            )
            return
        given = self.subject.query("cells", state, facts.player)
        try:
            codes = [int(code) for code in given]
        except (TypeError, ValueError):
            self.findings.add("cells", f"cells gave {given!r}, expected a list of codes")
            return
        if len(codes) != board.cells:
            self.findings.add(
                "cells", f"cells gave {len(codes)} codes; the board has {board.cells} cells"
            )
        elif not all(0 <= code < board.codes for code in codes):
            wrong = next(code for code in codes if not 0 <= code < board.codes)
            self.findings.add("cells", f"cells gave {wrong}; codes are 0 to {board.codes - 1}")

    def _position(self, state: Any, facts: Facts) -> None:
        """The text parses back to a position with the same text, player, actions and returns."""
        text = self.subject.query("position_text", state)
        if not isinstance(text, str):
            self.findings.add("position_text", f"position_text gave {text!r}, expected a text")
            return
        read = self.subject.call("parse_position", text)
        again = self.subject.query("position_text", read)
        if again != text:
            self.findings.add("position_text", f"{text!r} reads back as {again!r}")
            return
        said = self.subject.facts(read, in_depth=False)
        same = (said.player, said.returns) == (facts.player, facts.returns)
        if not same or set(said.actions) != set(facts.actions):
            if "key" in self.subject.hooks and self._key(read) == self._key(state):
                self.findings.note(
                    "position_text leaves out history that the rules look at, as key does"
                )
                return
            self.findings.add(
                "position_text",
                f"{text!r} reads back as a position with another player, other actions or returns",
            )

    def _key(self, state: Any) -> Any:
        return self.subject.query("key", state)
