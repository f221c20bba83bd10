"""`ponder show`: the search tree, drawn as on a blackboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cache_times import kind_of_work
from ponder.cli import options
from ponder.cli import tier as tiers
from ponder.cli.console import LiveLine, rich_console, say, search_line
from ponder.cli.search_files import check_file
from ponder.cli.waiting import compiling
from ponder.errors import InputError, installing

if TYPE_CHECKING:
    from ponder.core.position import Position
    from ponder.core.session import Session

DEPTH, SIMULATIONS = 4, 100
"""Where neither a limit is given nor the engine has one of its own."""


def command(
    game: options.Game,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="SPEC",
            help="An engine; without one the textbook's search for such a game.",
        ),
    ] = "",
    position: options.PositionText = "",
    moves: options.Moves = "",
    depth: options.Depth = None,
    simulations: options.Simulations = None,
    seed: options.Seed = None,
    step: Annotated[
        int | None,
        typer.Option(
            "--step", metavar="K", parser=options.whole, help="As it was after K steps (nodes)."
        ),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option("--most", metavar="N", parser=options.whole, help="Draw at most N nodes."),
    ] = None,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write it to FILE.svg.")] = "",
    png: Annotated[str, typer.Option("--png", metavar="FILE", help="Write it to FILE.png.")] = "",
    plot: Annotated[
        str,
        typer.Option(
            "--plot", metavar="FILE", help="Plot visits and values over time: FILE.svg or FILE.png."
        ),
    ] = "",
    tier: options.Tier = "auto",
) -> None:
    """Draw the tree of a search.

    Values as they were backed up, windows and cuts with their reasons, what was not looked at,
    visits and the last simulation: in the terminal, or as a picture.
    """
    for option, file, ending in (("--svg", svg, ".svg"), ("--png", png, ".png")):
        check_file(option, file or None, (ending,))
    convert = _converter() if png else None
    what = kind_of_work("drawing", game, engine)
    mode = tiers.chosen(tier, tiers.SearchWanted(what, simulations, events=True))
    if plot:
        from ponder.show.plots import check_plot

        check_plot(plot)
    from ponder.show.draw import MOST_NODES, picture_of
    from ponder.show.svg import tree_svg
    from ponder.show.terminal import outline

    limit = {"depth": depth, "simulations": simulations}
    with compiling(game, "this drawing", engine=engine), mode.searching():
        here = options.position_of(game, position, moves)
        session = _searched(here, engine, limit, 1 if seed is None else seed)
        picture = picture_of(session, MOST_NODES if most is None else most, step)
    for note in mode.notes():
        say(note)
    if svg:
        _save(svg, tree_svg(picture).encode())
    if convert is not None:
        _save(png, convert(tree_svg(picture)))
    if plot:
        from ponder.show.over_time import search_plot
        from ponder.show.plots import save_plot

        save_plot(search_plot(session), plot)
        say(f"wrote {plot}")
    if not (svg or png or plot):
        rich_console().print(outline(picture), soft_wrap=True)


def _searched(here: Position, engine: str, limits: dict[str, Any], seed: int) -> Session[Any]:
    """The session, run to its limit."""
    from ponder.core.limits import Limit
    from ponder.core.session import Capability
    from ponder.show.draw import LARGEST

    given = {name: value for name, value in limits.items() if value is not None}
    if len(given) > 1:
        raise InputError("--depth is for classical searches, --simulations for mcts(): not both")
    text = engine or textbook_engine(here, "simulations" in given, "depth" in given)
    searcher = options.engine_of(text)
    grown = searcher.resolve(here).traits.continues_trees  # simulation by simulation
    given = given or _own(searcher) or ({"simulations": SIMULATIONS} if grown else {"depth": DEPTH})
    plan = Limit() if grown else Limit(depth=given.get("depth"))
    session = searcher.start(here, seed=seed, plan=plan)
    if not session.capabilities & (Capability.TREE | Capability.EVENTS):
        raise InputError(f"{text} has no tree to draw")
    if not grown:  # more cannot be drawn: nobody needs to wait for them
        given["nodes"] = min(given.get("nodes", LARGEST + 1), LARGEST + 1)
    live = LiveLine()
    session.run(**given, progress=search_line(live))
    live.clear()
    return session


def _own(searcher: Any) -> dict[str, Any]:
    """How much work the engine's own fields ask for: alphabeta(depth=2)."""
    limit = replace(searcher.limit, memory=None)
    return {name: value for name, value in vars(limit).items() if value is not None}


def textbook_engine(here: Position, simulations: bool, depth: bool) -> str:
    """The search that a textbook shows for such a game, and for such a limit."""
    from ponder.core.game import hooks_of

    hooks = hooks_of(here.rules.game)
    too_long = here.for_kernels().rules.spec.max_length > DEPTH
    if simulations or (not depth and too_long and "evaluate" not in hooks):
        return "mcts()"
    if here.players > 2 or (here.players == 2 and not here.rules.zero_sum):
        return "maxn()"
    if here.dice_ahead:
        return "expectiminimax(pruning=none, table=False)"
    return "plain_alphabeta()"


def _converter() -> Any:
    """What turns SVG into PNG."""
    try:
        import cairosvg
    except (ImportError, OSError):
        raise InputError(
            f"--png needs cairosvg: {installing('png')}, or use --svg FILE.svg"
        ) from None
    return lambda text: cairosvg.svg2png(bytestring=text.encode(), scale=2.0)


def _save(file: str, data: bytes) -> None:
    from ponder.files import save_file

    save_file(file, data)
    say(f"wrote {file}")
