"""All moves as first: RAVE and GRAVE against UCB1, with the same simulations and the same time."""

from __future__ import annotations

from typing import Any

from ponder.core.registry import part_text
from ponder.lab.matches import FIGURES, figures, limit_text, openings, pairs, pooled
from ponder.lab.old_report import Report, Tell
from ponder.mcts.engine import MCTS
from ponder.mcts.select.rave import GRAVE, RAVE
from ponder.mcts.select.ucb import UCB1

GAMES = (
    ("go", 4, 20, ({"simulations": 300}, {"seconds": 0.004})),
    ("hex(size=9)", 2, 40, ({"simulations": 300}, {"seconds": 0.004})),
)
"""The game, random plies, openings, and what a move may cost."""
QUICK = (("hex(size=5)", 2, 20, ({"simulations": 100},)),)
PUBLISHED = {"go": "24 % to 50-60 %"}
"""MoGo on 9x9 without and with RAVE, 3,000 simulations, against GNU Go 3.7.10."""
BASE = UCB1(c=1.0)
COLUMNS = ("game", "a move", "select", *FIGURES, "speed", "published")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    rows: list[tuple[Any, ...]] = []
    found: dict[str, list[Any]] = {"simulations": [], "seconds": []}
    for game, plies, count, limits in QUICK if quick else GAMES:
        starts = openings(game, plies, count, seed)
        for limit in limits:
            kind = next(iter(limit))
            for rule in (RAVE(), GRAVE()):
                name, word = part_text(rule), limit_text(limit)
                tell(f"{game}: {name} against {part_text(BASE)}, {word}, {2 * count} games")
                one, two = (MCTS(select=select, **limit) for select in (rule, BASE))
                result = pairs(one, two, starts, seed)
                found[kind].append(result)
                speed = ratio(result) if kind == "seconds" else None
                rows.append((game, word, name, *figures(result), speed, PUBLISHED.get(game, "")))
    together = {kind: pooled(results) for kind, results in found.items() if results}
    words = {"simulations": "with the same simulations", "seconds": "in the same time"}
    return Report(
        claim="judging a move by all games in which it came later, too, makes the search stronger "
        "where moves keep their meaning, as in Go and Hex",
        source="Gelly & Silver 2007, 2011 (MoGo, 9x9 Go); Cazenave 2015 (GRAVE)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=all(r.score_low > 0.5 for r in together.values()),
        conclusion="; ".join(
            f"{words[kind]} RAVE and GRAVE score {r.score:.1%} ({r.score_low:.1%} to "
            f"{r.score_high:.1%}, {r.elo:+.0f} Elo) over all games"
            for kind, r in together.items()
        ),
        notes=(
            f"against mcts(select={part_text(BASE)}); random openings, each played from both "
            "seats; from, to: 95 % interval over openings",
            "speed: simulations a move, as a multiple of the opponent's in the same time",
            "published: MoGo's score against GNU Go 3.7.10 without and with RAVE, 3,000 "
            "simulations a move; as a difference about +235 Elo",
        ),
    )


def ratio(result: Any) -> float:
    """Simulations of the first player for one of the second."""
    mine, theirs = (result.effort(i)["simulations_per_move"] for i in (0, 1))
    return float(mine / theirs)
