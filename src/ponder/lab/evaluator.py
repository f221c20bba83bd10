"""Random games against the evaluation function, and mixtures of the two."""

from __future__ import annotations

from typing import Any

from ponder.core.registry import part_text
from ponder.lab.matches import Rounds, limit_text, openings, pairs, rounds_of, score, speed
from ponder.lab.plan import Above, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact
from ponder.mcts.engine import MCTS
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.evaluate.static import Blend, Cutoff, Static
from ponder.mcts.select.ucb import UCB1

GAMES = (("breakthrough", 4), ("othello", 8), ("connect4", 4))
"""Each with the length of its random openings."""
LIMITS: tuple[dict[str, Any], ...] = ({"simulations": 300}, {"seconds": 0.005})
RULES = {"static": Static(), "cutoff": Cutoff(plies=6), "blend": Blend(weight=0.5)}
SCORE, ALL = "score against rollout()", "score against rollout(), all games"

PLAN = Plan(
    claim="looking at the evaluation function after a few random moves, at once, or mixed with a "
    "random game, beats random games to the end where the function is good",
    source="Lorentz 2008 (Amazons); Winands & Bjornsson 2009 (LOA); Silver et al. 2016 (blend); it "
    "can hurt: Perick et al. 2012 (Tron, 33 to 56 %)",
    clauses=(
        Clause("static", "at once", f"{ALL}; same simulations, same time", Above(0.5)),
        Clause("cutoff", "after six random moves", f"{ALL}; the same", Above(0.5)),
        Clause("blend", "half and half with a random game", f"{ALL}; the same", Above(0.5)),
    ),
    sizes={
        "games": Size(1, 3, 3, "breakthrough, othello, connect4", True),
        "openings": Size(15, 40, 200, "each played from both seats"),
        "limits": Size(1, 2, 2, "300 simulations a move, 5 ms a move", True),
    },
    notes=(
        "both sides with ucb1(c=1.0); random openings",
        "speed: simulations a move, as a multiple of the opponent's in the same time",
    ),
)


def player(rule: Any, limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), evaluate=rule, **limit)


def match(one: MCTS, two: MCTS, starts: list[Any], seed: int) -> tuple[Rounds, float]:
    result = pairs(one, two, starts, seed)
    return rounds_of(result), speed(result)


def run(lab: Lab) -> None:
    for limit in LIMITS[: lab["limits"]]:
        word = limit_text(limit)
        every: dict[str, list[Rounds]] = {name: [] for name in RULES}
        for game, plies in GAMES[: lab["games"]]:
            starts = openings(game, plies, lab["openings"], lab.seed)
            for name, rule in RULES.items():
                players = player(rule, limit), player(Rollout(), limit)
                what = f"{game}, {word}: {part_text(rule)}"
                rounds, faster = lab.step(what, match, *players, starts, lab.seed)
                every[name].append(rounds)
                lab.observe(f"{game}: {part_text(rule)}", word, SCORE, score(rounds))
                if "seconds" in limit:
                    lab.observe(f"{game}: {part_text(rule)}", word, "speed", Exact(faster))
        for name, rule in RULES.items():
            lab.observe(part_text(rule), word, ALL, score(*every[name]), name)
