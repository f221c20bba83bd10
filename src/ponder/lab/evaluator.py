"""Random games against the evaluation function, and mixtures of the two."""

from __future__ import annotations

from typing import Any

from ponder.core.registry import part_text
from ponder.lab.matches import FIGURES, figures, limit_text, openings, pairs, pooled
from ponder.lab.old_report import Report, Tell
from ponder.lab.rave import ratio
from ponder.mcts.engine import MCTS
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.evaluate.static import Blend, Cutoff, Static
from ponder.mcts.select.ucb import UCB1

GAMES = (("connect4", 4), ("othello", 8), ("breakthrough", 4))
"""Each with the length of its random openings."""
QUICK = (("breakthrough", 4),)
LIMITS: tuple[dict[str, Any], ...] = ({"simulations": 300}, {"seconds": 0.005})
RULES = (Static(), Cutoff(plies=6), Blend(weight=0.5))
COLUMNS = ("game", "a move", "evaluate", *FIGURES, "speed", "published")
PUBLISHED = {"cutoff": "gains (LOA, Amazons)", "static": "", "blend": "best of all (AlphaGo)"}


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count = 15 if quick else 30
    rows: list[tuple[Any, ...]] = []
    every: dict[str, list[Any]] = {}
    for game, plies in QUICK if quick else GAMES:
        starts = openings(game, plies, count, seed)
        for limit in LIMITS[:1] if quick else LIMITS:
            word = limit_text(limit)
            for rule in RULES[:2] if quick else RULES:
                name = part_text(rule)
                tell(f"{game}: {name} against rollout(), {word}, {2 * count} games")
                result = pairs(player(rule, limit), player(Rollout(), limit), starts, seed)
                speed = ratio(result) if "seconds" in limit else None
                published = PUBLISHED[name.partition("(")[0]]
                rows.append((game, word, name, *figures(result), speed, published))
                every.setdefault(name, []).append(result)
    found = {name: pooled(results) for name, results in every.items()}
    return Report(
        claim="looking at the evaluation function after a few random moves, or at once, beats "
        "random games to the end where the function is good",
        source="Lorentz 2008 (Amazons); Winands & Bjornsson 2009 (LOA); Silver et al. 2016 "
        "(blend); it can hurt: Perick et al. 2012 (Tron, 33 to 56 %)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=any(r.score_low > 0.5 for r in found.values()),
        conclusion="all games and limits together: "
        + ", ".join(
            f"{name} {r.score:.1%} ({r.score_low:.1%} to {r.score_high:.1%})"
            for name, r in found.items()
        ),
        notes=(
            "against rollout(), both with ucb1(c=1.0); random openings, each played from both "
            "seats; from, to: 95 % interval over openings",
            "speed: simulations a move, as a multiple of the opponent's in the same time",
        ),
    )


def player(rule: Any, limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), evaluate=rule, **limit)
