"""Minimax, expectiminimax, max^n, paranoid and best-reply search: what they have alike."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, TypeVar, Unpack

from ponder.core.engine import (
    Options,
    SessionOptions,
    Traits,
    canonical_engine,
    run_search,
    start_session,
)
from ponder.core.history import History
from ponder.core.limits import UNLIMITED, Limit, limit_of_fields, limit_problem
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.search.foresight import refuse_blind
from ponder.search.method import SearchMethod
from ponder.search.searcher import DEEPEST_SEARCH, no_chance, searcher_for
from ponder.search.session import ClassicalSession


class ClassicalOptions(Options, total=False):
    """What the searches of this family take by keyword."""

    nodes: int | None
    depth: int | None


WITH_TABLE = Traits(frozenset({"seconds", "nodes", "depth", "memory"}))
WITHOUT_TABLE = Traits(frozenset({"seconds", "nodes", "depth"}))
C = TypeVar("C", bound="ClassicalEngine")


class ClassicalEngine:
    """An engine of the minimax family: a NamedTuple of its own fields comes before this class."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields of every engine of the family

        @property
        def depth(self) -> int | None: ...
        @property
        def nodes(self) -> int | None: ...
        @property
        def seconds(self) -> float | None: ...

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        return limit_problem(self)

    @property
    def traits(self) -> Traits:
        return WITHOUT_TABLE

    @property
    def limit(self) -> Limit:
        return limit_of_fields(self.seconds, None, self.nodes, self.depth)

    def resolve(self: C, position: Position, /) -> C:
        """Itself, every field of its type."""
        made: C = canonical_engine(self)
        return made

    def new_game(self: C) -> C:
        return self

    def method(self, position: Position) -> SearchMethod:
        """What kind of search it is; refuses games that it is not for. Abstract."""
        raise NotImplementedError

    def _for_kernels(self, position: Position, depth: int | None) -> Position:
        """The position as kernels take it; refuses what this search is not for."""
        method = self.method(position)
        if not method.chance and position.dice_ahead:
            raise no_chance(method, position)
        inner = position.for_kernels()
        refuse_blind(position, depth, min(inner.rules.spec.max_length, DEEPEST_SEARCH))
        return inner

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> ClassicalSession:
        """A search in progress.

        `plan` announces the depth: a search that shallow depths do not help goes straight there.
        """
        session = start_session(self, position, SessionOptions(seed, plan))
        assert isinstance(session, ClassicalSession)
        return session

    def new_session(self, position: Position, options: SessionOptions, /) -> ClassicalSession:
        method = self.method(position)
        whole = options.plan.over(self.limit)
        depth = whole.depth if whole.seconds is None and whole.nodes is None else None
        inner, memory = self._for_kernels(position, depth), whole.memory
        seed = secrets.randbits(32) if options.seed is None else options.seed
        history = History(position, self, seed, memory=memory, depth=depth)
        return ClassicalSession(
            history, lambda trace: searcher_for(self, method, inner, memory, trace)
        )

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[ClassicalOptions]
    ) -> SearchResult:
        """Search deeper and deeper until a limit is reached, the game's end, or stopped.

        A search limited by depth alone goes straight there, unless shallow searches help the deep
        one to prune. A stop returns what the last finished depth found.
        """
        return run_search(self, position, limit, options)


class TableEngine(ClassicalEngine):
    """One with a transposition table."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def memory(self) -> float | None: ...

    @property
    def traits(self) -> Traits:
        return WITH_TABLE

    @property
    def limit(self) -> Limit:
        return limit_of_fields(self.seconds, None, self.nodes, self.depth, self.memory)
