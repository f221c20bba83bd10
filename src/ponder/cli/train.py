"""`ponder train`: a network learns a game by playing against itself."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, compiling, say
from ponder.errors import InputError


def command(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help='A game: "connect4", my.py:MyGame.')
    ] = "",
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="The folder of the run: new, or to go on.")
    ] = "",
    minutes: Annotated[
        float,
        typer.Option("--minutes", metavar="M", parser=options.number, help="In all, not just now."),
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
    rate: Annotated[
        bool, typer.Option("--rate/--no-rate", help="Play against fixed opponents meanwhile.")
    ] = True,
    show: Annotated[str, typer.Option("--show", metavar="DIR", help="How a run has gone.")] = "",
    as_json: options.Json = False,
) -> int:
    """Train a network for GAME by self-play, or go on with the run in DIR.

    Stop it whenever you like: the same command goes on where it was. The network is
    DIR/best.network; play with --engine "alphazero(net='DIR', simulations=100)".
    """
    if show:
        return shown(show, as_json)
    if not game or not out:
        raise InputError("train needs a GAME and --out DIR (or --show DIR)")
    if not minutes > 0:
        raise InputError(f"--minutes must be above 0, not {minutes:g}")
    if workers < 0:
        raise InputError(f"--workers must be 1 or more, or 0 for all, not {workers}")
    return train(game, out, minutes, given(settings or [], seed), workers, rate, as_json)


def given(settings: list[str], seed: int | None) -> dict[str, Any]:
    """The settings by name."""
    made: dict[str, Any] = {} if seed is None else {"seed": seed}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set takes NAME=VALUE, not {text!r}")
        try:
            made[name.strip()] = json.loads(value)
        except ValueError:
            raise InputError(f"{name.strip()} takes a number, not {value!r}") from None
    return made


def train(
    game: str,
    out: str,
    minutes: float,
    settings: dict[str, Any],
    workers: int,
    rate: bool,
    as_json: bool,
) -> int:
    from pathlib import Path

    from ponder.core.start import position
    from ponder.learn.config import training

    live, seconds = LiveLine(), 60 * minutes
    with compiling(game, "self-play"):
        start = position(game)
        config = training(**settings)
        from ponder.learn.training import TrainingRun

        run = TrainingRun(start, Path(out), config, workers or None)
        if run.sight.derived:
            from ponder.learn.seeing import HINT

            say(f"{run.position.rules.name} does not say how its board looks; {HINT}")
        if run.totals.rounds:
            say(f"going on with {out} after {progress_line(run.log[-1], seconds)}")
        last = time.monotonic()

        def tell(line: dict[str, Any]) -> None:
            nonlocal last
            if live.shown:
                live.write(progress_line(line, seconds))
            elif time.monotonic() - last > 10 or "opponent" in line:
                last = time.monotonic()
                say(progress_line(line, seconds))

        try:
            run.run(seconds, tell=tell, rate=rate)
        except KeyboardInterrupt:
            live.clear()
            say(f"interrupted; the same command goes on with {out}")
            return 130
        finally:
            live.clear()
            run.close()
    if as_json:
        print(json.dumps({"folder": out, **(run.log[-1] if run.log else {})}))
    else:
        print(progress_line(run.log[-1], seconds) if run.log else "no round was finished")
        print(f"play with --engine \"alphazero(net='{out}', simulations=100)\"")
    return 0


def progress_line(line: dict[str, Any], seconds: float) -> str:
    """Games, positions, losses, rating and the time left, in one line."""
    words = [f"{line['games']:,} games  {line['positions']:,} positions"]
    if line["policy_loss"] is not None:
        words.append(f"loss {line['policy_loss']:.3f} policy {line['value_loss']:.3f} value")
    if "opponent" in line:
        words.append(f"{line['score']:.0%} against {line['opponent']}")
    left = max(0.0, seconds - line["seconds"])
    words.append(f"{line['seconds'] / 60:.1f} min, {left / 60:.1f} left")
    return "  ".join(words)


def shown(folder: str, as_json: bool) -> int:
    """What a run says of itself."""
    from pathlib import Path

    from ponder.learn.checkpoint import read_log
    from ponder.learn.config import read_config

    config = read_config(Path(folder))
    lines = read_log(Path(folder))
    if as_json:
        print(json.dumps({"config": config, "rounds": lines}))
        return 0
    from ponder.learn.config import Training

    changed = [
        f"{name}={value}"
        for name, value in config.items()
        if name != "game" and value != Training._field_defaults.get(name)
    ]
    print(f"{config['game']}  {' '.join(changed)}".rstrip())
    print(table(lines))
    return 0


ROWS = 16


def table(lines: list[dict[str, Any]]) -> str:
    """Some rounds from the first to the last, and all in which opponents were played."""
    if not lines:
        return "no round is finished yet"
    step = max(1, len(lines) // ROWS)
    chosen = [
        line
        for i, line in enumerate(lines)
        if i % step == 0 or i == len(lines) - 1 or "opponent" in line
    ]
    rows = [("minutes", "games", "positions", "policy", "value", "against", "score")]
    for line in chosen:
        losses = [
            "" if line[name] is None else f"{line[name]:.3f}"
            for name in ("policy_loss", "value_loss")
        ]
        score = f"{line['score']:.0%}" if "opponent" in line else ""
        rows.append(
            (
                f"{line['seconds'] / 60:.1f}",
                f"{line['games']:,}",
                f"{line['positions']:,}",
                losses[0],
                losses[1],
                line.get("opponent", ""),
                score,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    made = []
    for row in rows:
        cells = [
            text.ljust(width) if i == 5 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        made.append("  ".join(cells).rstrip())
    return "\n".join(made)
