"""`ponder engines`: what can search, and what it can be made of."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ponder.cli import options
from ponder.errors import InputError, quoted


def command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An engine, preset or part, to read all about it.")
    ] = "",
    as_json: options.Json = False,
) -> None:
    """List engines, presets and parts; with a name, explain one."""
    from ponder.core.catalogue import describe
    from ponder.core.registry import ENGINES, PARTS, PRESETS

    tables = {"engine": ENGINES, "preset": PRESETS}
    tables |= {kind: table for kind, table in PARTS.items() if kind != "engine"}
    rows = [
        describe(kind, key, target)
        for kind, table in tables.items()
        for key, target in table.items()
        if not name or key == name
    ]
    if not rows:
        from difflib import get_close_matches

        close = get_close_matches(name, [key for table in tables.values() for key in table], 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InputError(f"unknown engine or part {quoted(name)}{hint} (ponder engines lists them)")
    if as_json:
        print(json.dumps({"engines": rows}))
    elif name:
        print("\n\n".join(page(row) for row in rows))
    else:
        print(listing(rows))


def first_line(text: str) -> str:
    return text.partition("\n")[0]


def listing(rows: list[dict[str, Any]]) -> str:
    """A line each, under the kind they are of."""
    width = max(len(row["name"]) for row in rows)
    lines: list[str] = []
    kind = ""
    for row in rows:
        if row["kind"] != kind:
            kind = row["kind"]
            lines += ["", kind] if lines else [kind]
        lines.append(f"  {row['name']:{width}}  {first_line(row['about'])}")
    lines += ["", "ponder engines NAME explains one; a part goes where its kind says:"]
    lines.append('  ponder search connect4 --engine "mcts(select=puct(), backup=solver())"')
    return "\n".join(lines)


def page(row: dict[str, Any]) -> str:
    lines = [f"{row['name']} ({row['kind']})", "", row["about"]]
    if row["parameters"]:
        lines += ["", "parameters"]
        for name, default in row["parameters"].items():
            lines.append(f"  {name} = {default}" if default is not None else f"  {name}")
    return "\n".join(lines)
