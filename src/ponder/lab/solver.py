"""Proofs in the tree: MCTS-Solver against the mean backup alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.arena.result import MatchResult
from ponder.core.game import hooks_of
from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.lab.matches import Rounds, limit_text, openings, pairs, rounds_of, score
from ponder.lab.plan import Above, Clause, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.solver import Solver
from ponder.mcts.decide import MostVisits, Secure
from ponder.mcts.engine import MCTS
from ponder.mcts.evaluate.decisive import Decisive
from ponder.mcts.evaluate.rollout import GameRollout, Rollout
from ponder.mcts.select.ucb import UCB1


class Setting(NamedTuple):
    """What both sides do, and how far the solver's side looks."""

    name: str
    wins: str  # of the solver
    guided: bool  # do random games follow what the game knows?
    decide: Any


PUBLISHED = Setting("as published", "tried", True, Secure())
SETTINGS = (
    PUBLISHED,
    Setting("random games", "tried", False, MostVisits()),
    Setting("no look ahead", "none", False, MostVisits()),
)
"""The paper's, then without its parts."""

SMALL = "breakthrough(columns=6, rows=6)"
FIXED = (
    ("connect4", 4, 200),
    ("connect4", 4, 1000),
    (SMALL, 4, 200),
    (SMALL, 4, 1000),
    ("breakthrough", 4, 500),
    ("othello", 8, 500),
)
"""The game, random plies, simulations a move."""
TIMED = (("connect4", 4), (SMALL, 4), ("breakthrough", 4), ("othello", 8))
SECONDS = 0.02
SCORE, ALL = "score of the solver", "score of the solver, all games"

PLAN = Plan(
    claim="backing up proven wins and losses makes the search stronger",
    source="Winands, Bjornsson & Saito 2008 (Lines of Action); Perick et al. 2012 (Tron)",
    clauses=(
        Clause("simulations", "with the same simulations, as published", ALL, Above(0.5)),
        Clause("time", "in the same time, as published", ALL, Above(0.5)),
        Clause("random", "with the same simulations and plain random games", ALL, Above(0.5)),
    ),
    sizes={
        "openings": Size(30, 120, 200, "each played from both seats with the same simulations"),
        "clocked": Size(15, 30, 100, "the same in equal time"),
        "fixed": Size(1, 6, 6, "matches with the same simulations", True),
        "timed": Size(0, 4, 4, "matches in the same time", True, 0),
        "settings": Size(1, 3, 3, "as published, random games, no look ahead", True),
    },
    notes=(
        "solver() against mean(), both with ucb1(c=1.0), all else equal; random openings",
        "as published: wins at once are looked for in every new leaf, the secure child is played, "
        "and random games follow what the game knows: its own policy (connect4), decisive moves "
        "where it tells its wins (breakthrough), nothing (othello)",
        "random games: uniformly random ones, and the most visited child; no look ahead: the same, "
        "and a win is found when it is first tried",
        "solved: the share of the solver's moves that ended with a proof, before the simulations "
        "were used up",
    ),
    published=(
        Published("LOA", "as published", ALL, {"simulations": 0.65}),
        Published("Tron", "as published", ALL, {"simulations": 0.53}),
    ),
)


def match(
    setting: Setting, game: str, plies: int, count: int, seed: int, limit: dict[str, Any]
) -> tuple[Rounds, float | None]:
    """The points of the solver against the mean, and how often its moves ended with a proof."""
    starts = openings(game, plies, count, seed)
    one, two = (player(setting, game, proving, limit) for proving in (True, False))
    result = pairs(one, two, starts, seed)
    return rounds_of(result), solved_share(result, limit.get("simulations"))


def run(lab: Lab) -> None:
    count = lab["openings"]
    clauses = {PUBLISHED.name: "simulations", "random games": "random"}
    for setting in SETTINGS[: lab["settings"]]:
        found: list[Rounds] = []
        for game, plies, n in (FIXED[2:] + FIXED[:2])[: lab["fixed"]]:
            fixed = {"simulations": n}
            series = f"{setting.name}: {game}"
            what = f"{series}, {limit_text(fixed)}"
            rounds, solved = lab.step(what, match, setting, game, plies, count, lab.seed, fixed)
            found.append(rounds)
            lab.observe(series, n, SCORE, score(rounds))
            lab.observe(series, n, "solved", Exact(solved))
        clause = clauses.get(setting.name, "")
        lab.observe(setting.name, "simulations", ALL, score(*found), clause)
    timed: list[Rounds] = []
    for game, plies in TIMED[: lab["timed"]]:
        limit: dict[str, Any] = {"seconds": SECONDS}
        what = f"{game}, {limit_text(limit)}"
        rounds, _ = lab.step(what, match, PUBLISHED, game, plies, lab["clocked"], lab.seed, limit)
        timed.append(rounds)
        lab.observe(f"{PUBLISHED.name}: {game}", limit_text(limit), SCORE, score(rounds))
    if timed:
        lab.observe(PUBLISHED.name, "time", ALL, score(*timed), "time")


def player(setting: Setting, game: str, proving: bool, limit: dict[str, Any]) -> MCTS:
    return MCTS(
        select=UCB1(c=1.0),
        evaluate=guided_games(game) if setting.guided else Rollout(),
        backup=Solver(wins=setting.wins) if proving else Mean(),
        decide=setting.decide,
        **limit,
    )


def guided_games(game: str) -> Any:
    """Random games by what the game knows: its own policy, or its winning moves, or nothing."""
    hooks = hooks_of(Position(parse_game(game)).game)
    if "rollout_action" in hooks:
        return GameRollout()
    return Decisive() if "winning_action" in hooks else Rollout()


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
