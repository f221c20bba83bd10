"""Proofs in the tree: MCTS-Solver against the mean backup alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.arena.result import MatchResult
from ponder.core.game import hooks_of
from ponder.core.start import position
from ponder.lab.matches import FIGURES, figures, limit_text, openings, pairs, pooled
from ponder.lab.old_report import Report, Tell
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
REPORTED = "65 % (LOA), 53 +- 3 % (Tron)"
COLUMNS = ("setting", "game", "a move", *FIGURES, "solved", "published")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    settings, fixed = (SETTINGS[:1], FIXED[2:3]) if quick else (SETTINGS, FIXED)
    count, timed = (30, ()) if quick else (100, TIMED)
    rows: list[tuple[Any, ...]] = []
    found: dict[Any, list[MatchResult]] = {}

    def play(key: Any, setting: Setting, game: str, plies: int, n: int, **limit: Any) -> None:
        word = limit_text(limit)
        tell(f"{game}, {setting.name}: solver against mean, {word}, {2 * n} games")
        starts = openings(game, plies, n, seed)
        one, two = (player(setting, game, proving, limit) for proving in (True, False))
        result = pairs(one, two, starts, seed)
        found.setdefault(key, []).append(result)
        solved = solved_share(result, limit.get("simulations"))
        rows.append((setting.name, game, word, *figures(result), solved, REPORTED))

    for setting in settings:
        for game, plies, n in fixed:
            play(setting.name, setting, game, plies, count, simulations=n)
    for game, plies in timed:
        play("time", PUBLISHED, game, plies, count // 2, seconds=SECONDS)

    together = pooled(found[PUBLISHED.name])
    conclusion = (
        "with the same simulations the solver as published scores "
        f"{score_text(found[PUBLISHED.name])} over all games"
    )
    if timed:
        conclusion += (
            f", with the same time {score_text(found['time'])}; with uniformly random games "
            f"{score_text(found[SETTINGS[1].name])}, there without looking for wins at once "
            f"{score_text(found[SETTINGS[2].name])}"
        )
    return Report(
        claim="backing up proven wins and losses makes the search stronger",
        source="Winands, Bjornsson & Saito 2008 (Lines of Action); Perick et al. 2012 (Tron)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=together.score_low > 0.5,
        conclusion=conclusion,
        notes=(
            "solver() against mean(), both with ucb1(c=1.0), all else equal; random openings, each "
            "played from both seats; from, to: 95 % interval over openings",
            "as published: wins at once are looked for in every new leaf, the secure child is "
            "played, and random games follow what the game knows: its own policy (connect4), "
            "decisive moves where it tells its wins (breakthrough), nothing (othello)",
            "random games: uniformly random ones, and the most visited child; no look ahead: the "
            "same, and a win is found when it is first tried",
            "solved: the share of the solver's moves that ended with a proof, before the "
            "simulations were used up",
        ),
    )


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
    hooks = hooks_of(position(game).game)
    if "rollout_action" in hooks:
        return GameRollout()
    return Decisive() if "winning_action" in hooks else Rollout()


def score_text(results: list[MatchResult]) -> str:
    """The score of several matches together, with its 95 % interval."""
    r = pooled(results)
    return f"{r.score:.1%} ({r.score_low:.1%} to {r.score_high:.1%})"


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
