"""Ready-made searches by their names in the literature.

All take the options of `MCTS` besides (simulations, seconds, memory, threads ...), and any part
by name, to change that one alone: ``crazy_stone(backup=Mean())``.
"""

from __future__ import annotations

from typing import Any

from ponder.errors import InputError
from ponder.mcts.backup.mix import Mix
from ponder.mcts.decide import HighestValue, MostVisits
from ponder.mcts.engine import MCTS
from ponder.mcts.evaluate.rollout import GameRollout
from ponder.mcts.evaluate.static import Blend
from ponder.mcts.expand import AllChildren, NthVisit, RootOnly
from ponder.mcts.priors import OrderPriors
from ponder.mcts.select.puct import PUCT
from ponder.mcts.select.ucb import UCB1, Equal
from ponder.mcts.select.urgency import Urgency


def refuse_lost(name: str, given: bool, options: dict[str, Any], *parts: str) -> None:
    """Refuse a parameter all of whose parts are replaced: it would silently do nothing."""
    if given and all(part in options for part in parts):
        raise InputError(
            f"{name} is a parameter of the {' and '.join(parts)} that was replaced: leave it out"
        )


def uct(c: float = 2.0, **options: Any) -> MCTS:
    """UCT (Kocsis & Szepesvari 2006): UCB1, random rollouts, mean backup, most visits.

    `c` is the factor of UCB1's exploration, ``mean + c * h * sqrt(ln N / n)``, where h is half the
    range of the game's utilities.
    """
    refuse_lost("c", c != 2.0, options, "select")
    return MCTS(**{"select": UCB1(c), **options})


def flat(**options: Any) -> MCTS:
    """Pure Monte Carlo (Abramson 1990): random games for every root move, equally many; no tree.

    The move with the highest value is played: equal visits say nothing. ``flat(select=UCB1())``
    gives promising moves more games, as a bandit does, and plays the most visited one.
    """
    select = options.get("select", Equal())
    decide = HighestValue() if isinstance(select, Equal) else MostVisits()
    return MCTS(**{"select": select, "expand": RootOnly(), "decide": decide, **options})


def crazy_stone(points: int = 0, **options: Any) -> MCTS:
    """Crazy Stone (Coulom 2006): moves drawn by urgency, children at the second visit, mix backup.

    Rollouts are the game's own; in Go, ``go(urgencies=True)`` plays the paper's.
    `points` is the number of points of the board; 0: of legal moves at the root.
    """
    refuse_lost("points", points != 0, options, "select", "backup")
    parts = {
        "select": Urgency(points=points),
        "expand": NthVisit(2),
        "evaluate": GameRollout(),
        "backup": Mix(points=points),
    }
    return MCTS(**{**parts, **options})


def alphago_style(weight: float = 0.5, temperature: float = 0.5, **options: Any) -> MCTS:
    """AlphaGo's search (Silver et al. 2016) with hand-made knowledge in place of its networks.

    PUCT over all children, priors from the game's `order`, leaves worth
    (1 - weight) * `evaluate` + weight * a rollout. The game needs both hooks. `temperature` is that
    of the priors, exp(score / temperature) with scores from 0 to 1: the lower, the more is left to
    `order`.
    """
    refuse_lost("weight", weight != 0.5, options, "evaluate")
    refuse_lost("temperature", temperature != 0.5, options, "expand")
    parts = {
        "select": PUCT(),
        "expand": AllChildren(priors=OrderPriors(temperature)),
        "evaluate": Blend(weight, GameRollout()),
    }
    return MCTS(**{**parts, **options})
