"""`ponder fit`: the weights of an evaluation, from the results of self-play."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, rich_console, say
from ponder.cli.waiting import compiling

if TYPE_CHECKING:
    from ponder.learn.fit import Fit


def command(
    game: options.Game,
    engine: Annotated[
        str, typer.Option("--engine", metavar="SPEC", help="The engine that plays against itself.")
    ] = "alphabeta(depth=1)",
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=options.whole, help="How many games.")
    ] = 300,
    samples: Annotated[
        int,
        typer.Option(
            "--samples", metavar="N", parser=options.whole, help="Positions taken from each game."
        ),
    ] = 8,
    random_moves: Annotated[
        float,
        typer.Option(
            "--random", metavar="SHARE", parser=options.number, help="The share of random moves."
        ),
    ] = 0.1,
    unit: Annotated[
        str,
        typer.Option("--unit", metavar="FEATURE", help="The feature whose weight is held fixed."),
    ] = "",
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> int:
    """Fit the weights of GAME's evaluation to the results of self-play.

    The evaluation is a sum of features times weights (see `ponder explain`); a logistic
    regression says what each feature is worth for the result. Ctrl-C fits to the games so far.
    """
    from ponder.core.start import position
    from ponder.learn.fit import fit

    live = LiveLine()
    with compiling(game, "these games"):
        start = position(game)
        try:
            found = fit(
                start,
                engine=engine,
                games=games,
                samples=samples,
                random_moves=random_moves,
                unit=unit,
                seed=seed or 0,
                progress=lambda done: live.write(f"{done:,} of {games:,} games"),
            )
        finally:
            live.clear()
    if as_json:
        print(json.dumps(_as_json(found)))
    else:
        _print(found)
    if found.interrupted:
        say(f"interrupted: fitted to the {found.games} games so far")
        return 130
    return 0


def _as_json(found: Fit) -> dict[str, Any]:
    made = found.to_json()
    for weight in made["weights"]:
        if not weight["seen"]:
            weight.update(fitted=None, low=None, high=None)
    return made


def _print(found: Fit) -> None:
    from rich.table import Table

    console = rich_console()
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("feature")
    for column in ("weight", "fitted", "95 % interval", "seen in"):
        table.add_column(column, justify="right")
    digits = _digits(found)
    for weight in found.weights:
        known = math.isfinite(weight.low)
        kept = weight.name == found.unit
        interval = "kept" if kept else f"{weight.low:.{digits}f} to {weight.high:.{digits}f}"
        table.add_row(
            weight.name,
            f"{weight.given:g}",
            f"{weight.fitted:.{digits}f}" if known else "",
            interval if known else "never seen",
            f"{weight.seen / found.positions:.0%}",
            style=None if known else "dim",
        )
    console.print(table)
    console.print(
        f"{found.games:,} games of {found.engine}, {found.positions:,} positions; "
        f"moving first is worth {found.first:+.{digits}f}.",
        soft_wrap=True,
    )
    console.print(
        f"Cross-entropy on games not fitted to: {found.loss_given:.4f} with the old weights, "
        f"{found.loss_fitted:.4f} with the new ones.",
        soft_wrap=True,
    )


def _digits(found: Fit) -> int:
    """So many that the smallest weight of the game shows two figures."""
    least = min((abs(w.given) for w in found.weights if w.given), default=1.0)
    return max(0, min(6, 1 - math.floor(math.log10(least))))
