"""`ponder book build` and `ponder book show`: make an opening book, look into one."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, print_board, rich_console, say
from ponder.cli.waiting import compiling
from ponder.errors import InputError
from ponder.files import require_writable

if TYPE_CHECKING:
    from ponder.book.builder import BookBuilder
    from ponder.book.collecting import Collected, Tell
    from ponder.core.limits import Limit
    from ponder.core.position import Position

DEFAULT_PLIES = 20

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})

BookPath = Annotated[str, typer.Argument(metavar="FILE", help="The file of the book.")]


@app.callback(invoke_without_command=True)
def group(context: typer.Context) -> None:
    """Build an opening book, or look into one."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("build")
def build(
    game: options.Game,
    file: BookPath,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--games", metavar="PATH", help="Count games: PGN (chess), SGF (go), or a folder."
        ),
    ] = None,
    self_play: Annotated[
        int | None,
        typer.Option(
            "--self-play", metavar="N", parser=options.whole, help="Let the engine play N games."
        ),
    ] = None,
    search: Annotated[
        int | None,
        typer.Option(
            "--search", metavar="N", parser=options.whole, help="Search N promising positions."
        ),
    ] = None,
    plies: Annotated[
        int,
        typer.Option("--plies", metavar="P", parser=options.whole, help="Only the first P plies."),
    ] = DEFAULT_PLIES,
    random_moves: Annotated[
        float,
        typer.Option(
            "--random",
            metavar="R",
            parser=options.number,
            help="Share of random moves in self-play, 0 to 1.",
        ),
    ] = 0.1,
    engine: options.Engine = options.DEFAULT_ENGINE,
    position: options.PositionText = "",
    moves: options.Moves = "",
    seconds: options.Seconds = None,
    simulations: options.Simulations = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> int:
    """Build an opening book.

    From game records, from self-play, by search, or from several of these together. The limits
    hold for every move or position. Ctrl-C writes what was finished.
    """
    if not games and self_play is None and search is None:
        raise InputError("say what the book is made from: --games PATH, --self-play N, --search N")
    for name, value in (("plies", plies), ("self-play", self_play), ("search", search)):
        if value is not None and value < 1:
            raise InputError(f"{name} must be a whole number above 0, not {value}")
    require_writable(file)
    limit = options.limit_of(seconds=seconds, simulations=simulations, nodes=nodes, depth=depth)
    from ponder.book.builder import BookBuilder
    from ponder.core.start import engine as engine_named

    seed = secrets.randbits(32) if seed is None else seed
    made_from = Sources(games or [], self_play or 0, search or 0, plies, random_moves)
    searching = Searching(engine_named(engine), limit, seed)
    live, began = LiveLine(), time.perf_counter()
    try:
        with compiling(game, "a book", f"interrupted: {file} was not written"):
            start = options.position_of(game, position, moves)
            builder = BookBuilder(start.game)
            collected = collect(
                builder,
                start,
                made_from,
                searching,
                lambda told: live.write(_progress(told, began)),
            )
    except KeyboardInterrupt:
        live.clear()
        say(f"interrupted: {file} was not written")
        return 130
    live.clear()
    return _finish(builder, file, collected, seed, time.perf_counter() - began, as_json)


class Sources(NamedTuple):
    """What a book is made from: none where there is nothing, or 0."""

    games: list[str]
    self_play: int
    search: int
    plies: int
    random_moves: float


class Searching(NamedTuple):
    """Who searches, for how long."""

    engine: Any
    limit: Limit
    seed: int


def collect(
    builder: BookBuilder, start: Position, made_from: Sources, searching: Searching, tell: Tell
) -> dict[str, Collected]:
    """Fill the book from one source after the other; what each has brought, by its name."""
    from ponder.book.expand import add_by_search
    from ponder.book.records import add_records
    from ponder.book.selfplay import add_self_play

    engine, limit, seed = searching
    common: dict[str, Any] = {"plies": made_from.plies, "seed": seed, "limit": limit, "tell": tell}
    steps: dict[str, Callable[[], Collected]] = {}
    if made_from.games:
        paths = [Path(path) for path in made_from.games]
        steps["games read"] = lambda: add_records(builder, paths, plies=made_from.plies, tell=tell)
    if made_from.self_play:
        steps["games played"] = lambda: add_self_play(
            builder,
            start,
            engine,
            made_from.self_play,
            random_moves=made_from.random_moves,
            **common,
        )
    if made_from.search:
        steps["positions searched"] = lambda: add_by_search(
            builder, start, engine, made_from.search, **common
        )
    collected: dict[str, Collected] = {}
    for name, step in steps.items():
        collected[name] = step()
        if collected[name].interrupted:
            break
    return collected


def _progress(told: Any, began: float) -> str:
    seconds = time.perf_counter() - began
    of = f" of {told.wanted:,}" if told.wanted else ""
    left = f", about {seconds / told.done * (told.wanted - told.done):.0f} s left" if of else ""
    return f"{seconds:5.1f} s  {told.done:,}{of} {told.unit}{left}"


def _finish(
    builder: BookBuilder,
    file: str,
    collected: dict[str, Collected],
    seed: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Write the book, or say why not."""
    interrupted = any(step.interrupted for step in collected.values())
    what = ", ".join(f"{step.done:,} {name}" for name, step in collected.items())
    if interrupted and not builder.tallies:
        say(f"interrupted before anything was finished: {file} was not written")
        return 130
    book = builder.book()
    book.save(file)
    if interrupted:
        say(f"interrupted: {file} holds what was finished ({what})")
    if as_json:
        data = {"file": file, "positions": book.positions, "moves": book.moves, "seed": seed}
        done = {name.replace(" ", "_"): step.done for name, step in collected.items()}
        print(json.dumps(data | done | {"seconds": seconds, "interrupted": interrupted}))
    else:
        print(
            f"wrote {file}: {book.positions:,} positions, {book.moves:,} moves "
            f"({what}) in {seconds:.1f} s, seed {seed}"
        )
    return 130 if interrupted else 0


@app.command("show")
def show(
    game: options.Game,
    file: BookPath,
    position: options.PositionText = "",
    moves: options.Moves = "",
    as_json: options.Json = False,
) -> None:
    """Show what a book says of a position.

    Without --position and --moves: of the start of the game. Chess: Polyglot books too.
    """
    from ponder.book.engine import open_book

    with compiling(game, "a book"):
        here = options.position_of(game, position, moves)
        book = open_book(file, here.game)
        found = book.lookup(here)
    if as_json:
        from ponder.core.registry import game_text
        from ponder.core.result import plain_json

        rows = [
            {
                "action": plain_json(move.action),
                "name": move.name,
                "count": move.count,
                "score": move.score,
                "value": move.value,
            }
            for move in found
        ]
        data = {"game": game_text(here.game), "position": here.text(), "file": file}
        size = {"positions": book.positions, "book_moves": book.moves}
        print(json.dumps(data | size | {"moves": rows}))
        return
    console = rich_console()
    print_board(console, here)
    console.print()
    if found:
        _print_table(console, found)
    else:
        console.print("this position is not in the book")
    console.print()
    console.print(f"{file}: {book.positions:,} positions, {book.moves:,} moves", soft_wrap=True)


def _print_table(console: Any, found: Any) -> None:
    from rich.table import Table

    total = sum(move.count for move in found)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for i, heading in enumerate(("move", "count", "share", "score", "value")):
        table.add_column(heading, justify="left" if i == 0 else "right", no_wrap=True)
    for move in found:
        table.add_row(
            move.name,
            f"{move.count:,}",
            f"{move.count / total:.1%}" if total else "",
            "" if move.score is None else f"{move.score:+.3f}",
            "" if move.value is None else f"{move.value:+.3f}",
        )
    console.print(table)
