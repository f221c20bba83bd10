"""What there is, with its parameters and docstrings: for lists, help pages and forms."""

from __future__ import annotations

import inspect
from typing import Any

from ponder.core.parts import value_text
from ponder.core.registry import load, part_text


def describe(kind: str, name: str, target: str) -> dict[str, Any]:
    """Name, kind, what it is, its parameters with their defaults as texts."""
    made = load(target)
    text = inspect.cleandoc(made.__doc__ or "")
    return {"kind": kind, "name": name, "about": text, "parameters": parameters(made)}


def parameters(made: Any) -> dict[str, str | None]:
    """Each parameter's default as it is written in a call; None where there is none."""

    def shown(value: Any) -> str:
        nested = isinstance(value, tuple) and hasattr(value, "_fields")
        return part_text(value) if nested else value_text(value)

    if hasattr(made, "_fields"):
        given = made._field_defaults
        return {f: shown(given[f]) if f in given else None for f in made._fields}
    return {
        p.name: shown(p.default)
        for p in inspect.signature(made).parameters.values()
        if p.kind != p.VAR_KEYWORD
    }
