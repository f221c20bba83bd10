"""The game contract: what a game must say, what it may say, and what follows from it.

A game is a ``NamedTuple``: its fields are the parameters, its methods the rules. A *state* is one
fixed-size record (a NumPy structured dtype), so that copying is a memcpy, and hashing, equality,
saving and sending to another process come free. The methods are plain Python that also compiles
(see `ponder.jit`); they change the record `s` in place and write lists into the given arrays.

Required:

    spec(self)                       -> Spec: players, sizes, the state's dtype, utility range
    start(self, s)                   fill the zeroed record with the initial state
    current_player(self, s)          0, 1, 2 ... or CHANCE           (state not terminal)
    legal_actions(self, s, out)      write them, return how many     (a player is to move)
    apply_action(self, s, a)         change s
    is_terminal(self, s)
    returns(self, s, out)            write one utility per player    (state terminal)

Optional, each unlocks something:

    chance_outcomes(self, s, out, p) write outcomes and probabilities, return how many
    random_action(self, s, out, rng) a uniform legal action without listing all: faster rollouts.
                                     A game may leave out moves that are never sensible (filling
                                     one's own eyes in Go) if its rules class says so with
                                     ``RANDOM_ACTION_SUBSET = True``
    random_rollout(self, s, out, rng) play `random_action` to the end, drawing the very numbers that
                                     move by move would be drawn: where the end can be found faster
                                     than by looking at every move. Only `returns` is asked of the
                                     state it leaves; `out` is scratch space
    rollout_action(self, s, out, rng) the game's own default policy
    evaluate(self, s, out)           static estimate, one utility per player
    evaluate_terms(self, s, player)  what `evaluate` adds up, as (name, value, weight), and
    squash(self, s, player, score)   the utility that the sum stands for. Never compiled: for
                                     people, and to fit weights; see `ponder.core.terms`
    winning_action(self, s, out)     an action with which the player to move ends the game and gets
                                     the highest utility there is; -1 where none does. For decisive
                                     playouts
    noisy_actions(self, s, out)      captures, threats ...: quiescence search
    in_check(self, s)                the mover has to answer a threat: it may not rely on the static
                                     estimate, and noisy_actions lists *all* legal actions
    pass_turn(self, s)               let the opponent move instead: change s and return True, or
                                     return False, s being as it was, where that makes no sense
                                     (in check) or misleads (zugzwang). Null moves in alpha-beta;
                                     not a rule of the game
    order(self, s, a)                cheap score of a move: ordering, priors
    urgent(self, s, a)               does the move threaten something at once (atari in Go)? Crazy
                                     Stone's tree policy tries such moves more often
    enough_actions(self, s, out)     some legal actions, a best one surely among them (of wins the
                                     soonest, of losses the latest), the likely ones first: exact
                                     searches look at no others, in that order. Leaves out what
                                     loses at once, say
    key(self, s)                     64-bit key, where two records mean the same position
    exact_key(self, s)               a number below 2**56, of states in which a player is to move:
                                     two share it only if each can be turned into the other by a
                                     symmetry of the rules, so that values and distances are equal.
                                     Exact searches then need half the memory
    cells(self, s, player, out)      how the board looks to `player`: a code per cell, 0 to
                                     spec.board.codes - 1, "mine" and "yours" not "white" and
                                     "black"; of a state in which that player is to move. What
                                     networks see (see `ponder.core.geometry`)
    seen_action(self, a, player)     the action as `player` sees it, where `cells` turns the board
                                     round for one of them: a number below distinct_actions
    symmetries(self)                 how many symmetries the board has, the identity (0) included
    transform(self, s, k, t)         write the image of s under symmetry k into the record t
    transform_action(self, a, k)     the image of an action under symmetry k
    rules(self)                      another NamedTuple with the methods above, where the rules
                                     need tables (arrays) or a special case runs faster

For people (ordinary Python, never compiled):

    action_name(self, s, a), parse_action(self, s, text)
    board_text(self, s), board_svg(self, s, last=None, legal=())
                                     a drawing that needs it also gets before=, the record before
                                     the last action, if it has a parameter of that name
    action_places(self, s, a)        where an action is on that drawing: circles (x, y, radius) in
                                     its units. One, where a stone is put; two, where a piece comes
                                     from and goes to, and so on for each piece that moves; none of
                                     what is nowhere (a pass). For clicking, and for marks of a
                                     search over the board
    position_text(self, s), parse_position(self, text, s)

A *plain Python game* needs none of this: see `ponder.core.plain`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ponder.core.geometry import Geometry, geometry_problem
from ponder.core.hooks import FOR_PEOPLE, OPTIONAL, REQUIRED
from ponder.core.own_hooks import overridden, with_own_hooks
from ponder.core.parts import distinguish
from ponder.core.rng import below
from ponder.errors import InputError
from ponder.jit import U, inlined, kernel, methods_of

CHANCE = -1
"""The player who rolls the dice (OpenSpiel's number)."""


class Spec(NamedTuple):
    """The fixed facts of a game with given parameters."""

    players: int
    max_actions: int
    """Most legal actions, or chance outcomes, in any state."""
    max_length: int
    """Most actions, chance included, from start to end."""
    state: np.dtype[np.void]
    """The dtype of the state record: see `record`."""
    distinct_actions: int = 0
    """Actions are numbers 0 .. distinct_actions - 1; 0: the same as max_actions."""
    lowest: float = -1.0
    highest: float = 1.0
    """The range of utilities."""
    zero_sum: bool = True
    """Do the utilities of all players always add up to the same number?"""
    board: Geometry | None = None
    """How the cells lie that the hook `cells` writes."""


class Term(NamedTuple):
    """One summand of an evaluation: see `ponder.core.terms`."""

    name: str
    value: float
    """f(s): from the player's point of view, so that an advantage of his is above 0 where the
    weight is."""
    weight: float
    """w: the same in every state."""

    @property
    def share(self) -> float:
        """What it adds to the score."""
        return self.value * self.weight


MOST_STATE_BYTES = 1 << 18


def spec_problems(spec: Spec) -> list[str]:
    """What is wrong with a spec, in sentences."""
    if not isinstance(spec, Spec):
        return [f"spec() gave {type(spec).__name__}, expected ponder.Spec"]
    problems = []
    whole = {"players": (1, 64), "max_actions": (1, 1 << 20), "max_length": (1, 1 << 31)}
    for name, (low, high) in whole.items():
        value = getattr(spec, name)
        if not isinstance(value, int | np.integer) or not low <= value <= high:
            problems.append(f"{name} is {value!r}, expected a whole number from {low} to {high}")
    state = spec.state
    if not isinstance(state, np.dtype) or state.names is None:
        problems.append(f"state is {state!r}, expected a record dtype: record(field='i4', ...)")
    elif state.hasobject:
        problems.append("state holds Python objects; a record is made of numbers of fixed size")
    elif state.itemsize > MOST_STATE_BYTES:
        problems.append(
            f"state takes {state.itemsize:,} bytes, accepted: up to {MOST_STATE_BYTES:,} "
            "(every step of a search copies it)"
        )
    elif state.itemsize == 0:
        problems.append("state has no bytes: a record needs at least one field")
    elif not issubclass(state.type, np.record):
        problems.append("state gives no fields as attributes: make it with ponder.record(...)")
    else:
        problems += [
            f"the state's field {name!r} is hidden by an attribute of NumPy's records: rename it"
            for name in state.names
            if hasattr(np.record, name)
        ]
    if problems:
        return problems
    if not isinstance(spec.distinct_actions, int | np.integer):
        problems.append(f"distinct_actions is {spec.distinct_actions!r}, expected a whole number")
    elif spec.distinct_actions and not spec.max_actions <= spec.distinct_actions < 1 << 31:
        problems.append(
            f"distinct_actions is {spec.distinct_actions} but max_actions {spec.max_actions}: "
            "no state can have more actions than there are, which are fewer than 2**31"
        )
    if not (math.isfinite(spec.lowest) and math.isfinite(spec.highest)):
        problems.append(f"utilities from {spec.lowest} to {spec.highest}: both must be finite")
    elif spec.lowest >= spec.highest:
        problems.append(
            f"lowest is {spec.lowest}, highest {spec.highest}: expected lowest < highest"
        )
    wrong = geometry_problem(spec.board)
    return [*problems, wrong] if wrong else problems


def record(**fields: str | tuple[object, ...]) -> np.dtype[np.void]:
    """A state's dtype: ``record(stones=("u8", 2), ply="i4")``."""
    layout = [(k, *(v if isinstance(v, tuple) else (v,))) for k, v in fields.items()]
    aligned = np.dtype(layout, align=True)
    # Holes between the fields get a name: NumPy does not copy unnamed ones, and equal states must
    # have equal bytes. The end is filled up to whole 64-bit words, so that a state can be hashed
    # word by word.
    whole: list[tuple[Any, ...]] = []
    at = 0
    for field in layout:
        offset = aligned.fields[field[0]][1]  # type: ignore[index]
        if offset > at:
            whole.append((f"_hole{at}", "u1", (offset - at,)))
        whole.append(field)
        at = offset + aligned.fields[field[0]][0].itemsize  # type: ignore[index]
    if at % 8:
        whole.append((f"_hole{at}", "u1", (8 - at % 8,)))
    return np.dtype((np.record, np.dtype(whole, align=True)))


def new_states(dtype: Any, n: int) -> Any:
    """An array of `n` zeroed state records, with fields as attributes."""
    return np.zeros(n, dtype).view(np.recarray)


SPARE = 64
"""Places behind the declared end of the arrays that rules write actions and probabilities to: a
game that exceeds its max_actions by so many is seen, and does no harm."""


def new_list(spec: Spec, dtype: Any) -> Any:
    """An array for up to max_actions actions or probabilities, with `SPARE` places behind it."""
    return np.zeros(spec.max_actions + SPARE, dtype)[: spec.max_actions]


def new_lists(spec: Spec, plies: int, dtype: Any) -> Any:
    """The same for every ply of a recursion; what exceeds a row is in the next one."""
    return np.zeros((plies + 1 + SPARE // spec.max_actions, spec.max_actions), dtype)


@kernel
@inlined
def are_sound(actions, n, distinct):  # type: ignore[no-untyped-def]
    """Are there actions, no more than declared, and each a number that is declared?"""
    if n < 1 or n > actions.size:
        return False
    signs = np.int64(0)  # negative as soon as an action, or what it leaves to the last one, is
    for i in range(n):
        action = np.int64(actions[i])
        signs |= action | (distinct - 1 - action)
    return signs >= 0


def _listed_random_action(self, s, out, rng):  # type: ignore[no-untyped-def]
    """A uniform legal action, by listing them all; -1 where their number breaks the contract."""
    n = self.legal_actions(s, out)
    if n < 1 or n > out.size:
        out[0] = -1
        return out[0]
    return out[below(rng, n)]


def _uniform_rollout(self, s, out, rng):  # type: ignore[no-untyped-def]
    """Without a policy of its own the game is played out at random."""
    return self.random_action(s, out, rng)


def _no_chance(self, s, out, p):  # type: ignore[no-untyped-def]
    """A game without dice."""
    return 0


def _no_evaluation(self, s, out):  # type: ignore[no-untyped-def]
    """Everything looks equal."""
    for p in range(out.size):
        out[p] = 0.0


def _no_order(self, s, a):  # type: ignore[no-untyped-def]
    """Every move looks equal."""
    return 0.0


def _not_urgent(self, s, a):  # type: ignore[no-untyped-def]
    """No move is special."""
    return False


def _all_actions(self, s, out):  # type: ignore[no-untyped-def]
    """Any legal action may be the best."""
    return self.legal_actions(s, out)


def _as_it_is(self, a, player):  # type: ignore[no-untyped-def]
    """The board looks the same from every side."""
    return a


def _no_noise(self, s, out):  # type: ignore[no-untyped-def]
    """Every position is quiet."""
    return 0


def _never(self, s):  # type: ignore[no-untyped-def]
    """No position is special."""
    return False


def _no_key(self, s):  # type: ignore[no-untyped-def]
    """Only the bytes of the record tell positions apart."""
    return U(0)


# What kernels find where a game says nothing. Whether a hook is the game's own: `hooks_of`.
_DEFAULTS = {
    "random_action": _listed_random_action,
    "rollout_action": _uniform_rollout,
    "chance_outcomes": _no_chance,
    "evaluate": _no_evaluation,
    "order": _no_order,
    "urgent": _not_urgent,
    "enough_actions": _all_actions,
    "noisy_actions": _no_noise,
    "in_check": _never,
    "pass_turn": _never,
    "seen_action": _as_it_is,
    "key": _no_key,
    "exact_key": _no_key,
}


def is_compiled_game(game: Any) -> bool:
    """Is this a NamedTuple with `spec`, or else a plain Python game?"""
    return isinstance(game, tuple) and hasattr(game, "_fields") and hasattr(game, "spec")


def rules_of(game: Any) -> Any:
    """The NamedTuple that kernels see: ``game.rules()`` where given, else the game itself, with the
    methods that a class below has written (`ponder.core.own_hooks`).

    Missing optional hooks that have a natural meaning get it here, once for each class.
    """
    if hasattr(game, "rules") or _has_own_hooks(type(game)):  # type: ignore[arg-type]
        return _rules_of(type(game), game)  # type: ignore[arg-type]
    _completed(type(game))  # type: ignore[arg-type]
    return game


@lru_cache(maxsize=256)
def _has_own_hooks(cls: type) -> bool:
    return bool(overridden(cls))


@lru_cache(maxsize=256)
def _rules_of(cls: Any, game: Any) -> Any:
    # The class is part of the key: tuples of two classes with equal fields are equal.
    rules = with_own_hooks(game, game.rules() if hasattr(game, "rules") else game)
    complete(type(rules))
    return rules


@lru_cache(maxsize=256)
def _completed(cls: type) -> None:
    complete(cls)


def complete(cls: type) -> None:
    """Give the class the default hooks it lacks; refuse one that is not a whole game."""
    distinguish(cls)
    missing = [name for name in REQUIRED if not callable(getattr(cls, name, None))]
    if missing:
        raise InputError(
            f"{cls.__name__} is not a whole game: it lacks {', '.join(missing)} "
            f"(a game has spec, {', '.join(REQUIRED)})"
        )
    # kernels look at what the default gives, and only at that
    draw = getattr(cls, "random_action", _listed_random_action)
    cls.LISTS_MOVES = draw is _listed_random_action  # type: ignore[attr-defined]
    for name, default in _DEFAULTS.items():
        if not hasattr(cls, name):
            setattr(cls, name, default)


def hooks_of(game: Any) -> tuple[str, ...]:
    """The optional hooks that the game itself gives."""
    return _hooks_of(type(game), type(rules_of(game)))  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _hooks_of(cls: type, rules: type) -> tuple[str, ...]:
    own = methods_of(rules)
    return (
        *(name for name in OPTIONAL if name in own and own[name] is not _DEFAULTS.get(name)),
        *(name for name in FOR_PEOPLE if name in methods_of(cls)),
    )
