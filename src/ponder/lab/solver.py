"""Proofs in the tree: MCTS-Solver against the mean backup alone."""

from __future__ import annotations

from typing import Any

from ponder.arena.result import MatchResult
from ponder.lab.matches import FIGURES, figures, limit_text, openings, pairs, pooled
from ponder.lab.report import Report, Tell
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.solver import Solver
from ponder.mcts.search import MCTS
from ponder.mcts.select.ucb import UCB1

GAMES = (
    ("connect4", 4, (200, 1000), 0.005),
    ("breakthrough(columns=6, rows=6)", 4, (200, 1000), 0.005),
    ("breakthrough", 4, (500,), None),
    ("othello", 8, (500,), None),
)
"""The game, random plies, simulations a move, and seconds a move."""
QUICK = (("breakthrough(columns=6, rows=6)", 4, (200,), None),)
PUBLISHED = "65 % (LOA), 53 +- 3 % (Tron)"
COLUMNS = ("game", "a move", *FIGURES, "solved", "published")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count = 30 if quick else 50
    rows: list[tuple[Any, ...]] = []
    fixed: list[MatchResult] = []
    timed: list[MatchResult] = []
    for game, plies, numbers, seconds in QUICK if quick else GAMES:
        starts = openings(game, plies, count, seed)
        limits: list[dict[str, Any]] = [{"simulations": n} for n in numbers]
        if seconds is not None:
            limits.append({"seconds": seconds})
        for limit in limits:
            word = limit_text(limit)
            tell(f"{game}: solver against mean, {word}, {2 * count} games")
            result = pairs(player(Solver(), limit), player(Mean(), limit), starts, seed)
            (fixed if "simulations" in limit else timed).append(result)
            solved = solved_share(result, limit.get("simulations"))
            rows.append((game, word, *figures(result), solved, PUBLISHED))
    together = pooled(fixed)
    conclusion = (
        f"with the same simulations the solver scores {together.score:.1%} "
        f"({together.score_low:.1%} to {together.score_high:.1%}) over all games"
    )
    if timed:
        by_time = pooled(timed)
        conclusion += (
            f", with the same time {by_time.score:.1%} "
            f"({by_time.score_low:.1%} to {by_time.score_high:.1%})"
        )
    return Report(
        claim="backing up proven wins and losses makes the search stronger",
        source="Winands, Bjornsson & Saito 2008 (Lines of Action); Perick et al. 2012 (Tron)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=together.score_low > 0.5,
        conclusion=conclusion,
        notes=(
            "solver() against mean(), both with ucb1(c=1.0) and random games; random openings, "
            "each played from both seats; from, to: 95 % interval over openings",
            "solved: the share of the solver's moves that ended with a proof, before the "
            "simulations were used up",
        ),
    )


def player(backup: Any, limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), backup=backup, **limit)


def solved_share(result: MatchResult, allowed: int | None) -> float | None:
    """Of the first player's moves those with fewer simulations than allowed; None with a clock."""
    if allowed is None:
        return None
    made = [
        n
        for played in result.records
        for mover, n in zip(played.movers, played.simulations, strict=True)
        if mover == 0 and n is not None
    ]
    return sum(n < allowed for n in made) / len(made)
