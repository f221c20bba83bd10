"""`ponder endgame build` and `ponder endgame probe`: tables of positions that are solved."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, rich_console
from ponder.cli.waiting import compiling
from ponder.errors import InputError

Folder = Annotated[
    str,
    typer.Option(
        "--out",
        metavar="FOLDER",
        help="Where tables are written; without it $PONDER_DATA/endgame, "
        "else ~/.local/share/ponder/endgame.",
    ),
]
Tables = Annotated[
    str, typer.Option("--tables", metavar="PATH", help="A folder of tables, or one file.")
]
SHOWN_ELSEWHERE = ("game", "record", "source", "kind", "class", "path", "bytes", "seconds")


app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})


@app.callback(invoke_without_command=True)
def group(context: typer.Context) -> None:
    """Build endgame tables, or look positions up in them."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("build")
def build_command(
    game: options.Game,
    classes: Annotated[
        str, typer.Option("--class", metavar="NAMES", help='Chess "KQK,KBNK"; backgammon "rolls".')
    ] = "",
    pieces: Annotated[
        int,
        typer.Option(
            "--pieces", metavar="N", parser=options.whole, help="Checkers: 2 to N pieces."
        ),
    ] = 0,
    position: options.PositionText = "",
    moves: options.Moves = "",
    memory: options.Memory = None,
    out: Folder = "",
    as_json: options.Json = False,
) -> None:
    """Solve all positions of a class, or all that can be reached from a position.

    Every position gets its value and the plies to its end with best play on both sides.
    """
    if memory is not None and not memory > 0:
        raise InputError(f"memory must be above 0 megabytes, not {memory:g}")
    from ponder.endgame.positions import DEFAULT_MEMORY
    from ponder.endgame.tables import build

    live = LiveLine()
    began = time.perf_counter()
    with compiling(game, "its endgame table"):
        headers = build(
            options.position_of(game, position, moves),
            classes=classes,
            pieces=pieces,
            folder=Path(out) if out else None,
            memory=memory or DEFAULT_MEMORY,
            progress=live.write,
        )
    live.clear()
    seconds = time.perf_counter() - began
    if as_json:
        print(json.dumps({"tables": headers, "seconds": seconds}))
        return
    for header in headers:
        print(f"{header['class']}: {header['bytes'] / 1e6:,.2f} MB in {header['path']}")
        for name, value in header.items():
            if name not in SHOWN_ELSEWHERE:
                print(f"  {name}: {value:,}")
    print(f"{seconds:.1f} s")


@app.command("probe")
def probe_command(
    game: options.Game,
    position: options.PositionText = "",
    moves: options.Moves = "",
    tables: Tables = "",
    as_json: options.Json = False,
) -> None:
    """Look a position up: its value, the distance to the end, and what each move leads to."""
    from ponder.endgame.tables import open_tables

    with compiling(game, "its endgame table"):
        here = options.position_of(game, position, moves)
        opened = open_tables(here.game, tables or None)
        found, rows = opened.probe(here), opened.moves(here)
    if as_json:
        data: dict[str, Any] = {"game": game, "position": here.text()}
        data["value"], data["distance"] = found if found is not None else (None, None)
        shown = ("name", "value", "distance")
        data["moves"] = [{field: getattr(row, field) for field in shown} for row in rows]
        print(json.dumps(data))
        return
    console = rich_console()
    if found is None:
        console.print("not in the tables", soft_wrap=True)
    else:
        far = "" if found.distance is None else f", distance {found.distance:g}"
        console.print(f"value {found.value:+g}{far}", soft_wrap=True)
    for row in rows:
        if row.value is None:
            console.print(f"  {row.name:<8} not in the tables", soft_wrap=True)
        else:
            far = "" if row.distance is None else f"  {row.distance:g}"
            console.print(f"  {row.name:<8} {row.value:+g}{far}", soft_wrap=True)
