"""`ponder replay`: a recorded Monte Carlo search, looked at simulation by simulation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cli import options
from ponder.errors import InputError

if TYPE_CHECKING:
    from ponder.mcts.recording import Replay


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A recording: ponder search --trace FILE.jsonl.")
    ],
    simulation: Annotated[
        int | None,
        typer.Option(
            "--simulation", metavar="N", parser=options.whole, help="Stop after N simulations."
        ),
    ] = None,
    against: Annotated[
        str, typer.Option("--against", metavar="OTHER", help="Where do two recordings part?")
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            "--game", metavar="GAME", help="Its game, where that is from your own FILE.py:NAME."
        ),
    ] = "",
    as_json: options.Json = False,
) -> None:
    """Step through a recorded search.

    Shows what the root moves were worth after N simulations, and the N-th one step by step.
    """
    from ponder.core.registry import parse_game
    from ponder.mcts.recording import Replay, first_difference

    if game:  # a recording may name a Python file, but only its user has it run
        parse_game(game)
    one = Replay.load(file)
    if not against:
        number = len(one.simulations) if simulation is None else simulation
        data = moment(one, number)
        print(json.dumps(data) if as_json else moment_text(data))
        return
    if simulation is not None:
        raise InputError("--against finds the simulation itself: leave out --simulation")
    two = Replay.load(against)
    found = first_difference(one, two)
    data = {"difference": None if found is None else found.number}
    if found is not None:
        data["recordings"] = [
            moment(replay, min(found.number, len(replay.simulations))) for replay in (one, two)
        ]
    if as_json:
        print(json.dumps(data))
    elif found is None:
        print("the two searches are the same, simulation by simulation")
    else:
        print(f"the first {found.number - 1:,} simulations are the same; then\n")
        for name, part in zip((file, against), data["recordings"], strict=True):
            print(f"{name}\n{moment_text(part)}\n")


def moment(replay: Replay, number: int) -> dict[str, Any]:
    """The root moves after `number` simulations, and that simulation, as plain data."""
    rows: list[dict[str, Any]] = [
        {"name": path[0], "visits": seen.visits, "value": seen.value}
        for path, seen in replay.at(number).items()
        if len(path) == 1
    ]
    rows.sort(key=lambda row: -row["visits"])
    last = replay.simulations[number - 1].to_json() if number else None
    return {
        "engine": replay.head["engine"],
        "seed": replay.head["seed"],
        "simulation": number,
        "of": len(replay.simulations),
        "carried": sum(row["visits"] for row in replay.head["carried"]),
        "moves": rows,
        "steps": last,
    }


def moment_text(data: dict[str, Any]) -> str:
    lines = [f"after {data['simulation']:,} of {data['of']:,} simulations of {data['engine']}"]
    if data["carried"]:
        lines.append(f"which continued a tree of {data['carried']:,} simulations")
    lines.append("")
    width = max([4, *(len(row["name"]) for row in data["moves"])])
    lines.append(f"{'move':{width}}  {'visits':>9}  {'value':>7}")
    for row in data["moves"]:
        lines.append(f"{row['name']:{width}}  {row['visits']:>9,}  {row['value']:>+7.3f}")
    if data["steps"] is not None:
        lines += ["", *step_lines(data["steps"])]
    return "\n".join(lines)


def step_lines(step: dict[str, Any]) -> list[str]:
    """One simulation in its four steps."""
    path = list(zip(step["path"], step["visits"], strict=True))
    walked = "  ".join(f"{name} ({visits:,})" for name, visits in path) or "the root itself"
    values = "  ".join(f"player {p}: {value:+.3f}" for p, value in enumerate(step["values"]))
    dropped = f", after {step['dropped']:,} were dropped for room" if step["dropped"] else ""
    how = "known already" if step["settled"] else "evaluated"
    return [
        f"simulation {step['n']:,}",
        f"  select    {walked}",
        f"  expand    {step['added']} new nodes{dropped}",
        f"  evaluate  {values}   ({how})",
        f"  backup    to {len(path) + 1} nodes; visits in brackets include this one",
    ]
