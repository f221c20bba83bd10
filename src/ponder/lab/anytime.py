"""Strength against simulations: twice as many against as many, doubling after doubling."""

from __future__ import annotations

from typing import Any

from ponder.lab.matches import FIGURES, figures, openings, pairs, pooled
from ponder.lab.old_report import Report, Tell
from ponder.mcts.engine import MCTS
from ponder.mcts.select.ucb import UCB1

LADDERS = (
    ("connect4", 4, 50, (40, 40, 40, 40, 40, 40)),
    ("go", 4, 50, (30, 30, 20, 15)),
)
"""The game, random plies, the fewest simulations, and the number of openings for each doubling."""
QUICK = (("connect4", 4, 25, (30, 30, 30)),)
PUBLISHED = {"go": "57 (13x13), 86 (9x9)"}
"""Elo for a doubling: Chaslot 2010, 56.7 log2 T; Gelly & Silver 2011, 1960 at 3,000 simulations
and 2110 at 10,000, 1.74 doublings."""
COLUMNS = ("game", "simulations", "against", *FIGURES, "published elo")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    rows: list[tuple[Any, ...]] = []
    words, means, scores = [], [], []
    for game, plies, fewest, counts in QUICK if quick else LADDERS:
        found = []
        starts = openings(game, plies, max(counts), seed)
        for rung, count in enumerate(counts):
            n = fewest << rung
            tell(f"{game}: {2 * n} against {n} simulations, {2 * count} games")
            result = pairs(player(2 * n), player(n), starts[:count], seed)
            found.append(result)
            rows.append((game, 2 * n, n, *figures(result), PUBLISHED.get(game, "")))
        together = pooled(found)
        mean = sum(r.elo for r in found) / len(found)
        means.append(together.score_low)
        scores += [r.rating for r in found]
        words.append(
            f"{game} {mean:+.0f} Elo for a doubling (all doublings: {together.score:.1%}, "
            f"{together.score_low:.1%} to {together.score_high:.1%})"
        )
    worse = sum(r.score_high < 0.5 for r in scores)
    return Report(
        claim="the search can be stopped at any time, and the more simulations the better the play",
        source="the lecture, Monte Carlo tree search; Elo for a doubling from Chaslot 2010 "
        "(13x13 Go) and Gelly & Silver 2011 (9x9 Go)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=min(means) > 0.5 and worse == 0,
        conclusion="; ".join(words),
        notes=(
            "mcts(select=ucb1(c=1.0), simulations=...); random openings, each played from both "
            "seats; from, to: 95 % interval over openings",
            "published figures are from games against other programs, ours from games against "
            "itself, where differences are larger",
        ),
    )


def player(simulations: int) -> MCTS:
    return MCTS(select=UCB1(c=1.0), simulations=simulations)
