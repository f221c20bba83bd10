"""Options that several commands share, and what they mean."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.core.tiers import TIERS
from ponder.errors import InputError, quoted

if TYPE_CHECKING:
    from ponder.core.engine import Engine as SearchEngine
    from ponder.core.limits import Limit
    from ponder.core.position import Position


def number(text: str) -> float:
    """A number as it was typed."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{quoted(text)} is not a number") from None


def whole(text: str) -> int:
    """A whole number as it was typed."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{quoted(text)} is not a whole number") from None


def thread_number(text: str) -> int:
    """A whole number, or auto: as many as there are."""
    try:
        return 0 if text == "auto" else int(text)
    except ValueError:
        raise typer.BadParameter(f"{quoted(text)} is neither a whole number nor auto") from None


Game = Annotated[
    str, typer.Argument(metavar="GAME", help='A game: "connect4", "go(size=9)", my.py:MyGame.')
]
PositionText = Annotated[
    str,
    typer.Option(
        "--position", metavar="TEXT", help="Start from this position, in the game's own notation."
    ),
]
Moves = Annotated[
    str, typer.Option("--moves", metavar='"A B C"', help="Moves played from there, by name.")
]
Engine = Annotated[
    str, typer.Option("--engine", metavar="SPEC", help='An engine: "mcts(select=ucb1(c=1.4))".')
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", parser=number, help="Search for S seconds."),
]
Simulations = Annotated[
    int | None,
    typer.Option("--simulations", metavar="N", parser=whole, help="Search for N simulations."),
]
Memory = Annotated[
    float | None,
    typer.Option("--memory", metavar="MB", parser=number, help="Memory cap in megabytes."),
]
Nodes = Annotated[
    int | None, typer.Option("--nodes", metavar="N", parser=whole, help="Search N nodes.")
]
Depth = Annotated[
    int | None, typer.Option("--depth", metavar="D", parser=whole, help="Search D plies deep.")
]
WholeMoves = Annotated[
    int | None,
    typer.Option(
        "--whole-moves",
        metavar="M",
        parser=whole,
        help="Search M whole moves deep: one ply of every player each, as lectures count.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", metavar="K", parser=whole, help="A whole number that makes the run repeatable."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

Safe = Annotated[
    bool, typer.Option("--safe", help="Check every index of compiled rules: slow, never a crash.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        parser=thread_number,
        help="How many threads search; auto for all.",
    ),
]
Parallel = Annotated[
    str, typer.Option("--parallel", metavar="HOW", help="How threads share: tree, root or leaf.")
]


def tier_name(text: str) -> str:
    """One of the tiers."""
    if text not in TIERS:
        raise typer.BadParameter(f"{quoted(text)} is not one of {', '.join(TIERS)}")
    return text


Tier = Annotated[
    str,
    typer.Option(
        "--tier",
        metavar="NAME",
        parser=tier_name,
        help="plain: in plain Python; compiled; auto: plain at once, compiled where that is "
        "quicker, with the same result.",
    ),
]

DEFAULT_ENGINE = "strong()"


def bounds_checked() -> bool:
    """Have every index in compiled code checked from here on.

    False where it is too late: the compiler reads the environment once, when it is imported.
    """
    if "numba" not in sys.modules:
        os.environ["NUMBA_BOUNDSCHECK"] = "1"
    from ponder.jit import BOUNDS_CHECKED

    return BOUNDS_CHECKED


def keep_safe(safe: bool) -> None:
    """What --safe asks for; to be called before anything that compiles is imported."""
    if safe and not bounds_checked():
        raise InputError(
            "--safe comes too late in a process that has compiled already: "
            "start ponder as a program, or Python with NUMBA_BOUNDSCHECK=1"
        )


def engine_of(text: str, threads: int | None = None, parallel: str = "") -> SearchEngine:
    """The engine that --engine names, with --threads and --parallel where it knows them."""
    from ponder.core.parts import canonical
    from ponder.core.start import engine as engine_named

    made = engine_named(text)
    given: dict[str, Any] = {} if threads is None else {"threads": threads}
    given |= {"parallel": parallel} if parallel else {}
    if not given:
        return made
    parts: Any = made  # a named tuple of its parameters
    for field in given:
        if field not in parts._fields:
            raise InputError(f"--{field} works with mcts() and its presets, not with {text}")
    found: SearchEngine = canonical(parts._replace(**given))
    return found


def limit_of(**given: Any) -> Limit:
    """The limits given on the command line; refuses an endless one."""
    from ponder.core.limits import Limit

    for name, value in given.items():
        if value is not None and math.isinf(value):
            raise InputError(f"{name} must be a finite number above 0, not {value}")
    return Limit(**given)


def in_whole_moves(limit: Limit, moves: int | None, position: Position) -> Limit:
    """The limit, with the depth that --whole-moves asks for in this game."""
    if moves is None:
        return limit
    if limit.depth is not None:
        raise InputError("--depth counts plies, --whole-moves one of every player: not both")
    if moves < 1:
        raise InputError(f"whole-moves must be a whole number above 0, not {moves}")
    return replace(limit, depth=type(limit).whole_moves(moves, position.players).depth)


def position_of(game: str, text: str, moves: str) -> Position:
    """The position that GAME, --position and --moves describe."""
    from ponder.core.start import position

    here = position(game, text)
    return here.play_all(moves) if moves.strip() else here
