"""`ponder match`: two engines play each other, and the result is a score with its interval."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, say
from ponder.cli.waiting import compiling

if TYPE_CHECKING:
    from ponder.arena.match import MatchProgress

Spec = typer.Argument(metavar="SPEC", help='An engine: "mcts(simulations=500)", "random()".')


def command(
    game: options.Game,
    first: Annotated[str, Spec],
    second: Annotated[str, Spec],
    games: Annotated[
        int,
        typer.Option("--games", metavar="N", parser=options.whole, help="Games to play."),
    ] = 20,
    openings: Annotated[
        str,
        typer.Option(
            "--openings",
            metavar="F",
            help="A file with one opening per line, or a number of random plies.",
        ),
    ] = "",
    seconds: options.Seconds = None,
    simulations: options.Simulations = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    memory: options.Memory = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", metavar="J", parser=options.whole, help="Games played at the same time."
        ),
    ] = 1,
    seed: options.Seed = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Save the games, one JSON line per game.")
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the match in --out FILE.")
    ] = False,
    safe: options.Safe = False,
    as_json: options.Json = False,
) -> int:
    """Let two engines play each other.

    Every opening is played from both seats. The limits hold for each move of an engine that
    names none of its own; without any, 0.1 seconds. Ctrl-C ends the match and shows the games
    that were finished.
    """
    options.keep_safe(safe)
    limit = options.limit_of(
        seconds=seconds, simulations=simulations, nodes=nodes, depth=depth, memory=memory
    )
    from ponder.arena.match import match
    from ponder.arena.summary import plural

    live = LiveLine()
    began = time.perf_counter()

    def show(told: MatchProgress) -> None:
        if told.done == 1 or time.monotonic() - live.last > 0.1:
            live.write(progress_line(told, time.perf_counter() - began))

    with compiling(game, "a match"):
        result = match(
            game,
            first,
            second,
            games=games,
            openings=int(openings) if openings.lstrip("-").isdigit() else openings or None,
            limit=limit,
            jobs=jobs,
            seed=seed,
            out=out or None,
            resume=resume,
            progress=show if live.shown else None,
        )
    live.clear()
    if result.interrupted:
        more = f"; --out {out} --resume continues it" if out else ""
        say(f"interrupted after {plural(len(result.records), 'game')}{more}")
    if as_json:
        print(json.dumps(result.to_json()))
    elif result.records:
        print(result)
    return 130 if result.interrupted else 0


def progress_line(told: MatchProgress, seconds: float) -> str:
    """Time, games, the score so far, and how long it may still take."""
    result: Any = told.result()
    left = seconds / (told.done - told.before) * (told.wanted - told.done)
    return (
        f"{seconds:5.0f} s  {told.done} of {told.wanted} games  +{result.wins} ={result.draws} "
        f"-{result.losses}  score {result.score:.1%}  about {left:.0f} s left"
    )
