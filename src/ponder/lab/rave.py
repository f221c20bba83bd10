"""All moves as first: RAVE and GRAVE against UCB1, with the same simulations and the same time."""

from __future__ import annotations

from typing import Any

from ponder.core.registry import part_text
from ponder.lab.evaluator import match
from ponder.lab.matches import EloOf, Rounds, limit_text, openings, score
from ponder.lab.plan import Above, Below, Clause, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact
from ponder.mcts.engine import MCTS
from ponder.mcts.evaluate.rollout import GameRollout, Rollout
from ponder.mcts.select.rave import GRAVE, RAVE
from ponder.mcts.select.ucb import UCB1

GAMES = (("hex(size=9)", 2), ("go", 4))
"""The game, and random plies."""
LIMITS: tuple[dict[str, Any], ...] = ({"simulations": 300}, {"seconds": 0.004})
BASE, RULES = UCB1(c=1.0), (RAVE(), GRAVE())
STRONG = ({"simulations": 300}, {"simulations": 3_000})
"""Of 9x9 Go with the game's own rollouts, as `strong()` plays it."""
SCORE, ELO = f"score against {part_text(BASE)}", f"Elo against {part_text(BASE)}"
OWN = "go, its own rollouts: rave()"

PLAN = Plan(
    claim="judging a move by all games in which it came later, too, makes the search stronger "
    "where moves keep their meaning, as in Go and Hex; the more so the fewer the simulations, and "
    "less with better rollouts",
    source="Gelly & Silver 2007, 2011 (MoGo, 9x9 Go, 3,000 simulations); Cazenave 2015 (GRAVE)",
    clauses=(
        Clause("simulations", "with the same simulations", f"{SCORE}, both games", Above(0.5)),
        Clause("time", "in the same time", f"{SCORE}, both games", Above(0.5)),
        Clause(
            "few",
            "in Go with good rollouts it helps when simulations are few",
            f"{SCORE}, 300 simulations, the game's own rollouts",
            Above(0.5),
        ),
        Clause(
            "many",
            "but not with MoGo's 3,000: why strong() leaves it out in Go",
            f"{SCORE}, 3,000 simulations, the game's own rollouts",
            Below(0.5),
        ),
    ),
    sizes={
        "openings": Size(10, 30, 100, "each played from both seats"),
        "games": Size(1, 2, 2, "hex(size=9), go", True),
        "limits": Size(1, 2, 2, "300 simulations a move, 4 ms a move", True),
        "strong": Size(0, 2, 2, "of Go with its own rollouts: 300 simulations, 3,000", True, 0),
    },
    notes=(
        "both sides alike but for the select rule; random openings",
        "speed: simulations a move, as a multiple of the opponent's in the same time",
        "published: MoGo scored 24 % against GNU Go 3.7.10 without RAVE and 50 to 60 % with it, "
        "about +235 Elo",
    ),
    published=(Published("MoGo", "go: rave()", ELO, {"300 simulations": 235.0}),),
)


def players(rule: Any, limit: dict[str, Any], evaluate: Any) -> list[MCTS]:
    return [MCTS(select=select, evaluate=evaluate, **limit) for select in (rule, BASE)]


def run(lab: Lab) -> None:
    for limit, clause in list(zip(LIMITS, ("simulations", "time"), strict=True))[: lab["limits"]]:
        word = limit_text(limit)
        found: list[Rounds] = []
        for game, plies in GAMES[: lab["games"]]:
            starts = openings(game, plies, lab["openings"], lab.seed)
            for rule in RULES:
                series = f"{game}: {part_text(rule)}"
                two = players(rule, limit, Rollout())
                rounds, faster = lab.step(f"{series}, {word}", match, *two, starts, lab.seed)
                found.append(rounds)
                lab.observe(series, word, SCORE, score(rounds))
                lab.observe(series, word, ELO, EloOf(score(rounds)))
                if "seconds" in limit:
                    lab.observe(series, word, "speed", Exact(faster))
        lab.observe("rave and grave", word, f"{SCORE}, both games", score(*found), clause)
    for limit, clause in list(zip(STRONG, ("few", "many"), strict=True))[: lab["strong"]]:
        starts = openings("go", 4, lab["openings"], lab.seed)
        word = limit_text(limit)
        two = players(RAVE(), limit, GameRollout())
        rounds, _ = lab.step(f"{OWN}, {word}", match, *two, starts, lab.seed)
        lab.observe(OWN, word, SCORE, score(rounds), clause)
        lab.observe(OWN, word, ELO, EloOf(score(rounds)))
