"""`ponder check`: does a game keep the contract?"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, compiling, say
from ponder.errors import InputError


def command(
    game: options.Game,
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", parser=options.whole, help="Random games to play."),
    ] = 20,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="K", parser=options.whole, help="Other random games."),
    ] = 0,
    as_json: options.Json = False,
) -> int:
    """Validate a game's rules by random play.

    Prints one line for each thing that is wrong, with the moves that show it. Exit
    status 0: the game keeps the contract; 2: it does not.
    """
    if games < 1:
        raise InputError(f"--games must be 1 or more, not {games}")
    from ponder.check import check
    from ponder.core.registry import parse_game

    live = LiveLine()
    with compiling(game, "checking"):
        report = check(parse_game(game), games=games, seed=seed, progress=live.write)
    live.clear()
    if as_json:
        print(json.dumps(report.to_json()))
    else:
        print(report)
    if report.ok:
        return 0
    say(
        f"{report.game} breaks the contract: {len(report.findings)} finding"
        f"{'' if len(report.findings) == 1 else 's'}"
    )
    return 2
