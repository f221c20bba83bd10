"""`ponder bench`: how fast it is here, beside other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from ponder.cli import options


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Which games; a few if none is named."),
    ] = None,
    against: Annotated[
        str, typer.Option("--against", metavar="PEER", help="Measure a peer too: openspiel.")
    ] = "",
    signature: Annotated[
        bool, typer.Option("--signature", help="Print results that must not change, no speeds.")
    ] = False,
    seconds: options.Seconds = None,
    as_json: options.Json = False,
) -> None:
    """Measure speed, beside a peer if wanted."""
    options.limit_of(seconds=seconds)
    from ponder.bench.report import run

    run(list(games or []), against or None, signature, seconds, as_json)
