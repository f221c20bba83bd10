"""`ponder solve`: the exact value of a position and of every move."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine, print_board, rich_console, search_line
from ponder.cli.waiting import compiling
from ponder.errors import InputError
from ponder.files import require_writable

if TYPE_CHECKING:
    from ponder.core.position import Position
    from ponder.search.solved import Solved, SolvedMove


def command(
    game: options.Game,
    position: options.PositionText = "",
    moves: options.Moves = "",
    seconds: options.Seconds = None,
    memory: options.Memory = None,
    method: Annotated[
        str,
        typer.Option(
            "--method", metavar="NAME", help="The method; by default, what fits the game."
        ),
    ] = "",
    hold: Annotated[
        str,
        typer.Option("--hold", metavar="FIELDS", help="Counters in the state to hold constant."),
    ] = "",
    save: Annotated[
        str,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Save the values of all positions as an endgame table (by value iteration).",
        ),
    ] = "",
    safe: options.Safe = False,
    as_json: options.Json = False,
) -> int:
    """Solve a position: its exact value, and every move's.

    Takes as long as it takes, or gives up after --seconds. Ctrl-C ends it and shows what is
    known.
    """
    options.keep_safe(safe)
    limit = options.limit_of(seconds=seconds, memory=memory)
    from ponder.search.solve import solve

    live = LiveLine()
    with compiling(game, "solving"):
        here = options.position_of(game, position, moves)
        if save:
            check_savable(here, method, save)
        found = solve(
            here,
            seconds=limit.seconds,
            memory=limit.memory,
            method=method or ("value-iteration" if save else None),
            hold=tuple(hold.replace(",", " ").split()),
            progress=search_line(live),
        )
    live.clear()
    if save and found.solution is not None:
        found.solution.save(save)
    if as_json:
        print(json.dumps(found.to_json()))
    else:
        print_solved(found)
    return 130 if found.stopped_by == "interrupt" else 0


def check_savable(here: Position, method: str, file: str) -> None:
    """Refuse before the work is done what could not be saved after it."""
    require_writable(file)
    if here.rules.plain:
        raise InputError("--save is for compiled games: positions of a plain one have no records")
    if method not in ("", "value-iteration"):
        raise InputError(f"--save keeps what value-iteration finds, not {method}")


def print_solved(found: Solved) -> None:
    """The board, a row per move (or outcome), the value, the effort."""
    from ponder.core.result import SHOWN, ResultTable

    console = rich_console()
    print_board(console, found.position)
    console.print()
    best, chances = found.best, dict(found.position.chance_outcomes)
    columns: list[tuple[str, Callable[[SolvedMove], str]]]
    columns = [("outcome" if chances else "move", lambda move: move.name)]
    if chances:
        columns.append(("probability", lambda move: f"{chances[move.action]:.2%}"))
    columns += value_columns(found)
    if any(move.distance is not None for move in found.moves):
        columns.append(("plies", lambda m: "" if m.distance is None else str(m.distance)))
    if not chances:
        columns.append(("", lambda move: "best" if move in best else ""))
    lines = [tuple(cell(move) for _, cell in columns) for move in found.moves[:SHOWN]]
    more = len(found.moves) - len(lines)
    hidden = f"... and {more:,} more; --json has them" if more else ""
    headings = tuple(heading for heading, _ in columns)
    console.out(ResultTable(headings, lines, hidden), highlight=False)
    console.print()
    for line in summary(found):
        console.print(line, soft_wrap=True)


def utility_range(found: Solved) -> tuple[float, float]:
    """What goes without saying of every value."""
    spec = found.position.for_kernels().rules.spec
    return float(spec.lowest), float(spec.highest)


def value_columns(found: Solved) -> list[tuple[str, Callable[[SolvedMove], str]]]:
    """The value, with bounds where only they are known; or one for each player."""
    widest = utility_range(found)

    def value(move: SolvedMove) -> str:
        if move.value is None and (move.low, move.high) != widest:
            return f"{move.low:+g} to {move.high:+g}"
        return "?" if move.value is None else f"{move.value:+g}"

    def of(player: int) -> Callable[[SolvedMove], str]:
        return lambda move: f"{move.values[player]:+g}" if move.values else "?"

    if not any(move.values for move in found.moves):
        return [("value", value)]
    return [(f"player {player}", of(player)) for player in range(found.position.players)]


def summary(found: Solved) -> list[str]:
    mover = max(0, found.position.current_player)
    player = f"for player {mover}"
    if found.value is None and (found.low, found.high) == utility_range(found):
        value = "unknown"
    elif found.value is None:
        value = f"between {found.low:+g} and {found.high:+g} {player}"
    else:
        value = f"{found.value:+g} {player}"
        if found.distance is not None:
            value += f", over in {found.distance} plies"
        for other, worth in enumerate(found.values or ()):
            value += "" if other == mover else f", {worth:+g} for player {other}"
    rate = found.nodes / max(found.seconds, 1e-9)
    lines = [
        f"value   {value}",
        f"effort  {found.nodes:,} nodes in {found.seconds:.2f} s = {rate:,.0f}/s, {found.method}",
    ]
    if found.move is not None and not found.best:
        lines.insert(1, f"move    {found.position.action_name(found.move)}   the best known so far")
    if found.stopped_by != "solved":
        reasons = {
            "depth": "the game goes on for too long to be searched to its end",
            "memory": "there are more positions than fit into memory",
        }
        reason = reasons.get(found.stopped_by, f"stopped by {found.stopped_by}")
        lines.append(f"note    {reason}: not everything is known")
    lines += [f"{'' if i else 'helps':7} {text}" for i, text in enumerate(found.help)]
    return lines
