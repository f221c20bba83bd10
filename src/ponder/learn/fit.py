"""Weights of an evaluation, Eval(s) = w1 f1(s) + ... + wn fn(s), fitted to results of self-play.

The features are the game's own (`evaluate_terms`, `ponder.core.terms`), as player 0 sees them. An
engine plays against itself, with random moves among its own so that one side gets ahead; a few
positions of every game are taken with its result z, from 0 (lost) to 1 (won). Then

    P(z) = 1 / (1 + exp(-(b + w.f(s))))

is fitted by maximum likelihood (logistic regression, by Newton's method); b is the worth of being
player 0. A draw counts as half a win and half a loss. Positions of one game share one result, so
the errors are computed game by game:

    Cov(w) = H^-1 (sum over games g of s_g s_g') H^-1,   s_g = sum over i in g of f_i (z_i - p_i)

with H the Hessian (Liang & Zeger 1986). Only ratios of weights have a meaning: all are multiplied
by one number so that the feature `unit` keeps the weight that it has in the game; the interval of
a ratio is by the delta method. A fifth of the games is not fitted to: on them the old and the new
weights are compared, each with the factor and the b that suit the other games best.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ponder.core.hooks import hook_of
from ponder.core.interrupt import interruptible
from ponder.core.position import Position
from ponder.core.registry import game_text, part_text
from ponder.core.self_play import self_played
from ponder.core.start import engine as engine_named
from ponder.core.terms import rules_with_terms, terms_of
from ponder.errors import InputError

MOST_GAMES = 10_000_000
"""Their positions are kept."""
LEAST_GAMES = 20
"""Fewer tell nothing about the errors."""
HELD_OUT = 5
"""Every so manieth game is not fitted to."""
PRIOR = 1e-3
"""A trace of ridge regression, in observations: it keeps features apart that never differ."""
Z = 1.959964
"""Of 95 %."""


class Weight(NamedTuple):
    """A feature of the evaluation."""

    name: str
    given: float
    """The weight that it has in the game."""
    fitted: float
    low: float
    high: float
    """Its 95 % interval."""
    seen: int
    """In how many positions it was not 0."""


class Fit(NamedTuple):
    """What came out, and of what."""

    game: str
    engine: str
    seed: int
    games: int
    positions: int
    unit: str
    """The feature whose weight was kept."""
    weights: tuple[Weight, ...]
    first: float
    """The worth of being player 0, in the same units."""
    loss_given: float
    loss_fitted: float
    """Cross-entropy per position of the games that were not fitted to."""
    interrupted: bool

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "weights": [weight._asdict() for weight in self.weights]}


class Rows(NamedTuple):
    """Positions with their features."""

    features: Any  # [positions, features]
    results: Any  # [positions]: 0 to 1, of player 0
    games: Any  # [positions]: the number of the game


def fit(
    start: Position,
    *,
    engine: str = "alphabeta(depth=1)",
    games: int = 300,
    samples: int = 8,
    random_moves: float = 0.1,
    unit: str = "",
    seed: int = 0,
    progress: Callable[[int], None] = lambda games: None,
) -> Fit:
    """Fit the weights of the game's evaluation; `progress` hears of every finished game.

    Without `unit`, the feature with the surest weight is kept. Ctrl-C fits to the games so far.
    """
    names, given = features_of(start)
    if unit and unit not in names:
        raise InputError(f"there is no feature {unit!r}: those of this game are {_listed(names)}")
    if games < LEAST_GAMES:
        raise InputError(f"games must be {LEAST_GAMES} or more, not {games}")
    if games > MOST_GAMES:
        raise InputError(f"games must be at most {MOST_GAMES:,}, not {games:,}")
    if samples < 1:
        raise InputError(f"samples must be 1 or more, not {samples}")
    if not 0.0 <= random_moves <= 1.0:
        raise InputError(f"the share of random moves must be 0 to 1, not {random_moves:g}")
    player = engine_named(engine)
    found = []
    interrupted = False
    with interruptible() as pressed:
        for number in range(games):
            game = sampled_game(start, player, f"{seed}:{number}", samples, random_moves, pressed)
            if game is None:
                interrupted = True
                break
            found.append(game)
            progress(number + 1)
        interrupted |= pressed.is_set()
    if len(found) < LEAST_GAMES:
        raise InputError(f"interrupted after {len(found)} games: {LEAST_GAMES} are needed")
    rows = together(start, found)
    return Fit(
        game_text(start.game),
        part_text(player),
        seed,
        len(found),
        len(rows.results),
        *fitted_weights(rows, names, given, unit),
        interrupted,
    )


def features_of(start: Position) -> tuple[list[str], list[float]]:
    """Names and weights of the features, from the first position that has any."""
    name, rules = game_text(start.game), rules_with_terms(start.game)
    if hook_of(rules, "evaluate_terms") is None:
        raise InputError(f"{name} does not say what an evaluation is made of (evaluate_terms)")
    if start.players != 2 or not start.rules.spec.zero_sum:
        raise InputError("weights are fitted for games of two players, one of whom loses")
    here, rng = start, random.Random(0)
    while not here.is_terminal:
        terms = terms_of(rules, here.state, 0)
        if terms:
            return [term.name for term in terms], [term.weight for term in terms]
        choices = [a for a, _ in here.chance_outcomes] if here.is_chance else here.legal_actions
        here = here.play(rng.choice(choices))
    raise InputError(f"evaluate_terms of {name} gives no features to fit")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def sampled_game(
    start: Position, engine: Any, seed: str, samples: int, random_moves: float, pressed: Any
) -> tuple[list[list[float]], float] | None:
    """The features of some positions of a game, and its result; None if it was interrupted."""
    end = self_played(
        start,
        engine,
        None,
        plies=None,
        random_moves=random_moves,
        seed=f"fit {seed}",
        pressed=pressed,
    )
    if end is None:
        return None
    rules, here, moved = rules_with_terms(start.game), start, []
    for action in end.history[len(start.history) :]:
        if not here.is_chance:
            moved.append(here)
        here = here.play(action)
    chosen = random.Random(f"rows {seed}").sample(moved, min(samples, len(moved)))
    terms = [terms_of(rules, position.state, 0) for position in chosen]
    return [[term.value for term in row] for row in terms if row], float(end.returns[0])


def together(start: Position, found: list[Any]) -> Rows:
    """The rows of all games."""
    spec = start.rules.spec
    features = [row for rows, _ in found for row in rows]
    if not features:
        raise InputError("no position of these games has features: the results are all known")
    results = [(z - spec.lowest) / (spec.highest - spec.lowest) for rows, z in found for _ in rows]
    numbers = [number for number, (rows, _) in enumerate(found) for _ in rows]
    return Rows(np.array(features, float), np.array(results, float), np.array(numbers))


def logistic(x: Any, z: Any, prior: float = PRIOR) -> tuple[Any, Any]:
    """Weights that make z likeliest, and the inverse of the Hessian; Newton's method.

    Where a feature tells the results apart without an error the likeliest weight is infinite:
    `prior`, in units of the feature's own spread, keeps it finite.
    """
    ridge = prior * np.maximum((x * x).mean(axis=0), 1e-12)
    w = np.zeros(x.shape[1])
    for _ in range(100):
        p = _sigmoid(x @ w)
        hessian = (x * (p * (1.0 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(hessian, x.T @ (z - p) - ridge * w)
        w += step
        if float(np.abs(step).max()) < 1e-10 * max(1.0, float(np.abs(w).max())):
            break
    return w, np.linalg.inv(hessian)


def clustered(x: Any, z: Any, w: Any, inverse: Any, games: Any) -> Any:
    """The covariance of the weights, errors added up game by game."""
    scores = x * (z - _sigmoid(x @ w))[:, None]
    _, place = np.unique(games, return_inverse=True)
    sums = np.zeros((place.max() + 1, x.shape[1]))
    np.add.at(sums, place, scores)
    count = len(sums)
    return inverse @ (sums.T @ sums) @ inverse * count / max(count - 1, 1)


def _sigmoid(score: Any) -> Any:
    return 0.5 * (1.0 + np.tanh(0.5 * score))


def _loss(x: Any, z: Any, w: Any) -> float:
    p = np.clip(_sigmoid(x @ w), 1e-12, 1.0 - 1e-12)
    return float(-(z * np.log(p) + (1.0 - z) * np.log(1.0 - p)).mean())


class Fitted(NamedTuple):
    """The part of a `Fit` that follows from the rows."""

    unit: str
    weights: tuple[Weight, ...]
    first: float
    loss_given: float
    loss_fitted: float


def fitted_weights(rows: Rows, names: list[str], given: list[float], unit: str = "") -> Fitted:
    """Fit the weights, and compare them with those that the game has."""
    known = rows.features.any(axis=0)
    if not known.any():
        raise InputError("every feature was 0 in all positions: there is nothing to fit")
    one = np.ones((len(rows.results), 1))
    x = np.hstack([one, rows.features[:, known]])
    inside = rows.games % HELD_OUT != HELD_OUT - 1
    w, inverse = logistic(x[inside], rows.results[inside])
    errors = clustered(x[inside], rows.results[inside], w, inverse, rows.games[inside])
    places = {name: 1 + k for k, name in enumerate(np.array(names, object)[known])}
    kept = unit or _surest(names, given, places, w, errors)
    if kept not in places:
        raise InputError(f"{kept} was 0 in all positions: choose another unit")
    at, own = places[kept], float(given[names.index(kept)])
    if not own:
        raise InputError(f"{kept} has the weight 0 in this game: choose another unit")
    factor = own / float(w[at])
    weights = []
    for k, name in enumerate(names):
        if name not in places:
            weights.append(Weight(name, float(given[k]), 0.0, -math.inf, math.inf, 0))
            continue
        j = places[name]
        # delta method: w_j / w_at changes by (dw_j - (w_j / w_at) dw_at) / w_at
        share = float(w[j] / w[at])
        spread = errors[j, j] - 2.0 * share * errors[j, at] + share**2 * errors[at, at]
        half = Z * abs(factor) * math.sqrt(max(0.0, float(spread)))
        value = factor * float(w[j])
        seen = int(np.count_nonzero(rows.features[:, k]))
        weights.append(Weight(name, float(given[k]), value, value - half, value + half, seen))
    score = np.hstack([one, rows.features @ np.array(given)[:, None]])
    scaled, _ = logistic(score[inside], rows.results[inside])
    return Fitted(
        kept,
        tuple(weights),
        factor * float(w[0]),
        _loss(score[~inside], rows.results[~inside], scaled),
        _loss(x[~inside], rows.results[~inside], w),
    )


def _surest(
    names: list[str], given: list[float], places: dict[str, int], w: Any, errors: Any
) -> str:
    """The feature whose weight is farthest from 0, counted in its own errors."""

    def sureness(name: str) -> float:
        j = places[name]
        return abs(float(w[j])) / math.sqrt(float(errors[j, j]) or math.inf)

    usable = [name for name in places if given[names.index(name)]]
    if not usable:
        raise InputError("all features that were seen have the weight 0 in this game")
    return max(usable, key=sureness)
