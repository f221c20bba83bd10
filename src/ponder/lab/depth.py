"""A ply more: matches of alpha-beta of depth d against depth d - 1."""

from __future__ import annotations

from typing import Any

from ponder.lab.matches import match, openings
from ponder.lab.report import Report, Tell
from ponder.search.alphabeta import AlphaBeta

GAMES = (("connect4", 4), ("othello", 8), ("breakthrough", 8))
"""Each with the length of its random openings."""
COLUMNS = ("game", "depth", "against", "games", "won", "drawn", "lost", "score", "+-", "published")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    deepest, pairs = (3, 8) if quick else (5, 30)
    rows: list[tuple[Any, ...]] = []
    scores = []
    for game, plies in GAMES[:2] if quick else GAMES:
        starts = openings(game, plies, pairs, seed)
        for depth in range(2, deepest + 1):
            tell(f"{game}: depth {depth} against {depth - 1}, {2 * len(starts)} games")
            deep, shallow = player(depth), player(depth - 1)
            s = match(deep, shallow, starts)
            scores.append(s)
            rows.append((game, depth, depth - 1, *s[:4], s.share, s.margin, "above 0.5"))
    above = sum(s.share > 0.5 for s in scores)
    clear = sum(s.share - s.margin > 0.5 for s in scores)
    mean = sum(s.share for s in scores) / len(scores)
    return Report(
        claim="deeper search gives better play (usually); more plies make a big difference",
        source="the lecture, Resource Limits and Depth Matters",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=mean > 0.5 and 2 * above > len(scores),
        conclusion=(
            f"a ply more scores {mean:.1%} on average; above 50 % in {above} of {len(scores)} "
            f"matches, in {clear} of them beyond the 95 % interval"
        ),
        notes=(
            "alphabeta(depth=d, quiescence=False); random openings, each played from both seats; "
            "+-: 95 % interval over openings",
        ),
    )


def player(depth: int) -> AlphaBeta:
    """Quiescence search would look further than the depth says."""
    return AlphaBeta(depth=depth, memory=1.0, quiescence=False)
