"""`ponder explore`: watch, steer and rewind a search in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from ponder.cli import options
from ponder.cli.ahead import in_background
from ponder.cli.console import say
from ponder.errors import InputError

USUAL_RUNS = "runs"


def command(
    game: Annotated[
        str,
        typer.Argument(
            metavar="[GAME|FILE]",
            help="A game to search, or a Python file or folder with games of your own.",
        ),
    ] = "",
    play: Annotated[
        bool, typer.Option("--play", help="Play GAME instead of searching it.")
    ] = False,
    runs: Annotated[
        str,
        typer.Option(
            "--runs",
            metavar="DIR",
            help="A folder of training runs; by default runs, if it exists.",
        ),
    ] = "",
    folders: Annotated[
        list[str] | None,
        typer.Option(
            "--folder",
            metavar="DIR",
            help="A folder of networks, books and tables that pages may name; may be repeated.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="P", parser=options.whole, help="The port; 0: any free one."
        ),
    ] = 8642,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="H", help="The address to listen on; by default this machine only."
        ),
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open the explorer in the browser: watch, steer, rewind and understand a search.

    With a GAME it opens there: connect4, "go(size=9)", my_game.py:MyGame.
    If the port is in use the next free one is taken. The address contains a token: without it
    nobody else on the machine can use the explorer.
    """
    from ponder.cache_folder import cache_place
    from ponder.explorer.folders import give
    from ponder.explorer.serving import serve
    from ponder.explorer.training_runs import show_runs

    if not 0 <= port <= 65535:
        raise InputError(f"--port takes a number from 0 to 65535, not {port}")
    folder = Path(runs or USUAL_RUNS)
    if runs and not folder.is_dir():
        raise InputError(f"there is no folder {runs}")
    if folder.is_dir():
        show_runs(folder)
    for name in folders or ():
        if not Path(name).is_dir():
            raise InputError(f"there is no folder {name}")
    cache_place()  # a relative one is refused now, not when something is to be compiled
    give(map(Path, folders or ()))
    files, path = opened(game, play)
    with in_background():
        serve(host, port, files, browser, say, path)


def opened(text: str, play: bool) -> tuple[list[Path], str]:
    """The files that may be used, and what the browser is to open."""
    if not text:
        return [], "/play" if play else "/"
    from ponder.core.registry import GAMES

    path, known = Path(text), text.partition("(")[0] in GAMES
    is_file = path.suffix != "" and not set(text) & set(":(")
    if not known and (path.is_dir() or is_file):
        if not path.is_dir() and not (path.is_file() and path.suffix == ".py"):
            raise InputError(f"{text} is neither a Python file nor a folder")
        if play:
            raise InputError("--play needs a game, such as my_game.py:MyGame")
        return [path.resolve()], "/"
    from ponder.core.parts import is_file_name, parse_call
    from ponder.core.registry import game_text
    from ponder.core.start import game as game_named

    whole = game_text(game_named(text))
    name = parse_call(whole).name
    files = [Path(name.rpartition(":")[0])] if is_file_name(name) else []
    fields = (
        {"game": whole} if play else {"game": whole, "engine": options.DEFAULT_ENGINE, "seed": "1"}
    )
    return files, f"/{'play' if play else 'search'}#{urlencode(fields)}"
