"""The hooks for people: names of actions, boards, positions as text."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from typing import Any

from ponder.check.report import Broken, Findings
from ponder.core.compiled import Facts
from ponder.core.hooks import hook_of


class TextChecks:
    """Checks of the text hooks that the game has, in one state."""

    def __init__(self, game: Any, rules: Any, own_key: bool, findings: Findings) -> None:
        self.game, self.rules, self.own_key, self.findings = game, rules, own_key, findings

    def check(self, states: Any, facts: Facts) -> None:
        record, before = states[0], states.tobytes()
        names = {a: self.name(record, a) for a in facts.actions}
        self._names(record, names)
        for hook in ("board_text", "position_text"):
            if hasattr(self.game, hook) and not isinstance(self._call(hook, record), str):
                self.findings.add("board", f"{hook} must return a text")
        if hook_of(self.game, "board_svg") is not None:
            self.drawing(record, facts)
        if hook_of(self.game, "parse_position") is not None:
            self._position(states, facts)
        if states.tobytes() != before:
            self.findings.add("query-changes-state", "a hook for people changes the state")

    def name(self, record: Any, action: Any) -> str:
        if hook_of(self.game, "action_name") is None:
            return str(action)
        return str(self._call("action_name", record, action))

    def _names(self, record: Any, names: dict[Any, str]) -> None:
        by_name: dict[str, Any] = {}
        for action, name in names.items():
            if name.strip() != name or not name:
                self.findings.add("action_name", f"action {action} has an odd name: {name!r}")
            if name in by_name:
                self.findings.add(
                    "action_name", f"actions {by_name[name]} and {action} are both called {name!r}"
                )
            by_name[name] = action
        if any(set(name) & set(",\t\n") for name in by_name):
            self.findings.note("some action names hold commas or tabs: --moves cannot take them")
        if hook_of(self.game, "parse_action") is not None:
            self.read_back(record, names)

    def read_back(self, record: Any, names: dict[Any, str]) -> None:
        """Does `parse_action` know the actions by their names?"""
        for action, name in names.items():
            found = self._call("parse_action", record, name)
            if found is not None and found != action and found in names:
                self.findings.add(
                    "action_name", f"{name!r}, action {action}, is read back as {found}"
                )

    def drawing(self, record: Any, facts: Facts) -> None:
        """Is the board well-formed, and are the moves on it?"""
        text = self._call("board_svg", record, None, facts.actions)
        try:
            root = xml.fromstring(text)
        except (xml.ParseError, TypeError) as error:
            self.findings.add("board", f"board_svg is not well-formed: {error}")
            return
        if not root.tag.endswith("svg"):
            self.findings.add("board", f"board_svg gave <{root.tag}>, expected <svg>")
        elif hook_of(self.game, "action_places") is not None:
            for action in facts.actions:
                self._places(record, action, root.get("viewBox"))

    def _places(self, record: Any, action: Any, view: str | None) -> None:
        """Circles on the drawing."""
        places = self._call("action_places", record, action)
        try:
            circles = [(float(x), float(y), float(radius)) for x, y, radius in places]
        except (TypeError, ValueError):
            self.findings.add(
                "board", f"action_places gave {places!r}, expected circles: [(x, y, radius), ...]"
            )
            return
        left, top, width, height = map(float, (view or "0 0 inf inf").split())
        for x, y, radius in circles:
            inside = left <= x <= left + width and top <= y <= top + height
            if not inside or not radius > 0.0:
                self.findings.add(
                    "board",
                    f"action_places puts action {action} at {(x, y, radius)}, not on the drawing",
                )

    def _position(self, states: Any, facts: Facts) -> None:
        """The text parses back to a position with the same text, player, actions and returns."""
        text = self._call("position_text", states[0])
        read = self.rules.start()
        self._call("parse_position", text, read[0])
        again = self._call("position_text", read[0])
        if again != text:
            self.findings.add("position_text", f"{text!r} reads back as {again!r}")
            return
        said = self.rules.facts(read)
        if (said.player, sorted(said.actions), said.returns) != (
            facts.player,
            sorted(facts.actions),
            facts.returns,
        ):
            if self._same_by_key(states, read):
                self.findings.note(
                    "position_text leaves out history that the rules look at, as key does"
                )
                return
            self.findings.add(
                "position_text",
                f"{text!r} reads back as a position with another player, other actions or returns",
            )

    def _same_by_key(self, one: Any, two: Any) -> bool:
        """Does the game itself say that the records mean the same position?"""
        if not self.own_key:
            return False
        return bool(self.rules.query("key", one) == self.rules.query("key", two))

    def _call(self, hook: str, *args: Any) -> Any:
        try:
            return getattr(self.game, hook)(*args)
        except Exception as error:
            kind = hook if hook in ("action_name", "position_text") else "text-hook"
            raise Broken(kind, f"{hook} raised {type(error).__name__}: {error}") from None
