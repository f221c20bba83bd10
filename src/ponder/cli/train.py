"""`ponder train`: a network learns a game by playing against itself."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, say
from ponder.cli.waiting import compiling
from ponder.errors import InputError

TEXTS = ("network", "through", "begin")
"""Settings that are no numbers."""


def command(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help='A game: "connect4", my.py:MyGame.')
    ] = "",
    out: Annotated[
        str,
        typer.Option(
            "--out", metavar="DIR", help="The folder of the run: a new one, or one to continue."
        ),
    ] = "",
    minutes: Annotated[
        float,
        typer.Option(
            "--minutes",
            metavar="M",
            parser=options.number,
            help="Minutes in total, earlier ones included.",
        ),
    ] = 10.0,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the run; may be repeated."),
    ] = None,
    seed: options.Seed = None,
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", parser=options.whole, help="Threads; 0 for all."),
    ] = 0,
    cluster: Annotated[
        str,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Play the games on the Ray cluster there; local: one on this machine.",
        ),
    ] = "",
    rate: Annotated[
        bool, typer.Option("--rate/--no-rate", help="Play against fixed opponents in between.")
    ] = True,
    show: Annotated[
        str, typer.Option("--show", metavar="DIR", help="Show how a run has gone.")
    ] = "",
    export: Annotated[
        str,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Write the network of DIR as FILE.onnx, or in 8 bits as FILE.network.",
        ),
    ] = "",
    as_json: options.Json = False,
) -> int:
    """Train a network for GAME by self-play, or continue the run in DIR.

    Stop it whenever you like: the same command continues where it stopped. The network is
    DIR/best.network; play with --engine "alphazero(net='DIR', simulations=100)".
    """
    if show:
        return shown(game, show, as_json)
    if export:
        return exported(game, out, export, given(settings or [], None), as_json)
    if not game or not out:
        raise InputError("train needs a GAME and --out DIR (or --show DIR, or --export FILE)")
    if not minutes > 0:
        raise InputError(f"--minutes must be above 0, not {minutes:g}")
    if workers and cluster:
        raise InputError("--workers are threads of this machine: with --cluster leave them out")
    if workers < 0:
        raise InputError(f"--workers must be 1 or more, or 0 for all, not {workers}")
    return train(game, out, minutes, given(settings or [], seed), workers, cluster, rate, as_json)


def given(settings: list[str], seed: int | None) -> dict[str, Any]:
    """The settings by name."""
    made: dict[str, Any] = {} if seed is None else {"seed": seed}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set takes NAME=VALUE, not {text!r}")
        if name.strip() in TEXTS:
            made[name.strip()] = value.strip()
            continue
        try:
            made[name.strip()] = json.loads(value.lower() if value in ("True", "False") else value)
        except ValueError:
            raise InputError(
                f"{name.strip()} takes a number, true or false, not {value!r}"
            ) from None
    return made


def train(
    game: str,
    out: str,
    minutes: float,
    settings: dict[str, Any],
    workers: int,
    cluster: str,
    rate: bool,
    as_json: bool,
) -> int:
    from pathlib import Path

    from ponder.core.start import position
    from ponder.learn.config import training
    from ponder.learn.overview import progress_line

    live, seconds = LiveLine(), 60 * minutes

    def now(line: dict[str, Any]) -> dict[str, Any]:
        return {**line, "seconds_wanted": seconds}  # an earlier round may have had less time

    goes_on = f"interrupted; the same command continues {out}"
    with compiling(game, "self-play", goes_on):
        start = position(game)
        config = training(**settings)
        from ponder.learn.training import TrainingRun

        run = TrainingRun(start, Path(out), config, workers or None, cluster)
        for sentence in run.hints():
            say(f"{run.position.rules.name} {sentence}")
        if run.totals.rounds:
            say(f"continuing {out} after {progress_line(now(run.log[-1]))}")
        last = time.monotonic()

        def tell(line: dict[str, Any]) -> None:
            nonlocal last
            if live.shown:
                live.write(progress_line(now(line)))
            elif time.monotonic() - last > 10 or "opponent" in line:
                last = time.monotonic()
                say(progress_line(now(line)))

        try:
            run.run(seconds, tell=tell, rate=rate)
        except KeyboardInterrupt:
            live.clear()
            say(goes_on)
            return 130
        finally:
            live.clear()
            run.close()
    if as_json:
        print(json.dumps({"folder": out, **(run.log[-1] if run.log else {})}))
    else:
        print(progress_line(now(run.log[-1])) if run.log else "no round was finished")
        print(f"play with --engine \"alphazero(net='{out}', simulations=100)\"")
    return 0


def exported(game: str, out: str, file: str, settings: dict[str, Any], as_json: bool) -> int:
    """Write the network of a run as an ONNX model, or as a smaller file of its own kind."""
    from pathlib import Path

    from ponder.core.gate import name_files
    from ponder.core.position import Position
    from ponder.core.registry import parse_game
    from ponder.core.start import position
    from ponder.learn.beside_file import export_network
    from ponder.learn.config import read_config

    if not out:
        raise InputError("--export writes the network of a run: --out DIR says which")
    if set(settings) - {"network"}:
        raise InputError("--export takes no settings but network=FILE.py:NAME")
    # a file of one's own is run because one has named it, not the run
    name_files(settings.get("network", ""))
    start = position(game) if game else Position(parse_game(str(read_config(Path(out))["game"])))
    size = export_network(out, start, settings.get("network", ""), Path(file))
    if as_json:
        print(json.dumps({"file": file, "bytes": size}))
    else:
        print(f"{file}: {size:,} bytes")
        print(f"play with --engine \"alphazero(net='{file}', simulations=100)\"")
    return 0


def shown(game: str, folder: str, as_json: bool) -> int:
    """What a run says of itself."""
    from pathlib import Path

    from ponder.core.position import Position
    from ponder.core.registry import parse_game
    from ponder.core.start import position
    from ponder.learn.overview import games_of, overview

    said = overview(Path(folder))
    if game:
        position(game)  # a file of one's own is run because one has named it, not the run
    games, why = [], ""
    try:
        games = games_of(Path(folder), Position(parse_game(said["game"])))
    except InputError as error:
        why = str(error)
    if as_json:
        print(json.dumps({"config": said["config"], "rounds": said["rounds"], "games": games}))
        return 0
    changed = " ".join(f"{name}={value}" for name, value in said["changed"].items())
    print(f"{said['game']}  {changed}".rstrip())
    print(aligned([said["columns"], *said["table"]]) if said["table"] else said["line"])
    for one in games:
        result = " ".join(f"{value:g}" for value in one["returns"])
        print(f"game {one['number']}: {between(one['moves'])}  ({result})")
    if why:
        say(f"no sample games: {why}")
    return 0


def between(moves: tuple[str, ...]) -> str:
    """Moves in a row, with commas where their names hold blanks."""
    return (", " if any(" " in name for name in moves) else " ").join(moves)


def aligned(rows: list[list[str]]) -> str:
    """A table; columns without anything below their heads are left out."""
    used = [i for i in range(len(rows[0])) if any(row[i] for row in rows[1:])]
    widths = {i: max(len(row[i]) for row in rows) for i in used}
    made = []
    for row in rows:
        texts = (
            row[i].ljust(widths[i]) if rows[0][i] == "against" else row[i].rjust(widths[i])
            for i in used
        )
        made.append("  ".join(texts).rstrip())
    return "\n".join(made)
