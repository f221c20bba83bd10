"""Learning by self-play: is a search better than the policy it learns from, and what helps?"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.errors import InputError
from ponder.lab.plan import Above, Below, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average
from ponder.learn.config import training
from ponder.learn.net import Net
from ponder.learn.presets import alphazero
from ponder.learn.solved_positions import SolvedPosition, solvable, solved_positions, wrong_moves
from ponder.mcts.engine import MCTS

GAME = "connect4"
SEARCH = 100
"""Simulations of a search that is looked at."""
LAMBDAS = (0.0, 0.25, 0.5, 0.75, 1.0)
FIRST = {"first_positions": 2_000}
SWITCHES: dict[str, dict[str, Any]] = {
    "cheap": {"cheap": 20, "full_share": 0.25},
    "forced": {"forced": 2.0},
    "exact": {"exact": True},
    "gumbel": {"considered": 16},
}
"""What each accelerator changes of the usual way ..."""
WITHOUT = {"mixed": {"trace": 1.0}, "forgiven": {"blunder": 0.0}}
"""... and how training goes without those that are part of it."""
WRONG = "share of mistakes"
FEWER = "mistakes with it less those without"

PLAN = Plan(
    claim="search makes a better policy than the network's own, so a network that learns from its "
    "own searches gets better and better; and some ways to learn from the same work bring more",
    source="Silver et al. 2017, 2018, 2016 (lambda); Wu 2019; Danihelka et al. 2022",
    clauses=(
        Clause(
            "visits",
            f"a search of {SEARCH} simulations makes fewer mistakes than the likeliest move",
            "mistakes of the policy less those of the search",
            Above(0.0),
        ),
        Clause(
            "loss", "the loss falls", "loss of the last round less that of the second", Below(0)
        ),
        Clause("player", "the player rises", "mistakes at the end less those early on", Below(0.0)),
        Clause(
            "lambda",
            "half network, half rollout is better than either alone (AlphaGo)",
            "mistakes with lambda = 0.5 less those with 0 and with 1",
            Below(0.0),
        ),
        *(
            Clause(name, f"{what} mistakes", FEWER, Below(0.0))
            for name, what in (
                ("cheap", "playout cap randomisation saves"),
                ("forced", "forced playouts save"),
                ("exact", "learning what is proven saves"),
                ("gumbel", "Gumbel AlphaZero saves"),
                ("mixed", "mixing the result with what later searches thought saves"),
                ("forgiven", "learning nothing of the past from a blunder saves"),
            )
        ),
    ),
    sizes={
        "runs": Size(2, 6, 12, "training runs of each kind"),
        "simulations": Size(200_000, 4_000_000, 20_000_000, "of each run"),
        "positions": Size(50, 300, 300, "solved positions on which mistakes are counted"),
    },
    notes=(
        "runs of the same number have the same seed; all have the same number of simulations, "
        "which is nearly the same processor time",
        "solved positions come from random games of which an exact search is quick to know every "
        "move's value; mistakes of runs of one number are compared, a run is one observation",
    ),
    figures=(Figure(WRONG, "lambda"),),
    any_game=True,
)


def one_run(
    game: str, settings: dict[str, Any], seed: int, simulations: int, positions: int, sweep: bool
) -> dict[str, Any]:
    """Train, and count mistakes after the second round and at the end."""
    from ponder.learn.training import TrainingRun  # needs torch

    start, solved = Position(parse_game(game)), solved_of(game, positions)
    with TemporaryDirectory() as made:
        run = TrainingRun(start, Path(made), training(seed=seed, **{**FIRST, **settings}))
        try:
            player = alphazero(net=made, simulations=SEARCH)
            run.run(rounds=2)
            early = wrong_moves(solved, player, seed)
            run.run(rounds=3)
            while run.simulations < simulations:
                run.round()
            final = wrong_moves(solved, player, seed)
        finally:
            run.close()
        said: dict[str, Any] = {
            "losses": [line["policy_loss"] + line["value_loss"] for line in run.log[1:]],
            "early": share(early[1]),
            "policy": share(final[0]),
            "search": share(final[1]),
        }
        if sweep:
            said["lambda"] = [share(wrong_moves(solved, blend(made, w), seed)[1]) for w in LAMBDAS]
    return said


@cache
def solved_of(game: str, count: int) -> list[SolvedPosition]:
    """The same for every run: they are solved once."""
    return solved_positions(Position(parse_game(game)), count)


def share(wrong: list[bool]) -> float:
    return sum(wrong) / max(len(wrong), 1)


def blend(network: str, weight: float) -> MCTS:
    """The search whose leaves are valued by the network and, by this weight, by a random game."""
    usual = alphazero(net=network, simulations=SEARCH)
    return usual._replace(evaluate=Net(network, weight=weight))


def run(lab: Lab) -> None:
    game = lab.game or GAME
    if not solvable(Position(parse_game(game))):
        raise InputError("learning is for games of two players without dice, which can be solved")
    kinds = {"usual": {}, **SWITCHES, **{f"not {name}": off for name, off in WITHOUT.items()}}
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    for number in range(lab["runs"]):
        for kind, settings in kinds.items():
            found[kind].append(
                lab.step(
                    f"run {number + 1} of {lab['runs']}, {kind}",
                    one_run,
                    game,
                    settings,
                    lab.seed * 1_000 + number,
                    lab["simulations"],
                    lab["positions"],
                    kind == "usual",
                )
            )
    usual = found["usual"]
    better = [one["policy"] - one["search"] for one in usual]
    lab.observe("usual", None, PLAN.clause("visits").quantity, Average(better), "visits")
    falls = [one["losses"][-1] - one["losses"][0] for one in usual]
    lab.observe("usual", None, PLAN.clause("loss").quantity, Average(falls), "loss")
    rises = [one["search"] - one["early"] for one in usual]
    lab.observe("usual", None, PLAN.clause("player").quantity, Average(rises), "player")
    half = LAMBDAS.index(0.5)
    for k, weight in enumerate(LAMBDAS):
        wrong = [one["lambda"][k] for one in usual]
        lab.observe("lambda", weight, WRONG, Average(wrong, bounds=(0.0, 1.0)))
        if weight in (0.0, 1.0):
            gaps = [one["lambda"][half] - one["lambda"][k] for one in usual]
            unit = f"mistakes with 0.5 less those with {weight:g}"
            lab.observe(f"lambda {weight:g}", None, unit, Average(gaps), "lambda")
    compared = {name: (found[name], usual) for name in SWITCHES}
    compared |= {name: (usual, found[f"not {name}"]) for name in WITHOUT}
    for name, (with_it, without) in compared.items():
        for what in ("policy", "search"):
            gaps = [a[what] - b[what] for a, b in zip(with_it, without, strict=True)]
            clause = name if what == "search" else ""
            lab.observe(f"{name}: {what}", None, FEWER, Average(gaps), clause)
    for kind in kinds:
        for what in ("policy", "search"):
            wrong = [one[what] for one in found[kind]]
            lab.observe(f"{kind}: {what}", None, WRONG, Average(wrong, bounds=(0.0, 1.0)))
