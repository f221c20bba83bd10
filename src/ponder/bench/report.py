"""What `ponder bench` prints: a table, or JSON with `as_json`; progress goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ponder.adapters.openspiel import load_pyspiel
from ponder.bench.openspiel import GOALS, PEERS, REPEATS, Duel, duel, is_registered
from ponder.bench.signature import SIMULATIONS, signature
from ponder.bench.speed import Speed, measure
from ponder.bench.wide_signature import GroupSignature, whole_number, wide_signature
from ponder.core.start import game as game_named
from ponder.errors import InputError, quoted

Tell = Callable[[str], None]

SECONDS = 1.0
DEFAULT_GAMES = (
    "tictactoe",
    "connect4",
    "othello",
    "breakthrough",
    "hex",
    "go(size=9)",
    "checkers",
    "chess",
    "backgammon",
    "twenty48",
)


def run(
    games: Sequence[str],
    against: str | None,
    signature_only: bool,
    seconds: float | None,
    as_json: bool,
    tell: Tell,
    repeats: int | None = None,
) -> None:
    """Measure and print. `games` empty: the usual list; `seconds`: for each measurement; `tell`
    takes progress lines; beside a peer, `repeats` measurements of each."""
    if signature_only:
        _print_signature(as_json)
        return
    if against not in (None, "openspiel"):
        raise InputError(f"cannot measure against {quoted(against)}; accepted: openspiel")
    for game in games:
        game_named(game)  # a wrong name should not be found out after minutes
    if against:
        load_pyspiel()
        chosen = list(games) or _registered(PEERS, tell)
        many = repeats or REPEATS
        duels = [_watched(g, lambda g: duel(g, seconds or SECONDS, many), tell) for g in chosen]
        print(_json_of_duels(duels)) if as_json else _print_duels(duels, many)
    else:
        chosen = list(games) or _registered(DEFAULT_GAMES, tell)
        speeds = [_watched(game, lambda g: measure(g, seconds or SECONDS), tell) for game in chosen]
        print(_json([speed._asdict() for speed in speeds])) if as_json else _print_speeds(speeds)


def _registered(games: Any, tell: Tell) -> list[str]:
    """Those that exist here, with a word about the others."""
    for game in games:
        if not is_registered(game):
            tell(f"{game}: not a game here, left out")
    return [game for game in games if is_registered(game)]


def _watched(game: str, work: Callable[[str], Any], tell: Tell) -> Any:
    tell(f"measuring {game}")
    return work(game)


# ------------------------------------------------------------------ output


def _print_signature(as_json: bool) -> None:
    value = signature()
    if not as_json:
        print(value, flush=True)
    groups: list[GroupSignature] = []
    for group in wide_signature():
        groups.append(group)
        if not as_json:
            print(f"{group.number}  {group.name}", flush=True)
    whole = whole_number(groups)
    if not as_json:
        print(f"{whole}  all groups")
        return
    made = {group.name: {"signature": group.number, "lines": group.lines} for group in groups}
    print(_json({"signature": value, "simulations": SIMULATIONS, "wide": whole, "groups": made}))


def _print_speeds(speeds: list[Speed]) -> None:
    columns = ("random games/s", "UCT simulations/s", "perft nodes/s", "depth", "bytes/node")
    table = _table("Speed, one core, processor time", columns)
    for s in speeds:
        table.add_row(
            s.game,
            _number(s.playouts),
            _number(s.simulations),
            _number(s.perft_nodes),
            "-" if s.perft_depth is None else str(s.perft_depth),
            f"{s.bytes_per_node:.0f}",
        )
    _print(table)


def _print_duels(duels: list[Duel], repeats: int) -> None:
    columns = (
        "simulations",
        "ponder /s",
        "spread",
        "openspiel /s",
        "spread",
        "ratio",
        "goal",
        "random games",
    )
    title = f"UCT, c = 2, one rollout a simulation; medians of {repeats}, one core, taking turns"
    table = _table(title, columns)
    for d in duels:
        goal = GOALS.get(d.game)
        table.add_row(
            d.game,
            f"{d.simulations:,}",
            _number(d.ours.median),
            _spread(d.ours),
            _number(d.theirs.median),
            _spread(d.theirs),
            f"{d.ratio:.1f}x",
            "" if goal is None else f"{goal:g}x {'met' if d.ratio >= goal else 'MISSED'}",
            f"{d.playout_ratio:.1f}x",
        )
    _print(table)


def _json_of_duels(duels: list[Duel]) -> str:
    return _json(
        [
            {
                **d._asdict(),
                "ours": d.ours._asdict(),
                "theirs": d.theirs._asdict(),
                "ratio": d.ratio,
                "playout_ratio": d.playout_ratio,
                "goal": GOALS.get(d.game),
            }
            for d in duels
        ]
    )


def _json(data: Any) -> str:
    return json.dumps({"bench": data} if isinstance(data, list) else data, indent=1)


def _number(value: float | None) -> str:
    """Three figures are what a measurement is worth: 1.23 M, 45.6 k."""
    if value is None:
        return "-"
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def _spread(rate: Any) -> str:
    """How far the measurements lie apart, in percent of the median."""
    return f"{100 * (rate.high - rate.low) / rate.median:.0f}%"


def _table(title: str, columns: Sequence[str]) -> Any:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    table.add_column("game")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _print(table: Any) -> None:
    from rich.console import Console

    wide = None if sys.stdout.isatty() else 160  # a file needs no line breaks
    Console(file=sys.stdout, highlight=False, width=wide).print(table)
