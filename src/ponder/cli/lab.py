"""`ponder lab`: results of the lectures and the literature, reproduced here and now."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ponder.cli import options
from ponder.cli.console import compiling, say
from ponder.cli.perft import in_background


def command(
    experiment: Annotated[
        str, typer.Argument(metavar="EXPERIMENT", help="Which one; without a name, the list.")
    ] = "",
    quick: Annotated[bool, typer.Option("--quick", help="A small version: seconds.")] = False,
    full: Annotated[bool, typer.Option("--full", help="A long version, if there is one.")] = False,
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="With this game, if it can (tune).")
    ] = "",
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Reproduce a published result: the claim, our figures, what follows.

    Without a name it lists the experiments.
    """
    from ponder.lab.report import EXPERIMENTS, perform

    if not experiment:
        if as_json:
            rows = [{"name": name, "title": title} for name, title in EXPERIMENTS.items()]
            print(json.dumps({"experiments": rows}))
        else:
            width = max(len(name) for name in EXPERIMENTS)
            for name, title in EXPERIMENTS.items():
                print(f"{name:{width}}  {title}")
        return
    with compiling(experiment, "the experiment"):
        # In another thread: there a search leaves Ctrl-C to us, who end the whole experiment.
        report = in_background(lambda: perform(experiment, quick, seed or 0, say, full, game))
    print(json.dumps(report.to_json()) if as_json else report)
