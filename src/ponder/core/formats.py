"""The formats of files that Ponder reads: how they are told apart, an example, and its reader.

Each layer lists its own under ``FORMATS`` in its ``names.py``; `ponder.core.registry` collects
them. Tests walk over that table, so a format that is listed is tried with damaged, crafted and
code-naming contents.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ponder.errors import InputError


class FileFormat(NamedTuple):
    """A format of files. `write` and `read` are ``module:function`` texts, loaded when called."""

    about: str
    """What a sentence calls such a file: "a saved search"."""
    begins: bytes
    """How every such file begins; nothing where that tells nothing."""
    name: str
    """A usual file name; where a file belongs to a folder, its path in there."""
    write: str
    """``write(path)`` makes a small example."""
    read: str
    """``read(path)`` reads a file under that name as if it were the example, with the checks of
    whoever uses such files, and returns something comparable; PonderError if it is refused."""

    def write_example(self, folder: Path) -> Path:
        """Make the example in a folder; returns its path."""
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        _loaded(self.write)(path)
        return path

    def read_example(self, path: Path) -> Any:
        """Read a file, under the name of the example, that may be the example."""
        return _loaded(self.read)(path)


class RecordFormat(NamedTuple):
    """A text in which games are written down. `read`, `write` and `each` are ``module:function``
    texts, loaded when called; empty where there is no such function."""

    title: str
    """What a sentence calls it: "PGN"."""
    game: str = ""
    """The name of the game whose records these are; empty: every game has them."""
    sign: str = ""
    """A regular expression (of lines) for which to search in a text that may be one."""
    sign_of_home: str = ""
    """Another, that tells as much only where `game` is what is being played."""
    read: str = ""
    """``read(text, game)``: the position after the last move, then sentences about what was left
    out."""
    write: str = ""
    """``write(position, result)``: the game that led there."""
    suffix: str = ""
    """How files of such records end."""
    each: str = ""
    """``each(data, game, plies)``: the openings of a file's games, `ponder.core.record_formats`."""


def _loaded(target: str) -> Any:
    from ponder.core.registry import load  # which imports this module

    return load(target)


def wrong_format(path: str | Path, wanted: str, data: bytes) -> InputError:
    """The error of a reader that was given something else, which is named if it is known."""
    from ponder.core.registry import FORMATS

    known = (form for form in FORMATS.values() if form.begins and data.startswith(form.begins))
    found = next((form.about for form in known if form.about != wanted), None)
    return InputError(f"{path} is not {wanted}" + (f"; it is {found}" if found else ""))
