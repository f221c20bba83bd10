"""An evaluation taken apart: Eval(s) = w1 f1(s) + w2 f2(s) + ... + wn fn(s).

A game whose `evaluate` is such a sum may say what it is made of:

    evaluate_terms(self, s, player)  -> a list of `Term`: name, value f(s), weight w
    squash(self, s, player, score)   -> the utility that the sum stands for; without this hook the
                                        sum is the utility

so that ``squash(s, player, sum of value * weight) == evaluate(s)[player]`` (`ponder check` holds
the two together). Weights are constants of the game: the same names with the same weights, in the
same order, in every state and for every player. What changes from state to state is a value. An
empty list says that `evaluate` knows the result here and adds up nothing. Plain Python games have
the same two methods, of a state of theirs.

>>> from ponder import explain, position
>>> for term in explain(position("pig")).terms:
...     print(term.name, term.value, term.weight)
lead in points 0.0 0.01
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.game import Term, is_compiled_game, rules_of
from ponder.core.hooks import hook_of
from ponder.core.position import Position
from ponder.core.registry import game_text
from ponder.errors import GameError, InputError, PonderError


class Explanation(NamedTuple):
    """What `evaluate` says of a position for one player, and why."""

    player: int
    terms: tuple[Term, ...]
    """Empty: the result is known, nothing was added up."""
    score: float
    """The sum of the shares."""
    value: float
    """`evaluate`'s utility."""
    squashed: bool
    """Does the score become a utility by the game's `squash`?"""


def explain(position: Position, player: int = 0) -> Explanation:
    """The evaluation of a position for a player, taken apart."""
    last = position.players - 1
    if not 0 <= player <= last:
        accepted = f"players are 0 to {last}" if last else "the only one is player 0"
        raise InputError(f"there is no player {player}: {accepted}")
    name, rules, state = game_text(position.game), rules_with_terms(position.game), position.state
    if hook_of(rules, "evaluate_terms") is None:
        raise InputError(f"{name} does not say what an evaluation is made of (evaluate_terms)")
    if position.is_terminal:
        raise InputError("the game is over in this position: its value is its result")
    terms = terms_of(rules, state, player)
    value = position.rules.evaluate(position.raw_state)[player]
    problem = terms_problem(rules, state, player, terms, value)
    if problem:
        raise GameError(f"the rules of {name} break their contract: {problem}")
    score = math.fsum(term.share for term in terms)
    return Explanation(player, terms, score, value, hook_of(rules, "squash") is not None)


def rules_with_terms(game: Any) -> Any:
    """What has the game's `evaluate_terms`, if it has one: its rules, or the plain game."""
    return rules_of(game) if is_compiled_game(game) else game


def terms_of(rules: Any, state: Any, player: int) -> tuple[Term, ...]:
    """The terms as the rules give them; GameError if they are none."""
    given = _call(rules, "evaluate_terms", state, player)
    try:
        return tuple(Term(str(name), float(f), float(w)) for name, f, w in given)
    except (TypeError, ValueError):
        raise GameError(
            f"evaluate_terms gave {given!r:.80}, expected a list of (name, value, weight)"
        ) from None


def utility_of(rules: Any, state: Any, player: int, score: float) -> float:
    """The utility that a score stands for: the rules' `squash`, else the score itself."""
    if hook_of(rules, "squash") is None:
        return score
    return float(_call(rules, "squash", state, player, score))


def terms_problem(
    rules: Any, state: Any, player: int, terms: tuple[Term, ...], value: float
) -> str | None:
    """A sentence if the terms are not those of `evaluate`, which said `value`."""
    for name, f, w in terms:
        if not (math.isfinite(f) and math.isfinite(w)):
            return f"evaluate_terms gives {name!r} the value {f:g} and the weight {w:g}"
    names = [term.name for term in terms]
    if len(set(names)) < len(names):
        return f"evaluate_terms has two terms of one name: {', '.join(names)}"
    if not terms:
        return None
    said = utility_of(rules, state, player, math.fsum(term.share for term in terms))
    if not math.isclose(said, value, rel_tol=1e-9, abs_tol=1e-9):
        return (
            f"the terms of evaluate_terms make {said:.9g} for player {player}, "
            f"evaluate says {value:.9g}"
        )
    return None


def _call(rules: Any, method: str, *args: Any) -> Any:
    try:
        return getattr(rules, method)(*args)
    except PonderError:
        raise
    except Exception as error:
        raise GameError(f"{method} raised {type(error).__name__}: {error}") from error
