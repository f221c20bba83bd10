"""Errors for people: each message is one line that says what was wrong and what is accepted."""

from __future__ import annotations

from typing import Any


class PonderError(Exception):
    """Base of all errors that Ponder raises on purpose. The command line exits with status 2.

    Whatever a file or a name that the message quotes contains, it is one line, without codes that a
    terminal would obey.
    """

    def __str__(self) -> str:
        return printable(super().__str__())


class InputError(PonderError, ValueError):
    """What the user gave (a name, a number, a text, a file) cannot be used."""


class UnnamedFile(InputError):
    """Data name a Python file (the second argument) that the user has not named: it is not run."""

    def __str__(self) -> str:
        return printable(str(self.args[0]))


class IllegalAction(InputError):
    """The action is not legal in this position."""


class GameError(PonderError):
    """A game's own rules raised an error or broke the contract during a search."""


class CompileError(PonderError):
    """A game or rule is not in the part of Python that compiles."""


def installing(extra: str) -> str:
    """How to install what not everybody needs. The package index knows another "ponder"."""
    return f"pip install 'ponder-search[{extra}]'"


def printable(text: str) -> str:
    """The text on one line: blanks for line breaks, other unprintable characters written out."""
    if text.isprintable():
        return text
    shown = (c if c.isprintable() else " " if c in "\n\r\t" else repr(c)[1:-1] for c in text)
    return "".join(shown)


LONGEST_QUOTE = 60


def quoted(given: object) -> str:
    """What somebody gave, as a message shows it: of a long text the beginning."""
    if isinstance(given, str) and len(given) > LONGEST_QUOTE:
        return repr(given[: LONGEST_QUOTE - 3] + "...")
    shown = repr(given)
    return shown if len(shown) <= 2 * LONGEST_QUOTE else shown[:LONGEST_QUOTE] + "..."


def kind_of(given: Any) -> str:
    """A plain value as it is, an object by its class: a whole result is no part of a sentence."""
    plain = isinstance(given, int | float | str | bytes)
    return quoted(given) if plain else f"an object of class {type(given).__name__}"
