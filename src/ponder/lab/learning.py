"""Learning by self-play: is a search better than the policy it learns from, and what helps?"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.errors import InputError
from ponder.files import reading_from
from ponder.lab.plan import Above, Below, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average
from ponder.learn.config import training
from ponder.learn.likeliest import likeliest_moves
from ponder.learn.net import Net
from ponder.learn.presets import alphazero
from ponder.learn.solved_positions import SolvedPosition, solvable, solved_positions, wrong_moves
from ponder.mcts.engine import MCTS

GAME = "connect4"
SEARCH = 100
"""Simulations of a search that is looked at."""
USUAL, FEW = 32, 8
"""Simulations of a move that is learned from; of one where Gumbel AlphaZero is compared."""
LAMBDAS = (0.0, 0.25, 0.5, 0.75, 1.0)
WITH: dict[str, dict[str, Any]] = {
    "cheap": {"cheap": 8, "full_share": 0.25},
    "forced": {"forced": 2.0},
    "exact": {"exact": True},
}
"""What each accelerator changes of the usual way ..."""
WITHOUT = {"mixed": {"trace": 1.0}, "forgiven": {"blunder": 0.0}}
"""... and how training goes without those that are part of it."""
KINDS: dict[str, dict[str, Any]] = {
    "usual": {},
    **WITH,
    **{f"not {name}": off for name, off in WITHOUT.items()},
    "few": {"simulations": FEW},
    "few, gumbel": {"simulations": FEW, "considered": 16},
}
"""The usual way has `USUAL` simulations for a move; each other kind changes this of it."""
MORE = ("usual", "exact")
"""Kinds whose difference is small beside that of two runs."""
PAIRS = {
    **{name: (name, "usual") for name in WITH},
    **{name: ("usual", f"not {name}") for name in WITHOUT},
    "gumbel": ("few, gumbel", "few"),
}
"""Which runs have it, and which are the same without."""
MOMENTS = tuple(eighth / 8 for eighth in range(1, 9))
"""Shares of a run's simulations at which mistakes are told."""
WRONG, SEARCHED = "share of mistakes", "share of mistakes, search"
LIKELIEST = "share of mistakes, likeliest move"
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
            Clause(name, f"{what} mistakes of the likeliest move", FEWER, Below(0.0))
            for name, what in (
                ("cheap", "playout cap randomisation saves"),
                ("forced", "forced playouts save"),
                ("exact", "learning what is proven saves"),
                ("gumbel", f"with {FEW} simulations a move Gumbel AlphaZero saves"),
                ("mixed", "mixing the result with what later searches thought saves"),
                ("forgiven", "learning nothing of the past from a blunder saves"),
            )
        ),
    ),
    sizes={
        "runs": Size(2, 16, 24, "training runs of each kind"),
        "more": Size(0, 12, 24, "more of usual and exact", least=0),
        "simulations": Size(
            50_000, 1_600_000, 20_000_000, f"of each run, {USUAL} for a move that is learned"
        ),
        "first": Size(250, 2_000, 2_000, "positions of the first round; each has as many more"),
        "positions": Size(100, 3_000, 3_000, "solved ones: mistakes of the likeliest move"),
        "searched": Size(50, 400, 400, "of them: mistakes of searches"),
        "sweeps": Size(2, 8, 24, "runs of usual whose searches are tried with every lambda"),
    },
    notes=(
        "runs of the same number have the same seed and, but for those with few a move, the same "
        "number of simulations, which is nearly the same processor time. Mistakes of the likeliest "
        "move at just this number are interpolated between two rounds",
        "solved positions come from random games of which an exact search is quick to know every "
        "move's value; mistakes of runs of one number are compared, a run is one observation",
    ),
    figures=(
        Figure(LIKELIEST, "share of the simulations"),
        Figure(WRONG, "lambda"),
    ),
    any_game=True,
)


def one_run(
    game: str,
    settings: dict[str, Any],
    simulations: float,
    size: dict[str, int],
    early: bool,
    sweep: bool,
) -> dict[str, Any]:
    """Train, and count mistakes: of the likeliest move after each round, of the search at the end;
    where asked for, of the search after the second round, and with every lambda."""
    from ponder.learn.training import TrainingRun  # needs torch

    start, solved = Position(parse_game(game)), solved_of(game, size["positions"])
    searched, seed = solved[: size["searched"]], settings["seed"]
    said: dict[str, Any] = {"simulations": [], "likeliest": []}
    with TemporaryDirectory() as made, reading_from(made):

        def search_with(weight: float) -> float:
            return share(wrong_moves(searched, blend(made, weight), seed)[1])

        run = TrainingRun(start, Path(made), training(**settings))
        try:
            while run.simulations < simulations or len(run.log) < 3:
                run.round()
                said["simulations"].append(run.simulations)
                said["likeliest"].append(likeliest_wrong(solved, made))
                if early and len(run.log) == 2:
                    said["early"] = search_with(0.0)
        finally:
            run.close()
        said["losses"] = [line["policy_loss"] + line["value_loss"] for line in run.log[1:]]
        said["search"] = search_with(0.0)
        if sweep:
            said["lambda"] = [said["search"], *(search_with(weight) for weight in LAMBDAS[1:])]
    return said


@cache
def solved_of(game: str, count: int) -> list[SolvedPosition]:
    """The same for every run: they are solved once."""
    return solved_positions(Position(parse_game(game)), count)


def likeliest_wrong(solved: list[SolvedPosition], network: str) -> float:
    """How often the likeliest move of a network is a mistake."""
    moves = likeliest_moves(network, [one.position for one in solved])
    return share([one.is_mistake(move) for one, move in zip(solved, moves, strict=True)])


def share(wrong: list[bool]) -> float:
    return sum(wrong) / max(len(wrong), 1)


def blend(network: str, weight: float) -> MCTS:
    """The search whose leaves are valued by the network and, by this weight, by a random game."""
    usual = alphazero(net=network, simulations=SEARCH)
    return usual._replace(evaluate=Net(network, weight=weight))


def likeliest_at(run: dict[str, Any], simulations: float) -> float:
    """Mistakes of the likeliest move after so many simulations, between those of two rounds."""
    return float(np.interp(simulations, run["simulations"], run["likeliest"]))


def run(lab: Lab) -> None:
    game = lab.game or GAME
    if not solvable(Position(parse_game(game))):
        raise InputError("learning is for games of two players without dice, which can be solved")
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    for number in range(lab["runs"] + lab["more"]):
        for kind in KINDS if number < lab["runs"] else MORE:
            settings = {
                "seed": lab.seed * 1_000 + number,
                "first_positions": lab["first"],
                "simulations": USUAL,
                **KINDS[kind],
            }
            usual, end = kind == "usual", simulations_of(lab, kind)
            sweep = usual and number < lab["sweeps"]
            work = one_run, game, settings, end, lab.size, usual, sweep
            found[kind].append(lab.step(f"run {number + 1}, {kind}", *work))
    observe_usual(lab, found["usual"])
    for name, (with_it, without) in PAIRS.items():
        end = simulations_of(lab, with_it)
        both = list(zip(found[with_it], found[without], strict=False))
        gaps = [likeliest_at(a, end) - likeliest_at(b, end) for a, b in both]
        lab.observe(name, None, FEWER, Average(gaps), name)
        gaps = [a["search"] - b["search"] for a, b in both]
        lab.observe(f"{name}: search", None, FEWER, Average(gaps))
    for kind, runs in found.items():
        for moment in MOMENTS:
            there = [likeliest_at(one, moment * simulations_of(lab, kind)) for one in runs]
            lab.observe(kind, moment, LIKELIEST, Average(there, bounds=(0.0, 1.0)))
        wrong = [one["search"] for one in runs]
        lab.observe(kind, None, SEARCHED, Average(wrong, bounds=(0.0, 1.0)))


def simulations_of(lab: Lab, kind: str) -> float:
    """With fewer for a move there are fewer in all: all kinds see about as many positions."""
    return float(lab["simulations"] * KINDS[kind].get("simulations", USUAL) / USUAL)


def observe_usual(lab: Lab, usual: list[dict[str, Any]]) -> None:
    better = [one["likeliest"][-1] - one["search"] for one in usual]
    lab.observe("usual", None, PLAN.clause("visits").quantity, Average(better), "visits")
    falls = [one["losses"][-1] - one["losses"][0] for one in usual]
    lab.observe("usual", None, PLAN.clause("loss").quantity, Average(falls), "loss")
    rises = [one["search"] - one["early"] for one in usual]
    lab.observe("usual", None, PLAN.clause("player").quantity, Average(rises), "player")
    swept = [one["lambda"] for one in usual if "lambda" in one]
    half = LAMBDAS.index(0.5)
    for k, weight in enumerate(LAMBDAS):
        wrong = [row[k] for row in swept]
        lab.observe("lambda", weight, WRONG, Average(wrong, bounds=(0.0, 1.0)))
        if weight in (0.0, 1.0):
            gaps = [row[half] - row[k] for row in swept]
            unit = f"mistakes with 0.5 less those with {weight:g}"
            lab.observe(f"lambda {weight:g}", None, unit, Average(gaps), "lambda")
