"""All select rules against each other, at the same number of simulations a move."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

from ponder.core.registry import PARTS, parse_engine, part_text
from ponder.lab.matches import Rounds, openings, play, score
from ponder.lab.plan import Above, Clause, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.mcts.expand import AllChildren
from ponder.mcts.parts import completed

GAMES = (
    ("breakthrough(columns=5, rows=5)", 4),
    ("connect4(columns=6, rows=5)", 4),
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
TRON = {"ucb1": 0.399, "moss": 0.409, "thompson": 0.192, "epsilon_greedy": 0.133, "ucb_v": 0.202}
"""Scores against UCB1-Tuned in Tron (Perick et al. 2012: 100 less UCB1-Tuned's)."""
QUICK = ("ucb1", "ucb1_tuned", "ucb_sampled")
SCORE, AGAINST, DIRECT = "score", f"score against {BEST}", "score of bounds against drawing"

PLAN = Plan(
    claim="rules that take the highest bound beat rules that draw a child at random",
    source="Perick, St-Pierre, Maes & Ernst 2012 (Tron, 10,000 rounds a pair)",
    clauses=(Clause("bounds", "rules with a bound beat rules that draw", DIRECT, Above(0.5)),),
    sizes={
        "games": Size(1, 3, 3, "breakthrough, connect4, othello, all small", True),
        "pairs": Size(15, 2, 10, "pairs of games of every two rules"),
        "more": Size(15, 10, 30, f"pairs of games against {BEST}"),
        "simulations": Size(200, 200, 200, "a move"),
    },
    notes=(
        "every rule with its default parameters, untuned; puct and gumbel, which need "
        "priors, with all_children()",
        "random openings, each played from both seats; every match has openings of its own",
    ),
    published=tuple(
        Published("Tron", name, AGAINST, {None: value}) for name, value in TRON.items()
    ),
    own="select",
)


def engine(rule: str, simulations: int) -> Any:
    call = rule if "(" in rule else f"{rule}()"
    made = parse_engine(f"mcts(select={call}, simulations={simulations})")
    if "prior" in completed("select", made.select).NEEDS:
        made = made._replace(expand=AllChildren())
    return made


def run(lab: Lab) -> None:
    rules = [*(QUICK if lab.quick else PARTS["select"]), *map(part_text, lab.own)]
    meetings = list(combinations(rules, 2))
    found: dict[tuple[str, str], list[Rounds]] = {}
    for game, plies in GAMES[: lab["games"]]:
        counts = [lab["more"] if BEST in two else lab["pairs"] for two in meetings]
        starts = openings(game, plies, sum(counts), lab.seed)
        for (one, two), count in zip(meetings, counts, strict=True):
            here, starts = starts[:count], starts[count:]
            players = (engine(rule, lab["simulations"]) for rule in (one, two))
            rounds = lab.step(f"{game}: {one}, {two}", play, *players, here, lab.seed)
            found.setdefault((one, two), []).append(rounds)
            turned = [[1.0 - p for p in points] for points in rounds]
            found.setdefault((two, one), []).append(turned)
    for rule in rules:
        everybody = [m for pair, matches in found.items() if pair[0] == rule for m in matches]
        lab.observe(rule, kind(rule), SCORE, score(*everybody))
        if rule != BEST and (rule, BEST) in found:
            lab.observe(rule, None, AGAINST, score(*found[rule, BEST]))
    direct = {pair: ms for pair, ms in found.items() if pair[0] in BANDITS and pair[1] in DRAWING}
    lab.observe("all games", None, DIRECT, score(*chain(*direct.values())), "bounds")
    # without BEST, which plays more games than the other bounds do
    others = chain(*(ms for (bound, _), ms in direct.items() if bound != BEST))
    lab.observe(f"all games without {BEST}", None, DIRECT, score(*others))


def kind(rule: str) -> str:
    if rule in KNOWING:
        return "knowledge"
    if rule in DRAWING:
        return "draws"
    return "bound" if rule in BANDITS else "other"
