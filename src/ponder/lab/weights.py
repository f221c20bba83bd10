"""The lecture's chess evaluation with weights from self-play: what is a piece worth in pawns?"""

from __future__ import annotations

from threading import Event
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import parse_engine, parse_game
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Estimate
from ponder.learn.fit import Weight, Z, features_of, fitted_weights, sampled_game, together

GAME, ENGINE = "chess(evaluation=lecture)", "alphabeta(depth=1)"
SAMPLES, RANDOM_MOVES, STEP = 8, 0.1, 50

PLAN = Plan(
    claim="the weights of Eval(s) = w1 f1(s) + ... + wn fn(s) can be learned from games that a "
    "program plays against itself: a bishop comes out near three pawns",
    source="Long, Search (III) (Tsinghua): Evaluation Functions",
    clauses=(
        Clause("bishop", "a bishop is worth two to four pawns", "pawns", Between(2.0, 4.0)),
        Clause("queen", "a queen is worth more than a rook", "points, a rook 5", Above(5.0)),
        Clause("rook", "a rook is worth more than a bishop", "points, a bishop 3", Above(3.0)),
    ),
    sizes={"games": Size(100, 6000, 20_000, f"games of {ENGINE} against itself")},
    notes=(
        f"one move in ten is random; {SAMPLES} positions of each game; errors added up by games",
        "the players value the pieces as the lecture does: what is fitted is what wins such games",
    ),
)


def games(seed: int, first: int, last: int) -> list[Any]:
    start, engine = Position(parse_game(GAME)), parse_engine(ENGINE)
    numbers = range(first, last)
    never = Event()  # Ctrl-C ends the experiment, which keeps the steps that are done
    seeds = [f"{seed}:{number}" for number in numbers]
    return [sampled_game(start, engine, s, SAMPLES, RANDOM_MOVES, never) for s in seeds]


def run(lab: Lab) -> None:
    found: list[Any] = []
    for first in range(0, lab["games"], STEP):
        last = min(first + STEP, lab["games"])
        name = f"games {first + 1} to {last} of {lab['games']}"
        found += lab.step(name, games, lab.seed, first, last)
    start = Position(parse_game(GAME))
    rows, (names, given) = together(start, found), features_of(start)
    in_pawns = fitted_weights(rows, names, given, "pawns")
    for weight in in_pawns.weights:
        if weight.name != "pawns":
            clause = "bishop" if weight.name == "bishops" else ""
            lab.observe(weight.name, None, "pawns", estimate(weight, len(found)), clause)
    for clause, piece, unit in (("queen", "queens", "rooks"), ("rook", "rooks", "bishops")):
        fitted = fitted_weights(rows, names, given, unit).weights
        weight = next(w for w in fitted if w.name == piece)
        unit_text = PLAN.clause(clause).quantity
        lab.observe(piece, None, unit_text, estimate(weight, len(found)), clause)
    lab.note(
        "cross-entropy on games that were not fitted to: "
        f"{in_pawns.loss_given:.4f} with the lecture's weights, {in_pawns.loss_fitted:.4f} fitted"
    )


def estimate(weight: Weight, games: int) -> Estimate:
    return Estimate(weight.fitted, (weight.high - weight.low) / (2.0 * Z), games)
