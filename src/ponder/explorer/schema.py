"""Checks of what a page sends: every field of a message has one. Nothing is converted.

A check is a function that takes the value and returns a sentence about what is wrong, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ponder.errors import quoted

Check = Callable[[Any], str | None]

LONGEST_TEXT = 4000
HALF = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs: JSON can say them, no file can hold them."""


def text(most: int = LONGEST_TEXT) -> Check:
    """A text of at most so many characters."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return f"must be a text, not {quoted(value)}"
        if HALF.search(value):
            return "ends in half a character"
        return None if len(value) <= most else f"must have at most {most:,} characters"

    return check


def whole(low: int, high: int) -> Check:
    """A whole number from `low` to `high`."""

    def check(value: Any) -> str | None:
        if type(value) is int and low <= value <= high:
            return None
        return f"must be a whole number from {low:,} to {high:,}, not {quoted(value)}"

    return check


def number(low: float, high: float) -> Check:
    """A number from `low` to `high`."""

    def check(value: Any) -> str | None:
        # compared as it is: an integer may be larger than any float
        if type(value) in (int, float) and low <= value <= high:  # nor is NaN in between
            return None
        return f"must be a number from {low:g} to {high:g}, not {quoted(value)}"

    return check


def flag(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else f"must be true or false, not {quoted(value)}"


def listing(of: Check, most: int) -> Check:
    """A list of at most so many values."""

    def check(value: Any) -> str | None:
        if not isinstance(value, list):
            return f"must be a list, not {quoted(value)}"
        if len(value) > most:
            return f"must have at most {most:,} entries"
        return next((f"has an entry that {wrong}" for one in value if (wrong := of(one))), None)

    return check


def table(fields: Mapping[str, Check], needed: tuple[str, ...] = ()) -> Check:
    """An object with these fields and no others; `needed` must be there."""

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return f"must be an object, not {quoted(value)}"
        for name in needed:
            if name not in value:
                return f"lacks {name}"
        for name, one in value.items():
            if name not in fields:
                return f"has a field {quoted(name)} (accepted: {', '.join(fields)})"
            if wrong := fields[name](one):
                return f"has {name}, which {wrong}"
        return None

    check.fields = fields  # type: ignore[attr-defined]
    return check


def first_wrong(name: str, check: Check, value: Any) -> str | None:
    """What is wrong with a field, as a sentence about the innermost field that has a name."""
    if isinstance(value, dict):
        for inner, one in getattr(check, "fields", {}).items():
            if inner in value and (found := first_wrong(inner, one, value[inner])):
                return found
    return f"{name} {wrong}" if (wrong := check(value)) else None


def by_name(of: Check, most: int) -> Check:
    """An object with at most so many fields, whatever their names."""

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return f"must be an object, not {quoted(value)}"
        if len(value) > most:
            return f"must have at most {most:,} fields"
        wrong = ((name, of(one)) for name, one in value.items())
        return next((f"has {quoted(name)}, which {found}" for name, found in wrong if found), None)

    return check


def optional(of: Check) -> Check:
    """Null, or what `of` accepts."""
    return lambda value: None if value is None else of(value)
