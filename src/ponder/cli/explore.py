"""`ponder explore`: watch, steer and rewind a search in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ponder.cli import options
from ponder.cli.console import say
from ponder.errors import InputError


def command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]",
            help="A Python file, or a folder of such, with games and rules to be used there.",
        ),
    ] = "",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="P", parser=options.whole, help="The port; 0: any free one."
        ),
    ] = 8642,
    host: Annotated[
        str,
        typer.Option("--host", metavar="H", help="Listen here instead of on this machine alone."),
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open the explorer in the browser: watch, steer, rewind and understand a search.

    If the port is in use the next free one is taken. The address contains a token: without it
    nobody else on the machine can use the explorer.
    """
    from ponder.explorer.serving import serve

    if not 0 <= port <= 65535:
        raise InputError(f"--port takes a number from 0 to 65535, not {port}")
    files = []
    if file:
        path = Path(file)
        if not path.is_dir() and not (path.is_file() and path.suffix == ".py"):
            raise InputError(f"{file} is neither a Python file nor a folder")
        files.append(path.resolve())
    serve(host, port, files, browser, say)
