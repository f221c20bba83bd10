"""`ponder search`: look for the best move of a position and say why."""

from __future__ import annotations

import inspect
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import (
    LiveLine,
    compiling,
    print_board,
    rich_console,
    say,
    search_line,
)
from ponder.errors import InputError

if TYPE_CHECKING:
    from ponder.core.result import SearchResult

MOST_NODES = 5000
"""A tree file keeps nodes with at least 1 / MOST_NODES of the visits: readable, soon written."""


def command(
    game: options.Game,
    position: options.PositionText = "",
    moves: options.Moves = "",
    engine: options.Engine = options.DEFAULT_ENGINE,
    seconds: options.Seconds = None,
    simulations: options.Simulations = None,
    memory: options.Memory = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    seed: options.Seed = None,
    as_json: options.Json = False,
    tree: Annotated[
        str, typer.Option("--tree", metavar="FILE", help="Write the tree to FILE.json or FILE.dot.")
    ] = "",
    trace: Annotated[
        str,
        typer.Option("--trace", metavar="FILE", help="Write every step to FILE.jsonl (alphabeta)."),
    ] = "",
    hints: Annotated[
        bool, typer.Option("--hints", help="End with what to try next, as on a terminal.")
    ] = False,
) -> int:
    """Find the best move of a position.

    Shows what each move is worth and the best line. Without a limit it searches for one
    second. Ctrl-C ends the search and shows what was found.
    """
    _check_file("--tree", tree, (".json", ".dot"))
    _check_file("--trace", trace, (".jsonl",))
    limit = options.limit_of(
        seconds=seconds, simulations=simulations, memory=memory, nodes=nodes, depth=depth
    )
    from ponder.core.registry import parse_engine

    searcher = parse_engine(engine)
    log = _event_log(searcher, engine) if trace else None
    extra = {"trace": log} if log is not None else {}
    live = LiveLine()
    with compiling(game, "this search"):
        here = options.position_of(game, position, moves)
        result = searcher.search(here, limit, seed=seed, progress=search_line(live), **extra)
    live.clear()
    if as_json:
        print(json.dumps(result.to_json()))
    else:
        print_result(result)
    if tree:
        _write_tree(result, Path(tree))
    if log is not None:
        _write_trace(log, Path(trace))
    if not as_json and (hints or sys.stdout.isatty()):
        _print_hints(game, position, moves)
    return 130 if result.stopped_by == "interrupt" else 0


def print_result(result: SearchResult) -> None:
    """The board, a row a move, the best line, the effort."""
    from rich.table import Table

    from ponder.core.result import cells, headings

    console = rich_console()
    print_board(console, result.position)
    console.print()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for i, heading in enumerate(headings(result.moves)):
        table.add_column(heading, justify="left" if i == 0 else "right", no_wrap=True)
    for i, row in enumerate(result.moves):
        table.add_row(*cells(row, result.moves), style="bold" if i == 0 else None)
    console.print(table)
    console.print()
    for line in result.summary():
        console.print(line, soft_wrap=True)


def _check_file(option: str, name: str, endings: tuple[str, ...]) -> None:
    """Refuse an unusable file before the search, not after it."""
    if name and Path(name).suffix not in endings:
        raise InputError(f"{option} needs a file that ends in {' or '.join(endings)}, not {name!r}")
    if name and not Path(name).absolute().parent.is_dir():
        raise InputError(f"cannot write {name}: there is no folder {Path(name).parent}")


def _event_log(searcher: Any, engine: str) -> Any:
    from ponder.search.events import EventLog

    if "trace" not in inspect.signature(searcher.search).parameters:
        raise InputError(f"{engine} records no events; --trace works with alphabeta()")
    return EventLog()


def _write_trace(log: Any, path: Path) -> None:
    from ponder.files import write_atomically

    text = "".join(json.dumps(event.to_json()) + "\n" for event in log)
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    more = f", the first of {log.total:,}" if log.dropped else ""
    say(f"wrote {path}: {len(log):,} events{more}")


def _write_tree(result: Any, path: Path) -> None:
    from ponder.files import write_atomically

    tree = result.tree
    if tree is None:
        raise InputError(f"{result.engine} keeps no tree to write")
    least = max(1, (result.simulations or 0) // MOST_NODES)
    if path.suffix == ".json":
        text = json.dumps(tree.to_json(least_visits=least)) + "\n"
    else:
        text = tree.to_dot(least_visits=least)
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    kept = "all visited nodes" if least == 1 else f"nodes with at least {least} visits"
    say(f"wrote {path}: {kept}")


def _print_hints(game: str, position: str, moves: str) -> None:
    here = shlex.quote(game)
    if position:
        here += f" --position {shlex.quote(position)}"
    if moves:
        here += f" --moves {shlex.quote(moves)}"
    lines = [
        (f"ponder play {here}", "play on against it"),
        (f"ponder search {here} --seconds 10", "think longer"),
        (f"ponder search {here} --tree tree.dot", "see its tree (Graphviz)"),
        ("ponder games", "all games"),
        ("ponder check my_game.py:MyGame", "your own game (docs/your-own-game.md)"),
    ]
    width = min(max(len(line) for line, _ in lines), 60)
    print("\ntry next")
    for line, what in lines:
        print(f"  {line.ljust(width)}   {what}")
