"""`ponder search`: look for the best move of a position and say why."""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.cache_times import kind_of_work
from ponder.cli import options
from ponder.cli import search_options as asked
from ponder.cli import tier as tiers
from ponder.cli.console import LiveLine, print_board, rich_console, say, search_line
from ponder.cli.reasons import reasons_text
from ponder.cli.search_files import (
    check_file,
    engine_of_file,
    saved_tree,
    tree_of,
    tried,
    write_files,
)
from ponder.cli.waiting import compiling
from ponder.errors import InputError

if TYPE_CHECKING:
    from ponder.core.engine import Engine
    from ponder.core.limits import Limit
    from ponder.core.position import Position
    from ponder.core.result import SearchResult
    from ponder.core.session import Session


def command(
    game: options.Game,
    position: options.PositionText = "",
    moves: options.Moves = "",
    engine: asked.Engine = "",
    seconds: options.Seconds = None,
    simulations: options.Simulations = None,
    memory: options.Memory = None,
    nodes: options.Nodes = None,
    depth: options.Depth = None,
    whole_moves: options.WholeMoves = None,
    seed: options.Seed = None,
    as_json: options.Json = False,
    tree: asked.Tree = None,
    trace: asked.Trace = None,
    session: asked.Session = None,
    threads: options.Threads = None,
    parallel: options.Parallel = "",
    only: asked.Only = None,
    save: asked.Save = None,
    go_on: asked.GoOn = None,
    why: asked.Why = False,
    why_after: asked.WhyAfter = "",
    totals: asked.Totals = False,
    roll: asked.Roll = False,
    everything: asked.Everything = False,
    hints: asked.Hints = False,
    safe: options.Safe = False,
    tier: options.Tier = "auto",
) -> int:
    """Find the best move of a position.

    Shows what each move is worth and the best line; where chance moves, what each outcome is worth,
    and the expectation. Without a limit it searches for one second. Ctrl-C ends the search and
    shows what was found.
    """
    named = engine or options.DEFAULT_ENGINE
    others = [word for word, given in (("traced", trace), ("only", only)) if given]
    what = kind_of_work(" ".join(["search", *others]), game, named)  # more code than of the usual
    clock = _has_clock(named, seconds, simulations, nodes, depth, whole_moves)
    compiled = safe or threads not in (None, 1) or _is_read_once(go_on)
    most = simulations or nodes
    mode = tiers.chosen(tier, tiers.SearchWanted(what, most, clock, compiled, bool(trace)))
    options.keep_safe(safe)
    _check_files(tree, trace, session, save)
    _refuse_empty(only, go_on)
    limit = options.limit_of(
        seconds=seconds, simulations=simulations, memory=memory, nodes=nodes, depth=depth
    )
    extra: dict[str, Any] = {}
    log, live = None, LiveLine()
    rolled: tuple[str, ...] = ()
    seed = mode.seed(seed)
    with compiling(game, "this search", what=what), mode.searching():
        if go_on:
            extra["tree"] = saved_tree(game, position, moves, go_on)
            here = extra["tree"].position
            engine = engine or engine_of_file(extra["tree"], go_on)
        else:
            here = options.position_of(game, position, moves)
        limit = options.in_whole_moves(limit, whole_moves, here)
        if roll:
            here, seed, rolled = _rolled(here, seed, go_on)
        engine = engine or options.DEFAULT_ENGINE
        searcher = options.engine_of(engine, threads, parallel)
        wanted = {"--tree": tree, "--save": save, "--why": why, "--why-after": why_after}
        wanted["--totals"] = totals
        _check_options(searcher, engine, here, {**wanted, "--continue": go_on, "--only": only})
        if only:
            extra["moves"] = _named_moves(here, only)
        if trace or session:
            kept = ToKeep(session or "", bool(trace), engine)
            result, log = _searched_and_kept(searcher, here, limit, seed, live, extra, kept)
        else:
            given = {"seed": seed, "progress": search_line(live), **extra}
            result = searched(searcher, here, limit, given)
    live.clear()
    result = _with_what_the_mode_says(result, mode)
    # files first, and the result whatever becomes of them: what was found is not lost
    problems = write_files(result, tree or "", save or "", trace or "", log)
    told = Told(as_json, why or bool(why_after), why_after, everything, totals, rolled)
    problems += _print_all(result, told)
    if problems:
        raise problems[0]
    if not as_json and (hints or sys.stdout.isatty()):
        _print_hints(game, position, moves)
    return 130 if result.stopped_by == "interrupt" else 0


def _with_what_the_mode_says(result: SearchResult, mode: tiers.Tier) -> SearchResult:
    """The result with the notes of the mode, which speaks on stderr as well."""
    if mode.notes():
        result = replace(result, notes=(*result.notes, *mode.notes()))
    if mode.said():
        say(mode.said())
    return result


def _check_files(
    tree: str | None, trace: str | None, session: str | None, save: str | None
) -> None:
    """Refuse before the search what could not be written after it."""
    check_file("--tree", tree, (".json", ".dot"))
    check_file("--trace", trace, (".jsonl",))
    check_file("--session", session, (".session",))
    check_file("--save", save, (".tree",))


def _refuse_empty(only: str | None, go_on: str | None) -> None:
    for option, text in (("--only", only), ("--continue", go_on)):
        if text is not None and not text.strip():
            raise InputError(f"{option} is empty: say something there, or leave it out")


def _is_read_once(file: str | None) -> bool:
    """Is it a pipe, say, which the process that takes over would find empty?"""
    return file is not None and os.path.exists(file) and not os.path.isfile(file)


def _has_clock(engine: str, seconds: float | None, *others: int | None) -> bool:
    """Is the search limited by time? As far as can be known before the engine is read."""
    own = re.search(r"\b(simulations|nodes|depth) *=", engine)
    return seconds is not None or (not own and others == (None,) * len(others))


def print_result(result: SearchResult, everything: bool = False, totals: bool = False) -> None:
    """The board, a row per move (or outcome), the best line, the effort."""
    from ponder.core.result import SHOWN

    console = rich_console()
    print_board(console, result.position)
    console.print()
    shown = result.table(None if everything else SHOWN, totals=totals)
    heading, first, *others = str(shown).split("\n")
    console.print(heading, style="dim", soft_wrap=True)
    console.print(first, style=None if result.outcomes else "bold", soft_wrap=True)
    console.out(*others, sep="\n", highlight=False, end="\n" if others else "")
    if shown.hidden:
        console.print("--all shows them", style="dim")
    console.print()
    summary = result.summary()
    before = next(i for i, line in enumerate(summary) if line.startswith("effort"))
    summary.insert(before + 1, f"engine  {result.engine}")
    for text in summary:
        console.print(text, soft_wrap=True)


def searched(searcher: Engine, here: Position, limit: Limit, given: dict[str, Any]) -> SearchResult:
    """The result of the engine's own search, with these options."""
    engine: Any = searcher  # whose options are its own
    found: SearchResult = engine.search(here, limit, **given)
    return found


def _check_options(searcher: Engine, engine: str, here: Position, wanted: dict[str, Any]) -> None:
    """Refuse before the search what could not be done with it, or with its tree."""
    if not any(wanted.values()):
        return
    traits = searcher.resolve(here).traits
    for option, given in wanted.items():
        fits = traits.restricts_moves if option == "--only" else traits.continues_trees
        if given and not fits:
            raise InputError(f"{option} works with mcts() and its presets, not with {engine}")
    if wanted["--save"] and here.rules.plain:
        raise InputError(
            "--save works with compiled games, and this is a plain Python one: "
            "--session FILE.session keeps its search"
        )
    if wanted["--why-after"]:
        there = here.play_all(wanted["--why-after"])
        if there.is_terminal or there.is_chance:
            raise InputError(f"after {wanted['--why-after']} there is no move to select")


class ToKeep(NamedTuple):
    """What is to be kept of a search besides its result."""

    session: str
    """The file of its history, if any."""
    trace: bool
    engine: str


def _searched_and_kept(
    searcher: Engine,
    here: Position,
    limit: Limit,
    seed: int | None,
    live: LiveLine,
    extra: dict[str, Any],
    kept: ToKeep,
) -> tuple[SearchResult, Any]:
    """The result and, if wanted, the events of a search that is run again to hear them."""
    from ponder.core.engine import SessionOptions, start_session
    from ponder.core.session import Capability

    session = start_session(searcher, here, SessionOptions(seed, limit, **extra))
    for option, wanted, given in (
        ("--trace", Capability.EVENTS, kept.trace),
        ("--session", Capability.SAVE, kept.session),
    ):
        if given and wanted not in session.capabilities:
            why = "reports no events" if wanted is Capability.EVENTS else "cannot be run again"
            raise InputError(f"{option} does not work here: this search of {kept.engine} {why}")
    session.run(limit, progress=search_line(live))
    events = session.events() if kept.trace else None
    if kept.session:
        session.save(kept.session)
        replay = shlex.join(["ponder", "replay", kept.session, *_own_files(session)])
        say(f"wrote {kept.session}; {replay} steps through it")
    return session.finish(), events


def _own_files(session: Session[Any]) -> list[str]:
    """What `ponder replay` must be told of Python files that the search names."""
    from ponder.core.gate import names_in
    from ponder.core.registry import game_text, part_text

    texts = game_text(session.position.game), part_text(session.engine)
    files = dict.fromkeys(path for text in texts for path, _ in names_in(text))
    return [word for file in files for word in ("--trust", file)]


def _named_moves(here: Any, text: str) -> list[Any]:
    """Moves by name, between blanks; by commas where names have blanks."""
    names = text.split(",") if "," in text else text.split()
    return [here.parse_action(name.strip()) for name in names]


class Told(NamedTuple):
    """How the result is shown."""

    as_json: bool
    reasons: bool
    after: str
    everything: bool
    totals: bool
    """W besides?"""
    rolled: tuple[str, ...]
    """What the dice have shown before the search."""


def _print_all(result: Any, told: Told) -> list[InputError]:
    """The result, with the reasons of the select rule at the node after some moves if wanted.

    Returns why there are none, where the search did not get that far.
    """
    rows: list[Any] = []
    moves = told.after
    problems = tried(lambda: rows.extend(_reasons(result, moves))) if told.reasons else []
    if told.as_json:
        data = result.to_json()
        reasons = [row.to_json() for row in rows]
        if told.totals:
            for made, given in ((data["moves"], result.moves), (reasons, rows)):
                for line, row in zip(made, given, strict=True):
                    line["total"] = row.total
        if told.rolled:
            data["rolled"] = list(told.rolled)
        if rows:
            visits = result.tree.after(moves).visits
            data["why"] = {"after": moves, "visits": visits, "moves": reasons}
        print(json.dumps(data))
    else:
        if told.rolled:
            print(f"chance: {', '.join(told.rolled)}\n")
        print_result(result, told.everything, told.totals)
        if rows:
            visits = result.tree.after(moves).visits
            print(reasons_text(rows, moves, visits, everything=told.everything, totals=told.totals))
    return problems


def _rolled(here: Any, seed: int | None, go_on: str | None) -> tuple[Any, int, tuple[str, ...]]:
    """The position after the dice have fallen, the seed they fell by, and what they show."""
    from ponder.core.dice import thrown

    if go_on or not here.is_chance:
        raise InputError("--roll is for positions in which chance moves")
    seed = secrets.randbits(32) if seed is None else seed
    names = []
    while here.is_chance:
        outcome = thrown(here, seed)
        names.append(here.action_name(outcome))
        here = here.play(outcome)
    return here, seed, tuple(names)


def _reasons(result: Any, moves: str) -> Any:
    from ponder.mcts.why import why

    tree = tree_of(result, "--why")
    return why(tree, tree.after(moves))


def _print_hints(game: str, position: str, moves: str) -> None:
    here = shlex.quote(game)
    if position:
        here += f" --position {shlex.quote(position)}"
    if moves:
        here += f" --moves {shlex.quote(moves)}"
    lines = [
        (f"ponder play {here}", "play on against it"),
        (f"ponder search {here} --seconds 10", "think longer"),
        (f"ponder search {here} --tree tree.dot", "see its tree (Graphviz)"),
        ("ponder games", "all games"),
        ("ponder check my_game.py:MyGame", "your own game (docs/your-own-game.md)"),
    ]
    width = min(max(len(line) for line, _ in lines), 60)
    print("\ntry next")
    for line, what in lines:
        print(f"  {line.ljust(width)}   {what}")
