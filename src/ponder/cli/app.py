"""The list of commands. Each is a function in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from ponder import __version__
from ponder.cli import (
    bench,
    book,
    cache,
    check,
    endgame,
    engines,
    explain,
    explore,
    fit,
    games,
    lab,
    match,
    perft,
    play,
    replay,
    search,
    show,
    solve,
    sources,
    train,
)

COMMANDS: dict[str, Callable[..., Any]] = {
    "games": games.command,
    "engines": engines.command,
    "search": search.command,
    "show": show.command,
    "explain": explain.command,
    "explore": explore.command,
    "replay": replay.command,
    "play": play.command,
    "perft": perft.command,
    "solve": solve.command,
    "match": match.command,
    "train": train.command,
    "fit": fit.command,
    "check": check.command,
    "bench": bench.command,
    "lab": lab.command,
    "sources": sources.command,
    "cache": cache.command,
}


def build_app() -> typer.Typer:
    """The whole program as a Typer application."""
    app = typer.Typer(
        name="ponder",
        rich_markup_mode=None,  # Rich would add a tenth of a second to every --help
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(program)
    for name, function in COMMANDS.items():
        app.command(name)(function)
    app.add_typer(book.app, name="book")
    app.add_typer(endgame.app, name="endgame")
    return app


def program(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Game-tree search for games written in plain Python.

    GAME is a name from `ponder games`, with parameters if you like: "connect4(columns=5)",
    or a class in your own file: my_game.py:MyGame.
    """
    if version:
        print(f"ponder {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())
