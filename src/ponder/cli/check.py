"""`ponder check`: does a game, or a rule, keep the contract?"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, say
from ponder.cli.waiting import compiling
from ponder.errors import InputError


def command(
    game: options.Game,
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", parser=options.whole, help="Random games to play."),
    ] = 20,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="K", parser=options.whole, help="The seed of the random games."
        ),
    ] = 0,
    as_json: options.Json = False,
) -> int:
    """Validate a game's rules by random play, or a rule of yours by small searches.

    Prints one line for each thing that is wrong, with the moves that show it. Exit
    status 0: the contract is kept; 2: it is not.
    """
    if games < 1:
        raise InputError(f"--games must be 1 or more, not {games}")
    options.bounds_checked()
    from ponder.core.gate import name_files
    from ponder.core.registry import parse_game_or_rule

    live = LiveLine()
    report: Any
    with compiling(game, "checking"):
        name_files(game)
        subject, is_rule = parse_game_or_rule(game)
        if is_rule:
            from ponder.check.rules import check_rule

            report = check_rule(subject, seed=seed, progress=live.write)
        else:
            from ponder.check import check_game

            report = check_game(subject, games=games, seed=seed, progress=live.write)
    live.clear()
    if as_json:
        print(json.dumps(report.to_json()))
    else:
        print(report)
    if report.ok:
        return 0
    name, number = report.rule if is_rule else report.game, len(report.findings)
    say(f"{name} breaks the contract: {number} finding{'' if number == 1 else 's'}")
    return 2
