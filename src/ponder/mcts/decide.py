"""Decide rules: which root move does the search recommend? Run once per search, in plain Python.

A rule has ``best(self, rows, seed)``: the index of the chosen `MoveRow` among the rows it is
given, at least one; `seed` is the search's, for rules that draw. It may have ``agreed(self,
rows)`` together with a field ``extra``: as long as agreed is False the search goes on past its
limit, up to that share of the limit more; and ``fitted(self, position)``, the rule with what
depends on the position filled in. ``REASON`` says in a sentence's end what it plays: "it is the
most visited move".

`decide` applies a rule. What is proven comes first, whatever the rule:

1. A move is out if another is proven at least as good: its ``high`` is not above the other's
   ``low``, and the two are not alike. So a proven win leaves only wins, and a proven loss is out
   while anything else exists.
2. The rule chooses among the others.
3. If its choice is worth less than some other move is sure of, the surest move is taken instead.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, value_form
from ponder.core.twin import told
from ponder.errors import GameError
from ponder.jit import constants

Rows = Sequence[MoveRow]


def fitted(rule: Any, position: Position) -> Any:
    """The rule with the parameters that depend on the position filled in."""
    return rule.fitted(position) if hasattr(rule, "fitted") else rule


def decide(rule: Any, rows: Rows, seed: int = 0) -> int:
    """The index of the move to play: what is proven first, then the rule."""
    return decided(rule, rows, seed)[0]


def decided(rule: Any, rows: Rows, seed: int = 0) -> tuple[int, int]:
    """The index of the move to play, and of the rule's own choice among what it was given."""
    left = undominated(rows)
    index = said(rule, "best", [rows[i] for i in left], seed)
    if not isinstance(index, int | np.integer) or not 0 <= index < len(left):
        raise GameError(
            f"best of decide={part_text(rule)} gave {index!r}, expected the number of a row, 0 to "
            f"{len(left) - 1}"
        )
    pick = left[int(index)]
    if all(rows[i].low is None for i in left):
        return pick, pick
    surest = max(left, key=lambda i: _floor(rows[i]))
    value = rows[pick].value
    if _floor(rows[surest]) > (-math.inf if value is None else value):
        return surest, pick
    return pick, pick


def choice(rule: Any, rows: Rows, found: tuple[int, int]) -> str:
    """Why the chosen move is played, in one sentence; `found` is what `decided` gave.

    Empty where no other move has more visits and none a higher value: it goes without saying.
    """
    chosen, pick = found
    row, known = rows[chosen], [row for row in rows if row.value is not None]
    if row.value is None:
        return ""
    most = max(rows, key=lambda row: (row.visits, row is rows[chosen]))
    best = max(known, key=lambda row: (row.value, row is rows[chosen]))
    if row is most and row is best:
        return ""
    form = value_form(row.position)
    text = part_text(rule)
    own = f"{getattr(rule, 'REASON', 'it was chosen')} (decide={text})"
    left = {id(rows[i]) for i in undominated(rows)}
    if chosen != pick:
        reason = (
            f"its value is proven, and higher than that of {rows[pick].name}, which {text} took"
        )
    elif id(most) not in left or id(best) not in left:
        out = best if id(best) not in left else most
        reason = f"{out.name} is proven to be no better than another move, and of the rest {own}"
    else:
        reason = own
    others = []
    if row is not most:
        others.append(f"most visits: {_told(most, form)}")
    if row is not best:
        others.append(f"highest value: {_told(best, form)}")
    return f"{row.name} is played because {reason}; {', '.join(others)}"


def _told(row: MoveRow, form: str) -> str:
    worth = "" if row.value is None else f", value {row.value:{form}}"
    return f"{row.name} ({row.visits:,} visit{'' if row.visits == 1 else 's'}{worth})"


def said(rule: Any, method: str, *args: Any) -> Any:
    """What a method of the rule gives; what it raises is told in one line."""
    try:
        return getattr(rule, method)(*args)
    except Exception as error:
        raise GameError(f"{method} of decide={part_text(rule)} raised {told(error)}") from error


def undominated(rows: Rows) -> list[int]:
    """The moves that no other is proven to be at least as good as."""
    if all(row.low is None and row.high is None for row in rows):
        return list(range(len(rows)))  # nothing is proven
    bounds = [(_floor(row), _ceiling(row)) for row in rows]
    # whatever dominates a move, the surest does too: of equally sure ones the most promising
    surest = max(bounds)
    return [i for i, pair in enumerate(bounds) if pair == surest or pair[1] > surest[0]]


def _floor(row: MoveRow) -> float:
    return -math.inf if row.low is None else row.low


def _ceiling(row: MoveRow) -> float:
    return math.inf if row.high is None else row.high


def _highest(rows: Rows, merit: Callable[[MoveRow], Any], seed: int) -> int:
    """The visited row with the highest merit; of equals, and of unvisited ones, any: which one
    follows from the seed."""
    merits = {i: merit(row) for i, row in enumerate(rows) if row.value is not None}
    best = max(merits.values(), default=None)
    equals = [i for i in merits if merits[i] == best] or range(len(rows))
    return equals[0] if len(equals) == 1 else random.Random(f"tie {seed}").choice(equals)


def _margin(row: MoveRow, width: float) -> float:
    """The value less its uncertainty; what is proven has none."""
    return (row.value or 0.0) - (0.0 if row.proven is not None else width)


@registered
@constants(REASON="it is the most visited move")
class MostVisits(NamedTuple):
    """The move visited most ("robust child"); the higher value breaks ties.

    65 wins of 100 are better evidence than 2 wins of 3.
    """

    def best(self, rows: Rows, seed: int = 0) -> int:
        return _highest(rows, lambda row: (row.visits, row.value), seed)


@registered
@constants(REASON="it has the highest value")
class HighestValue(NamedTuple):
    """The move with the highest value ("max child"); more visits break ties."""

    def best(self, rows: Rows, seed: int = 0) -> int:
        return _highest(rows, lambda row: (row.value, row.visits), seed)


@registered
@constants(REASON="it is the most visited move, and the two did not become one in time")
class MaxRobust(NamedTuple):
    """The move with the most visits *and* the highest value ("robust-max child", Coulom 2006).

    While they are two moves the search goes on, for at most `extra` of its limit more; then the
    most visited one is taken.
    """

    extra: float = 0.5

    def problem(self) -> str | None:
        if 0.0 <= self.extra < math.inf:
            return None
        return f"extra of max_robust is a share of the limit, 0 or more, not {self.extra:g}"

    def agreed(self, rows: Rows) -> bool:
        return decide(MostVisits(), rows) == decide(HighestValue(), rows)

    def best(self, rows: Rows, seed: int = 0) -> int:
        return MostVisits().best(rows, seed)


@registered
@constants(REASON="it has the highest lower bound, value - a h / sqrt(visits)")
class Secure(NamedTuple):
    """The highest lower bound v - a * h / sqrt(n) ("secure child", Chaslot et al. 2008; Mango's
    a = 4), where h is half the range of the game's utilities.

    Chaslot's thesis (2010) prints a plus sign; a lower bound has a minus.
    """

    a: float = 4.0

    def problem(self) -> str | None:
        return None if 0.0 <= self.a < math.inf else f"a of secure is 0 or more, not {self.a:g}"

    def fitted(self, position: Position) -> Secure:
        lowest, highest = position.rules.utilities
        return self._replace(a=self.a * 0.5 * (highest - lowest))

    def best(self, rows: Rows, seed: int = 0) -> int:
        def merit(row: MoveRow) -> tuple[float, int]:
            return _margin(row, self.a / math.sqrt(max(row.visits, 1))), row.visits

        return _highest(rows, merit, seed)


LEAST_SHARE = 0.1
"""What a move needs of the visits of the most visited one, for its lower bound to count."""


@registered
@constants(REASON="it has the highest lower bound, value - z spread / sqrt(visits)")
class LowerBound(NamedTuple):
    """The highest v - z * s / sqrt(n), s the standard deviation of the results seen, among moves
    with at least a tenth of the visits of the most visited one (the lower confidence bound of
    Leela Zero and KataGo, in its simple form; it is in their code, not in a paper). What is proven
    counts however few its visits."""

    z: float = 5.0

    def problem(self) -> str | None:
        return (
            None if 0.0 <= self.z < math.inf else f"z of lower_bound is 0 or more, not {self.z:g}"
        )

    def best(self, rows: Rows, seed: int = 0) -> int:
        least = LEAST_SHARE * max((row.visits for row in rows), default=0)

        def merit(row: MoveRow) -> tuple[bool, float, int]:
            counts = row.visits >= least or row.proven is not None
            width = self.z * (row.spread or 0.0) / math.sqrt(max(row.visits, 1))
            return counts, _margin(row, width), row.visits

        return _highest(rows, merit, seed)


@registered
@constants(REASON="of the most visited moves it has the highest ln(prior) + sigma(value)")
class Improved(NamedTuple):
    """Of the moves visited most, the one with the highest ln P + sigma(v), as `gumbel` compares
    them (Danihelka et al. 2022; without noise, as they play perfect-information games):

        sigma(v) = (c_visit + max visits) * c_scale * v / h     h = half the range of utilities
    """

    c_visit: float = 50.0
    c_scale: float = 1.0

    def problem(self) -> str | None:
        if 0.0 <= self.c_visit < math.inf and 0.0 <= self.c_scale < math.inf:
            return None
        return "c_visit and c_scale of improved are 0 or more"

    def fitted(self, position: Position) -> Improved:
        lowest, highest = position.rules.utilities
        return self._replace(c_scale=self.c_scale / (0.5 * (highest - lowest)))

    def best(self, rows: Rows, seed: int = 0) -> int:
        most = max((row.visits for row in rows), default=0)

        def merit(row: MoveRow) -> tuple[bool, float]:
            prior = math.log(max(row.prior or 0.0, 1e-30))
            value = (self.c_visit + most) * self.c_scale * (row.value or 0.0)
            return row.visits == most, prior + value

        return _highest(rows, merit, seed)


@registered
@constants(REASON="it was drawn, with the probabilities that the visits give")
class Sampled(NamedTuple):
    """A move drawn with probability n_i^(1/T) / sum_j n_j^(1/T) (Silver et al. 2017).

    So AlphaGo Zero and AlphaZero choose the opening moves of their self-play games. T is the
    `temperature`: 1 draws by visits, towards 0 it is the most visited move. The draw follows from
    the search's seed.
    """

    temperature: float = 1.0

    def problem(self) -> str | None:
        if 0.0 < self.temperature < math.inf:
            return None
        return f"temperature of sampled is above 0, not {self.temperature:g}"

    def chances(self, rows: Rows) -> list[float]:
        """The probability of each move."""
        most = max(row.visits for row in rows)
        if most == 0:
            return [1.0 / len(rows)] * len(rows)
        # divided by the highest first: 10,000^100 is no number
        weights = [(row.visits / most) ** (1.0 / self.temperature) for row in rows]
        return [weight / sum(weights) for weight in weights]

    def best(self, rows: Rows, seed: int = 0) -> int:
        draw = random.Random(f"decide {seed}")  # not the numbers that the search began with
        return draw.choices(range(len(rows)), self.chances(rows))[0]
