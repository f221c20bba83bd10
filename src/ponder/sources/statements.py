"""The statements of the sources, read from `statements.toml`."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("statements.toml")
STATES = ("exact", "partly", "absent", "not software")


class Source(NamedTuple):
    """One of the five documents."""

    key: str
    title: str
    by: str
    """Who wrote it, and where."""
    names: tuple[str, ...]
    """Other words that stand for the whole source in a search."""


class Statement(NamedTuple):
    """One thing that a source says, in our words."""

    number: int
    source: str
    """The key of its source."""
    line: str
    """Where it stands there: lines of its text, such as ``5, 69-74``."""
    heading: str
    statement: str
    state: str
    """exact, partly, absent, or not software."""
    where: tuple[str, ...] = ()
    """Python names, pages, tests, and verdicts of the lab (``lab gem: finds holds``)."""
    command: str = ""
    """What to type, a line for each command; they run one after the other in one folder."""
    shows: tuple[str, ...] = ()
    """What stands in the output of the commands, among other things."""
    reason: str = ""
    """What differs, or why there is nothing."""
    words: str = ""
    """Words by which a reader of the source would look for it, beyond those above."""
    slow: bool = False
    """Do the commands take more than a second in plain mode? Then
    `benchmarks/agreement/sources.py` runs them."""

    @property
    def commands(self) -> list[str]:
        return self.command.splitlines()

    def to_json(self) -> dict[str, Any]:
        """The record as ``ponder sources --json`` prints it."""
        return {
            "number": self.number,
            "source": self.source,
            "line": self.line,
            "heading": self.heading,
            "statement": self.statement,
            "state": self.state,
            "where": list(self.where),
            "command": self.command,
            "reason": self.reason,
        }


class Map(NamedTuple):
    """All sources and statements, in the order of the file."""

    sources: dict[str, Source]
    statements: tuple[Statement, ...]

    def headings(self, source: str) -> list[str]:
        """The headings of a source, in order."""
        return list(dict.fromkeys(s.heading for s in self.statements if s.source == source))

    def under(self, source: str, heading: str) -> list[Statement]:
        return [s for s in self.statements if (s.source, s.heading) == (source, heading)]

    def sections(self) -> Iterator[tuple[Source, str, list[Statement]]]:
        """Source, heading and statements, one heading after the other."""
        for source in self.sources.values():
            for heading in self.headings(source.key):
                yield source, heading, self.under(source.key, heading)


@functools.cache
def read_map() -> Map:
    """The map that comes with Ponder."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    sources = [Source(**row | {"names": tuple(row["names"])}) for row in data["source"]]
    statements = [
        Statement(**row | {name: tuple(row.get(name, ())) for name in ("where", "shows")})
        for row in data["statement"]
    ]
    return Map({source.key: source for source in sources}, tuple(statements))
