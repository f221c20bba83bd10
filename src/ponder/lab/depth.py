"""A ply more, two plies more: matches of alpha-beta of depth d against d - 1 and d - 2."""

from __future__ import annotations

from typing import Any

from ponder.lab.matches import Score, match, openings
from ponder.lab.old_report import Report, Tell
from ponder.search.alphabeta import AlphaBeta

GAMES = (("connect4", 4), ("othello", 8), ("breakthrough", 8))
"""Each with the length of its random openings."""
COLUMNS = ("game", "depth", "against", "games", "won", "drawn", "lost", "score", "+-", "published")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    deepest, pairs = (3, 8) if quick else (5, 30)
    rows: list[tuple[Any, ...]] = []
    scores: dict[int, list[Score]] = {1: [], 2: []}
    for game, plies in GAMES[:2] if quick else GAMES:
        starts = openings(game, plies, pairs, seed)
        for more, found in scores.items():
            for depth in range(1 + more, deepest + 1):
                tell(f"{game}: depth {depth} against {depth - more}, {2 * len(starts)} games")
                s = match(player(depth), player(depth - more), starts)
                found.append(s)
                rows.append((game, depth, depth - more, *s[:4], s.share, s.margin, "above 0.5"))
    everything = [*scores[1], *scores[2]]
    one, two = (sum(s.share for s in found) / len(found) for found in scores.values())
    clear = sum(s.share - s.margin > 0.5 for s in everything)
    worse = sum(s.share + s.margin < 0.5 for s in everything)
    return Report(
        claim="deeper search gives better play (usually); more plies make a big difference",
        source="the lecture, Resource Limits and Depth Matters",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=one > 0.5 and two > 0.5 and clear > worse,
        conclusion=(
            f"a ply more scores {one:.1%} on average, two plies more {two:.1%}; beyond the 95 % "
            f"interval the deeper side is better in {clear} of {len(everything)} matches and worse "
            f"in {worse}"
        ),
        notes=(
            "alphabeta(depth=d, quiescence=False); random openings, each played from both seats; "
            "+-: 95 % interval over openings",
        ),
    )


def player(depth: int) -> AlphaBeta:
    """Quiescence search would look further than the depth says."""
    return AlphaBeta(depth=depth, memory=1.0, quiescence=False)
