"""`ponder explain`: an evaluation, taken apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cache_times import kind_of_work
from ponder.cli import options
from ponder.cli import tier as tiers
from ponder.cli.console import print_board, rich_console
from ponder.cli.waiting import compiling

if TYPE_CHECKING:
    from ponder.core.terms import Explanation

FEW = 12
"""Up to so many terms all are shown, else those that are not 0."""


def command(
    game: options.Game,
    position: options.PositionText = "",
    moves: options.Moves = "",
    player: Annotated[
        int,
        typer.Option(
            "--player",
            metavar="P",
            parser=options.whole,
            help="For this player; by default player 0.",
        ),
    ] = 0,
    as_json: options.Json = False,
    tier: options.Tier = "auto",
) -> None:
    """Take the evaluation of a position apart.

    Each feature with its value, its weight and its share of the sum, and what the sum stands for.
    """
    mode = tiers.chosen(tier, tiers.SearchWanted(kind_of_work("evaluation", game), 1))
    from ponder.core.terms import explain

    with compiling(game, "this evaluation"), mode.searching():
        here = options.position_of(game, position, moves)
        found = explain(here, player)
    if as_json:
        print(json.dumps(_as_json(game, here, found)))
        return
    console = rich_console()
    print_board(console, here)
    console.print()
    if not found.terms:
        console.print(f"The result is known: {found.value:+.3f} for player {player}.")
        return
    console.print(_table(found))
    left_out = len(found.terms) - len(_shown(found))
    if left_out:
        console.print(f"{left_out} more are 0 here.", style="dim")
    stands_for = "stands for" if found.squashed else "is"
    console.print(
        f"The sum {stands_for} a utility of {found.value:+.3f} for player {player}.",
        soft_wrap=True,
    )


def _table(found: Explanation) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("feature")
    for column in ("value", "weight", "share"):
        table.add_column(column, justify="right")
    for term in _shown(found):
        style = "green" if term.share > 0 else "red" if term.share < 0 else "dim"
        share = Text(f"{term.share:+.3f}", style)
        table.add_row(term.name, f"{term.value:+.4g}", f"{term.weight:g}", share)
    table.add_row("sum", "", "", f"{found.score:+.3f}", style="bold")
    return table


def _shown(found: Explanation) -> list[Any]:
    """All terms, but of many only those that add something."""
    many = len(found.terms) > FEW
    return [term for term in found.terms if term.share or not many]


def _as_json(game: str, here: Any, found: Explanation) -> dict[str, Any]:
    return {
        "game": game,
        "position": here.text(),
        "player": found.player,
        "terms": [{**term._asdict(), "share": term.share} for term in found.terms],
        "score": found.score,
        "value": found.value,
    }
