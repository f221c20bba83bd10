"""The public API as text: a line for each name, with its signature.

    NUMBA_DISABLE_JIT=1 python tests/public_api.py

renews tests/public_api.txt; the diff is what changes for users. Public is what stands in `ponder`,
in its namespaces and in their classes without an underscore, what these give back, what the
documentation imports from elsewhere, and the names of engines, games and parts in texts.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ponder
from ponder.core.registry import ENGINES, GAMES, PARTS, PRESETS, load

HERE = Path(__file__).resolve().parent
SNAPSHOT = HERE / "public_api.txt"
IMPORT = re.compile(r"^\s*from (ponder[\w.]*) import (\([^)]*\)|[^\n#]*)", re.MULTILINE)
TEXTS = {"engine": ENGINES, "preset": PRESETS, "game": GAMES, **PARTS}
"""By the kind of thing that a text names."""


def api_lines() -> list[str]:
    """All of it, sorted."""
    values = [*public_values(), *documented_values()]
    made = {line for path, value in values for line in lines_of(path, value)}
    for name, cls in given_back({value for _, value in values if inspect.isclass(value)}):
        made.update(lines_of(f"given back {name}", cls))
    for kind, table in TEXTS.items():
        made.update(f"text {kind} {name}{signature_of(load(table[name]))}" for name in table)
    return sorted(made)


def public_values() -> Iterator[tuple[str, Any]]:
    for name in ponder.__all__:
        value = getattr(ponder, name)
        if inspect.ismodule(value):
            yield from ((f"ponder.{name}.{one}", getattr(value, one)) for one in value.__all__)
        else:
            yield f"ponder.{name}", value


def documented_values() -> Iterator[tuple[str, Any]]:
    """What the pages and the examples import from below the namespaces."""
    root = HERE.parent
    pages = [root / "README.md", *root.glob("docs/**/*.md"), *root.glob("examples/*.py")]
    for page in sorted(pages):
        for module, names in IMPORT.findall(page.read_text()):
            if module == "ponder" or module.removeprefix("ponder.") in ponder.__all__:
                continue
            for name in re.findall(r"\w+", re.sub(r" as \w+", "", names)):
                yield f"{module}.{name}", getattr(importlib.import_module(module), name)


def given_back(known: set[Any]) -> Iterator[tuple[str, Any]]:
    """The classes of ours that the names at the top return, and those that these return."""
    for module in pkgutil.walk_packages(ponder.__path__, "ponder."):
        if module.name != "ponder.__main__":
            importlib.import_module(module.name)
    classes = {
        name: value
        for path, module in sorted(sys.modules.items())
        if path.startswith("ponder.")
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == path and not name.startswith("_")
    }
    waiting = [line for name in ponder.__all__ for line in lines_of(name, getattr(ponder, name))]
    for line in waiting:
        for name in re.findall(r"\b[A-Z]\w+", line.partition(" -> ")[2]):
            if name in classes and classes[name] not in known:
                known.add(classes[name])
                yield name, classes[name]
                waiting += lines_of(name, classes[name])


# ------------------------------------------------------------------ lines


def lines_of(path: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"{path}{signature_of(value)}{bases_of(value)}"
        yield from members_of(path, value)
    elif callable(value):
        yield f"{path}{signature_of(value)}"
    elif inspect.ismodule(value):
        yield f"{path}: a module"
    else:
        yield f"{path} = {value_text(value)}"


def members_of(path: str, cls: Any) -> Iterator[str]:
    """The fields, methods and constants that a class of ours, or a base of it, brings."""
    types = {name: text for base in reversed(cls.__mro__) for name, text in hints_of(base)}
    for name in {*types, *dir(cls)}:
        if name.startswith("_"):
            continue
        found = inspect.getattr_static(cls, name, None)
        if name in types and (name in fields_of(cls) or found is None):
            yield f"{path}.{name}: {types[name]}"
        elif isinstance(found, property | functools.cached_property):
            getter = found.fget if isinstance(found, property) else found.func
            yield f"{path}.{name} -> {inspect.signature(getter).return_annotation} (property)"
        elif is_of_ours(cls, name):
            value = getattr(cls, name)
            yield f"{path}.{name}" + (
                signature_of(value) if callable(value) else f" = {value_text(value)}"
            )


def hints_of(cls: Any) -> Iterator[tuple[str, Any]]:
    for name, said in vars(cls).get("__annotations__", {}).items():
        yield name, said if isinstance(said, str) else getattr(said, "__forward_arg__", said)


def fields_of(cls: Any) -> tuple[str, ...]:
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls))
    return tuple(getattr(cls, "_fields", ()))


def is_of_ours(cls: Any, name: str) -> bool:
    """Does the class have it from one of ours, not from tuple or Exception?"""
    home = next(base for base in cls.__mro__ if name in vars(base))
    return home.__module__.startswith("ponder")


def bases_of(cls: Any) -> str:
    """What an instance is besides, as far as users can name it."""
    known = {getattr(ponder, name) for name in ponder.__all__ if hasattr(ponder, name)}
    named = [
        base.__name__
        for base in cls.__mro__[1:]
        if base is not object and (base in known or base.__module__ == "builtins")
    ]
    return f" is a {', '.join(named)}" if named else ""


def signature_of(value: Any) -> str:
    """``(self, position: Position, *, depth: int | None = None) -> SearchResult``."""
    try:
        found = inspect.signature(value)
    except ValueError:  # an exception without a constructor of its own
        return "(...)"
    words = []
    bar = False
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not bar:
            words.append("*")
        bar = bar or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        words.append(stars + one.name + type_text(one.annotation) + default_text(one.default))
        if one.kind is one.POSITIONAL_ONLY:
            words.append("/")
    last = max((i for i, word in enumerate(words) if word == "/"), default=-1)
    words = [word for i, word in enumerate(words) if word != "/" or i == last]
    gives = found.return_annotation
    return f"({', '.join(words)})" + ("" if gives is found.empty else f" -> {plain_type(gives)}")


def type_text(said: Any) -> str:
    return "" if said is inspect.Parameter.empty else f": {plain_type(said)}"


def plain_type(said: Any) -> str:
    """As it is written in the source."""
    said = getattr(said, "__forward_arg__", said)
    return said if isinstance(said, str) else getattr(said, "__name__", str(said))


def default_text(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    return f" = {value_text(value)}"


def value_text(value: Any) -> str:
    """The same in every process: sets in order, no addresses."""
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(value_text, value))) + "}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def main() -> None:
    SNAPSHOT.write_text("\n".join(api_lines()) + "\n")


if __name__ == "__main__":
    main()
