"""Leaves evaluated by any Python function, in batches: a network, say.

>>> from ponder import MCTS, position
>>> def equal(positions):
...     return [[0.0, 0.0] for p in positions]
>>> MCTS(evaluate=equal).search(position("tictactoe"), simulations=50, seed=1).simulations
50
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.gate import load_from_file, split_name
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.errors import GameError, InputError, PonderError, quoted
from ponder.jit import constants, inlined

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS
    from ponder.mcts.protocols import EvaluateRule

MOST_LEAVES = 65_536


@registered
@constants(PRIORS=True)
class Function(NamedTuple):
    """Values of leaves by ``call(positions)``, for `batch` leaves at a time.

    `call` gets a list of n positions, none of them the end of a game, and gives back an array (or
    lists) of n rows with a utility for each player; or a tuple of two, such values and the
    probabilities of moves: n rows of distinct_actions numbers, or n dicts from actions to numbers.
    They need not be complete or sum to 1; what is there for the legal moves is scaled.

        call          the function; in the text of an engine "FILE.py:NAME"
        batch         how many leaves are collected before the function is called
        virtual_loss  a leaf that waits counts on its path as a visit that returned
                      virtual_loss * lowest utility + (1 - virtual_loss) * mean so far:
                      1 the usual virtual loss (Chaslot et al. 2008), 0 as in WU-UCT (Liu et al.
                      2020), where only the visits are seen
        raw           call gets an array of the n state records instead of positions
    """

    call: Any
    batch: int = 1
    virtual_loss: float = 1.0
    raw: bool = False

    def problem(self) -> str | None:
        if not callable(self.call) and not isinstance(self.call, str):
            return f"call must be a function, or the text FILE.py:NAME, not {self.call!r}"
        return batch_problem(self.batch, self.virtual_loss)

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if self.raw and position.rules.plain:
            return "raw=True is for compiled games: a plain Python game has no records"
        return refused_batch(engine, self.batch)

    def fitted(self, position: Position) -> EvaluateRule:
        return Outside(self.batch, self.virtual_loss)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return True


@registered
@constants(PRIORS=True)
class Outside(NamedTuple):
    """Leaves evaluated by whoever drives the session: `leaves` gives them, `answer` goes on.

    Up to `batch` leaves wait at a time; see `Function` for `virtual_loss`, and for what an answer
    looks like. The stand-in for `Function` in kernels as well: the driver writes the values.
    """

    batch: int = 1
    virtual_loss: float = 1.0

    def problem(self) -> str | None:
        return batch_problem(self.batch, self.virtual_loss)

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return refused_batch(engine, self.batch)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return True


def asked(evaluate: Any, position: Position) -> Function | Outside | None:
    """The rule by which leaves are collected and asked about outside of kernels, if that is done.

    An evaluate rule may have the *plain* method ``asking(self, position)``: a `Function` that
    evaluates in its place, or None.
    """
    if isinstance(evaluate, Function | Outside):
        return evaluate
    return evaluate.asking(position.for_kernels()) if hasattr(evaluate, "asking") else None


def batch_problem(batch: int, virtual_loss: float) -> str | None:
    """A sentence if leaves cannot be collected like this."""
    if not 1 <= batch <= MOST_LEAVES:
        return f"batch must be 1 to {MOST_LEAVES:,}, not {batch}"
    if not 0 <= virtual_loss <= 1:
        return f"virtual_loss must be from 0 to 1, not {virtual_loss:g}"
    return None


def refused_batch(engine: Any, batch: int) -> str | None:
    """A sentence if the engine cannot collect leaves."""
    if engine.threads != 1:
        return "leaves are collected by one thread: use batch=, not threads="
    if engine.transpositions and batch > 1:
        return "transpositions need batch=1: virtual losses cannot be taken back there"
    return None


class Answer(NamedTuple):
    """What a function said of n leaves, checked."""

    values: Any  # [n, players] f8
    priors: Any  # None, or something with n rows


class Evaluator:
    """A function, ready to be asked; of `Outside`, what checks the answers."""

    def __init__(
        self,
        rule: Function | Outside,
        players: int,
        utilities: tuple[float, float],
        actions: int | None,
    ) -> None:
        self.name = "answer()"
        if isinstance(rule, Function):
            self.call: Callable[[Any], Any] = _loaded(rule.call)
            name = getattr(self.call, "__qualname__", type(self.call).__name__)
            self.name = f"the evaluate function {name}"
        self.players, self.utilities, self.actions = players, utilities, actions

    def ask(self, leaves: Any, n: int) -> Answer:
        """Call the function and check what it gives."""
        try:
            given = self.call(leaves)
        except PonderError:
            raise
        except Exception as error:
            raise GameError(f"{self.name} raised {type(error).__name__}: {error}") from error
        values, priors = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
        return self.checked(values, priors, n)

    def checked(self, values: Any, priors: Any, n: int) -> Answer:
        """What was said of n leaves, refused if it cannot be."""
        chances = None if priors is None else self._checked_priors(priors, n)
        return Answer(self._checked_values(values, n), chances)

    def _checked_values(self, given: Any, n: int) -> Any:
        try:
            values = np.asarray(given, np.float64)
        except (TypeError, ValueError):
            self._wrong(f"gave {type(given).__name__} where an array of numbers is expected")
        if values.shape != (n, self.players):
            self._wrong(
                f"gave an array of shape {values.shape} for {n} positions; "
                f"expected ({n}, {self.players}): a utility for each player"
            )
        lowest, highest = self.utilities
        if not ((values >= lowest) & (values <= highest)).all():  # NaN is neither
            wrong = values[~((values >= lowest) & (values <= highest))][0]
            self._wrong(f"gave the value {wrong:g}; utilities are from {lowest:g} to {highest:g}")
        return values

    def _checked_priors(self, given: Any, n: int) -> Any:
        if isinstance(given, Sequence) and len(given) and isinstance(given[0], dict):
            if len(given) != n:
                self._wrong(f"gave {len(given)} dicts of probabilities for {n} positions")
            found = [p for row in given for p in row.values()]
            self._check_probabilities(np.asarray(found, np.float64))
            return given
        try:
            rows = np.asarray(given, np.float64)
        except (TypeError, ValueError):
            self._wrong("gave probabilities that are neither an array of numbers nor dicts")
        if self.actions is None:
            self._wrong("must give probabilities as dicts: this game's actions have no numbers")
        if rows.shape != (n, self.actions):
            self._wrong(
                f"gave probabilities of shape {rows.shape} for {n} positions; "
                f"expected ({n}, {self.actions}): one for each distinct action"
            )
        self._check_probabilities(rows)
        return rows

    def _check_probabilities(self, found: Any) -> None:
        if not (np.isfinite(found) & (found >= 0)).all():
            self._wrong("gave a probability that is negative or not a finite number")

    def _wrong(self, what: str) -> Any:
        raise GameError(f"{self.name} {what}")


def _loaded(call: Any) -> Any:
    """The function itself, where only its file and name are given."""
    if not isinstance(call, str):
        return call
    path, name = split_name(call)
    if not path.endswith(".py") or not name.isidentifier():
        raise InputError(f"{quoted(call)} names no function: expected FILE.py:NAME")
    found = load_from_file(path, name)
    if not callable(found):
        raise InputError(f"{name} in {path} is not a function")
    return found


def probabilities(row: Any, actions: Sequence[Any]) -> Any:
    """The probabilities of a node's moves, scaled to sum 1; all equal if all are 0."""
    if isinstance(row, dict):
        found = np.array([row.get(action, 0.0) for action in actions], np.float64)
    else:
        found = row[np.asarray(actions)]
    total = found.sum()
    return found / total if total > 0 else np.full(len(found), 1.0 / len(found))


def as_rule(evaluate: Any) -> Any:
    """The evaluate rule that is meant: a plain function becomes a `Function`."""
    if callable(evaluate) and not hasattr(type(evaluate), "_fields"):
        return Function(evaluate)
    return evaluate
