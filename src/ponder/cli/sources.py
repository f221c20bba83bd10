"""`ponder sources`: what the sources say of a thing, and how to see it here."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from ponder.cli.console import say

if TYPE_CHECKING:
    from ponder.sources.statements import Map, Statement

SHOWN = 8
"""Statements that are printed without --all."""
WIDTH = 100


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD...", help="What to look for; a source's name; omit for the headings."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every statement found.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON list and nothing else.")
    ] = False,
) -> None:
    """What five sources on game-tree search say, and the command that shows it.

    Looks for statements that have all the words: ponder sources beam search. The name of a source
    (coulom, alphago, survey, tsinghua, basel) keeps to that source.
    """
    from ponder.sources.finding import Found, find
    from ponder.sources.statements import read_map

    everything = read_map()
    question = " ".join(words or ())
    found = find(question, everything) if words else Found([*everything.statements], [], False)
    if as_json:
        print(json.dumps([s.to_json() for s in found.statements]))
        return
    if not words and not every:
        print(overview(everything))
        return
    if found.missing:
        say(f"no statement has {', '.join(found.missing)}: looked for the other words")
    if found.partial:
        say("no statement has all the words: these have the most telling of them")
    shown = found.statements if every else found.statements[:SHOWN]
    print("\n\n".join(entry(s, everything) for s in shown))
    if len(shown) < len(found.statements):
        left = len(found.statements) - len(shown)
        print(f"\n{left} more: ponder sources {question} --all")


def entry(s: Statement, everything: Map) -> str:
    """One statement for people: what it says, whether it is here, and how to see it."""
    source = everything.sources[s.source]
    head = f"{s.number}  {source.title}, line{'s' * (not s.line.isdecimal())} {s.line}: {s.heading}"
    lines = [head, *wrapped("", s.statement)]
    lines += wrapped(f"{s.state}{': ' if s.reason else ''}", s.reason)
    lines += [f"  $ {line}" for line in s.commands]
    lines += wrapped("see ", ", ".join(s.where)) if s.where else []
    return "\n".join(lines)


def wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        label + text,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def overview(everything: Map) -> str:
    """The sources with their headings, and how much of each is here."""
    from ponder.sources.statements import STATES

    lines: list[str] = []
    for source in everything.sources.values():
        own = [s for s in everything.statements if s.source == source.key]
        counts = [(state, sum(s.state == state for s in own)) for state in STATES]
        told = ", ".join(f"{count} {state}" for state, count in counts if count)
        lines += [f"{source.key}  {source.title} ({source.by})", f"  {len(own)} statements: {told}"]
        lines += wrapped("", "; ".join(everything.headings(source.key)))
        lines.append("")
    lines.append("ponder sources WORD... searches them: ponder sources beam search")
    return "\n".join(lines)
