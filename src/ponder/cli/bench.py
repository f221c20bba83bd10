"""`ponder bench`: how fast it is here, beside other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from ponder.cli import options
from ponder.cli.console import say
from ponder.cli.waiting import compiling
from ponder.errors import InputError


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Which games; a few if none is named."),
    ] = None,
    against: Annotated[
        str, typer.Option("--against", metavar="PEER", help="Measure a peer too: openspiel.")
    ] = "",
    signature: Annotated[
        bool,
        typer.Option("--signature", help="Print results that must not change, without speeds."),
    ] = False,
    threads: Annotated[
        bool,
        typer.Option("--threads", help="Compare one thread with all of them, sharing in each way."),
    ] = False,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats", metavar="N", help="With --against: medians of N measurements (default 5)."
        ),
    ] = None,
    seconds: options.Seconds = None,
    as_json: options.Json = False,
) -> None:
    """Measure speed, beside a peer if wanted."""
    options.limit_of(seconds=seconds)
    if repeats is not None:
        if repeats < 1:
            raise InputError(f"--repeats must be 1 or more, not {repeats}")
        if not against:
            raise InputError("--repeats belongs to --against: other figures are measured once")
    subject = ", ".join(games) if games else "all games"
    if threads:
        if against or signature:
            raise InputError("--threads is a measurement of its own: leave out the others")
        from ponder.bench import threads as sharing

        rows: list[sharing.Row] = []

        def print_rows() -> None:
            if rows:
                print(sharing.report(rows, as_json))

        with compiling(subject, "bench --threads", last=print_rows):
            try:
                sharing.run(list(games or []), seconds or 1.0, rows, say)
            finally:
                print_rows()
        return
    from ponder.bench.report import run

    with compiling(subject, "bench --signature" if signature else "bench"):
        run(list(games or []), against or None, signature, seconds, as_json, say, repeats)
