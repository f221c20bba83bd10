"""`ponder lab`: results of the lectures and the literature, reproduced here and now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ponder.cli import options
from ponder.cli.console import say
from ponder.cli.perft import in_background
from ponder.cli.waiting import compiling
from ponder.errors import InputError
from ponder.files import require_writable

if TYPE_CHECKING:
    from ponder.lab.running import Lab


def command(
    experiment: Annotated[
        str, typer.Argument(metavar="EXPERIMENT", help="Which one; without a name, the list.")
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version that takes seconds.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="A long version, if there is one.")] = False,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--size", metavar="NAME=N", help="Change a size; the heading names them."),
    ] = None,
    game: Annotated[
        str,
        typer.Option(
            "--game", metavar="GAME", help="With this game, where it can be (tune, learning)."
        ),
    ] = "",
    own: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="FILE.py:RULE", help="Your own rule beside ours."),
    ] = None,
    resume: Annotated[
        str,
        typer.Option(
            "--resume", metavar="FILE", help="Keep finished steps in FILE, and continue from them."
        ),
    ] = "",
    table: Annotated[
        str, typer.Option("--csv", metavar="FILE", help="Write the observations, one per row.")
    ] = "",
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE", help="Draw them: .svg or .png.")
    ] = "",
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Reproduce a published result: the claim clause by clause, our figures, a verdict on each.

    Without a name it lists the experiments. Exit status: 0 if every clause holds, 1 if one does
    not, 3 if it is undecided.
    """
    from ponder.core.gate import name_files
    from ponder.lab.running import Lab, version_of

    if not experiment:
        if quick or full or sizes or game or own or resume or table or plot or seed is not None:
            raise InputError("which experiment? ponder lab NAME ...; ponder lab alone lists them")
        print_list(as_json)
        return
    for file in (table, resume):
        if file:
            require_writable(file)
    chosen = dict(map(size_of, sizes or []))
    name_files(game, *(own or ()))
    lab = Lab(
        experiment,
        seed=seed or 0,
        version=version_of(quick, full),
        sizes=chosen,
        game=game,
        own=own or (),
        resume=resume,
        tell=say,
    )
    run_and_report(lab, table, plot, as_json)


def print_list(as_json: bool) -> None:
    """The experiments by name."""
    from ponder.lab.contents import EXPERIMENTS

    if as_json:
        rows = [{"name": name, "title": title} for name, title in EXPERIMENTS.items()]
        print(json.dumps({"experiments": rows}))
        return
    width = max(len(name) for name in EXPERIMENTS)
    for name, title in EXPERIMENTS.items():
        print(f"{name:{width}}  {title}")


def run_and_report(lab: Lab, table: str, plot: str, as_json: bool) -> None:
    """Run the experiment, write its files and print what was found; exits with its status."""
    if plot:
        lab.report().check_plot(plot)
    if not as_json:
        print(lab.report().heading, end="\n\n", flush=True)
    try:
        with compiling(lab.name, "the experiment"):
            # In another thread: there a search leaves Ctrl-C to us, who end the whole experiment.
            in_background(lab.run)
    except KeyboardInterrupt:
        lab.interrupted = True
    report = lab.report()
    if table:  # before anything is printed: whoever reads that may stop reading
        report.save_csv(table)
    if plot:
        report.plot(plot)
    print(json.dumps(report.to_json()) if as_json else report.findings, flush=True)
    if lab.interrupted:
        raise KeyboardInterrupt
    raise typer.Exit(report.status)


def size_of(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not number.isdecimal():
        raise InputError(
            f"--size is a name and a whole number, 0 or more, such as trees=100, not {text!r}"
        )
    return name, int(number)
