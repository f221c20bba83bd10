"""All select rules against each other, at the same number of simulations a move."""

from __future__ import annotations

import math
import statistics
from itertools import combinations
from typing import Any

from ponder.arena.rating import Z
from ponder.core.registry import PARTS, parse_engine
from ponder.lab.matches import match, openings
from ponder.lab.old_report import Report, Tell

SIMULATIONS = 200
GAMES = (
    ("connect4(columns=6, rows=5)", 4),
    ("breakthrough(columns=5, rows=5)", 4),
    ("othello(columns=6, rows=6)", 6),
)
"""Each with the length of its random openings."""
DRAWING = {"boltzmann", "epsilon_greedy", "thompson", "ucb_sampled", "urgency"}
"""Rules that draw the child at random."""
KNOWING = {"implicit_minimax", "progressive_bias"}
"""Rules that ask the game for its evaluation or its order of moves."""
BANDITS = {"kl_ucb", "moss", "ucb1", "ucb1_spread", "ucb1_tuned", "ucb_v", "uct_decaying"}
"""Rules that take the child with the highest bound."""
BEST = "ucb1_tuned"
PUBLISHED = {
    "ucb1": 0.399,
    "moss": 0.409,
    "thompson": 0.192,
    "epsilon_greedy": 0.133,
    "ucb_v": 0.202,
}
"""Their scores against UCB1-Tuned in Tron (Perick et al. 2012: 100 less UCB1-Tuned's)."""
QUICK = ("ucb1", "ucb1_tuned", "ucb_sampled")

Rounds = dict[tuple[str, str], list[float]]
"""Points of the first rule against the second in each pair of games, as a share."""


def engine(rule: str) -> Any:
    expand = ", expand=all_children()" if rule == "puct" else ""  # it needs priors
    return parse_engine(f"mcts(select={rule}(){expand}, simulations={SIMULATIONS})")


def play(game: str, plies: int, rules: tuple[str, ...], pairs: int, more: int, seed: int) -> Rounds:
    """Everybody against everybody, `pairs` pairs of games each; `more` against BEST.

    A pair of games begins with one opening and exchanges seats. All matches have openings of their
    own.
    """
    meetings = list(combinations(rules, 2))
    counts = [more if BEST in two else pairs for two in meetings]
    starts = iter(openings(game, plies, sum(counts), seed))
    found: Rounds = {}
    for (one, two), count in zip(meetings, counts, strict=True):
        here = [match(engine(one), engine(two), [next(starts)]).share for _ in range(count)]
        found[one, two] = here
        found[two, one] = [1.0 - share for share in here]
    return found


def pooled(found: list[float]) -> tuple[float, float]:
    """The mean over pairs of games, and half its 95 % interval."""
    return statistics.mean(found), Z * statistics.stdev(found) / math.sqrt(len(found))


def run(quick: bool, seed: int, tell: Tell) -> Report:
    rules = QUICK if quick else tuple(PARTS["select"])
    pairs, more = (15, 15) if quick else (2, 10)
    games = GAMES[1:2] if quick else GAMES
    found: list[Rounds] = []
    for game, plies in games:
        tell(f"{game}: {len(rules)} rules against each other")
        found.append(play(game, plies, rules, pairs, more, seed))
    points = {
        rule: [
            [x for pair, here in each.items() if pair[0] == rule for x in here] for each in found
        ]
        for rule in rules
    }
    totals = {rule: pooled([x for here in points[rule] for x in here]) for rule in rules}
    rows: list[tuple[Any, ...]] = []
    for rule in sorted(rules, key=lambda rule: -totals[rule][0]):
        best: tuple[Any, Any] = (None, None)
        if rule != BEST:
            best = pooled([x for each in found for x in each[rule, BEST]])
        each_game = (statistics.mean(here) for here in points[rule])
        count = 2 * sum(map(len, points[rule]))
        rows.append(
            (rule, kind(rule), count, *totals[rule], *each_game, *best, PUBLISHED.get(rule))
        )
    drawn, bound = direct(found)
    share, margin = pooled(bound)
    return Report(
        claim="rules that take the highest bound beat rules that draw a child at random",
        source="Perick, St-Pierre, Maes & Ernst 2012 (Tron, 10,000 rounds a pair)",
        columns=(
            "rule",
            "kind",
            "games",
            "score",
            "+-",
            *(game.partition("(")[0] for game, _ in games),
            f"against {BEST}",
            "+-",
            "in Tron",
        ),
        rows=tuple(rows),
        holds=share - margin > 0.5,
        conclusion=(
            f"rules with a bound score {share:.1%} +- {margin:.1%} against rules that draw "
            f"({drawn} games); first of all: {rows[0][0]} with {rows[0][3]:.1%}"
        ),
        notes=(
            f"mcts(select=RULE()), {SIMULATIONS} simulations a move, every rule with its default "
            "parameters, untuned; puct with all_children()",
            f"{', '.join(game for game, _ in games)}; random openings, each played from both "
            "seats; +-: 95 % interval over openings",
        ),
    )


def kind(rule: str) -> str:
    if rule in KNOWING:
        return "knowledge"
    if rule in DRAWING:
        return "draws"
    return "bound" if rule in BANDITS else "other"


def direct(found: list[Rounds]) -> tuple[int, list[float]]:
    """Rules with a bound against rules that draw: games, and the shares of the former."""
    shares = [
        x
        for each in found
        for (one, two), here in each.items()
        if one in BANDITS and two in DRAWING
        for x in here
    ]
    return 2 * len(shares), shares
