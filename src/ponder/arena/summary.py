"""The result of a match in lines, for people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ponder.arena.rating import Rating, mean_difference

if TYPE_CHECKING:
    from ponder.arena.result import MatchResult


def summary(result: MatchResult) -> list[str]:
    """Who played whom, one row per seat, score, Elo, effort, notes."""
    lines = [
        f"{result.game}, {plural(result.games, 'game')}, openings {result.openings}, "
        f"seed {result.seed}",
        f"first   {result.players[0]}",
        f"second  {result.players[1]}",
        "",
        *table(result),
        "",
    ]
    if result.games:
        lines += strength(result)
        lines += [f"effort  {name:8}{effort(result.effort(i))}" for i, name in NAMES]
    lines += [f"forfeit {f}" for f in forfeits(result)]
    return lines + [f"note    {note}" for note in result.notes]


NAMES = ((0, "first"), (1, "second"))


def table(result: MatchResult) -> list[str]:
    """Wins, draws and losses of the first player, in each seat and in all."""
    rows: list[tuple[str, ...]] = [("", "games", "wins", "draws", "losses")]
    if result.seat_count > 1:
        for seat, counts in enumerate(result.by_seat()):
            rows.append((f"seat {seat}", *map(str, (sum(counts), *counts))))
    every = (result.games, result.wins, result.draws, result.losses)
    rows.append(("all" if result.seat_count > 1 else "rounds", *map(str, every)))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    return [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def strength(result: MatchResult) -> list[str]:
    rating = result.rating
    lines = [
        f"score   {rating.score:.1%}   95 % interval {rating.score_low:.1%} to "
        f"{rating.score_high:.1%}"
    ]
    if result.seat_count == 1:
        mean, low, high = mean_difference(result.differences)
        return [*lines, f"return  {mean:+g}   95 % interval {low:+g} to {high:+g}"]
    lines.append(
        f"elo     {elo(rating)}   95 % interval {bound(rating.elo_low)} to {bound(rating.elo_high)}"
    )
    return lines


def elo(rating: Rating) -> str:
    """The difference; what a clean sweep says of it, and a single game says nothing."""
    if not math.isfinite(rating.elo):
        return "beyond measure"
    about = "beyond measure, about " if rating.score in (0.0, 1.0) else ""
    return f"{about}{rating.elo:+.0f}"


def bound(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "no limit"


def effort(spent: dict[str, Any]) -> str:
    words = []
    if "seconds_per_move" in spent:
        words.append(f"{1000 * spent['seconds_per_move']:,.3g} ms")
    for name in ("simulation", "node"):
        if f"{name}s_per_move" in spent:
            words.append(plural(round(spent[f"{name}s_per_move"]), name))
    return plural(spent["moves"], "move") + (f", each {' and '.join(words)}" if words else "")


def forfeits(result: MatchResult) -> list[str]:
    """How often each player forfeited, and why the first time."""
    lines = []
    for player, name in NAMES:
        reasons = [p.reason for p in result.records if p.forfeited_by == player]
        if reasons:
            lines.append(f"{name}: {plural(len(reasons), 'game')}, as {reasons[0]}")
    return lines


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
