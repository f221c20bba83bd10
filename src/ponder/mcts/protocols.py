"""What a part must say to fit in its place: a `Protocol` for each kind, for type checkers.

    def mine(rule: SelectRule) -> MCTS:
        return MCTS(select=rule)

A part is any NamedTuple with the one method its kind asks for; it inherits from none of these
classes. All other methods have defaults (`ponder.mcts.parts` is the whole contract). Arguments
are positional: kernels name none, so a rule may call them as it likes. They are `Any` where
kernels pass them, since Numba infers the types of compiled code from its values.

At run time the same question is `ponder.core.registry.NEEDED`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict, cast

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ponder.core.game import Spec
    from ponder.core.position import Position
    from ponder.core.protocols import Action
    from ponder.core.result import MoveRow
    from ponder.mcts.engine import MCTS


class ScoringRule(Protocol):
    """A select rule with a formula: the child with the highest sum of terms is chosen."""

    def terms(
        self, shared: Any, tree: Any, child: Any, visits: Any, inverse: Any, root: Any, mean: Any, /
    ) -> Any: ...


class ChoosingRule(Protocol):
    """A select rule that names the child itself."""

    def choose(
        self, game: Any, parts: Any, tree: Any, work: Any, depth: Any, rng: Any, /
    ) -> Any: ...


SelectRule: TypeAlias = ScoringRule | ChoosingRule
"""Which child does a simulation go on to?"""


class ExpandRule(Protocol):
    """When does a leaf get its children?"""

    def wants(self, tree: Any, node: Any, visits: Any, /) -> Any: ...


class EvaluateRule(Protocol):
    """What is a leaf worth?"""

    def estimate(self, game: Any, s: Any, work: Any, rng: Any, longest: Any, /) -> Any: ...


class BackupRule(Protocol):
    """What is a node worth, given what lies below it?"""

    def update(self, tree: Any, work: Any, depth: Any, /) -> Any: ...


class DecideRule(Protocol):
    """Which move is played in the end? Plain Python, called once for each search."""

    def best(self, rows: Sequence[MoveRow], seed: int, /) -> int: ...


class PriorsRule(Protocol):
    """How likely is each child the best one, before any visit?"""

    def fill(self, game: Any, s: Any, tree: Any, first: Any, count: Any, work: Any, /) -> Any: ...


class FPURule(Protocol):
    """First-play urgency: what is a child worth that was never visited?"""

    def value(self, tree: Any, mean: Any, mass: Any, /) -> Any: ...


Rule: TypeAlias = (
    SelectRule | ExpandRule | EvaluateRule | BackupRule | DecideRule | PriorsRule | FPURule
)
"""A rule of any kind."""


class LeafFunction(Protocol):
    """A plain function in place of an evaluate rule: see `ponder.mcts.evaluate.function`.

    It gets the positions of some leaves and gives a row of utilities for each, or a pair of those
    and the probabilities of moves: rows of numbers, or a dict from actions to numbers each.
    """

    def __call__(
        self, positions: list[Position], /
    ) -> ArrayLike | tuple[ArrayLike, ArrayLike | Sequence[Mapping[Action, float]]]: ...


class PartsByName(TypedDict, total=False):
    """The parts of `MCTS` as keywords."""

    select: SelectRule
    expand: ExpandRule
    evaluate: EvaluateRule | LeafFunction
    backup: BackupRule
    decide: DecideRule


class MCTSFields(PartsByName, total=False):
    """All fields of `MCTS` as keywords, which ready-made searches take."""

    simulations: int | None
    seconds: float | None
    memory: float | None
    threads: int
    parallel: str
    transpositions: bool
    recycle: bool
    reuse: bool


class WholePart(Protocol):
    """What every part has once `ponder.mcts.parts.completed` has given it its defaults."""

    def memory(self, spec: Spec, simulations: int | None) -> Any: ...
    def fitted(self, position: Position) -> Any: ...
    def refusal(self, position: Position, engine: MCTS) -> str | None: ...


def whole(part: object) -> WholePart:
    """The part inside another one: a part is completed before any of its methods is called, and
    those inside it with it."""
    return cast(WholePart, part)
