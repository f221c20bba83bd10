"""The weakest engine: any legal move. The zero point of every rating."""

from __future__ import annotations

import random
import secrets
import time
from typing import Any, NamedTuple, Unpack

from ponder.core.at_once import AtOnceSession, answering_session
from ponder.core.engine import (
    ANY_LIMIT,
    SearchOptions,
    SessionOptions,
    Traits,
    run_search,
    start_session,
)
from ponder.core.limits import UNLIMITED, Limit
from ponder.core.making import registered
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.core.session import Session


@registered
class RandomPlayer(NamedTuple):
    """Chooses uniformly among the legal moves."""

    @property
    def traits(self) -> Traits:
        return Traits(ANY_LIMIT, answers_small=True)

    @property
    def limit(self) -> Limit:
        return UNLIMITED

    def resolve(self, position: Position, /) -> RandomPlayer:
        return self

    def new_game(self) -> RandomPlayer:
        return self

    def new_session(self, position: Position, options: SessionOptions, /) -> AtOnceSession:
        return answering_session(self, position, options)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> Session[Any]:
        """A session: its first `run` chooses."""
        return start_session(self, position, SessionOptions(seed, plan))

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[SearchOptions]
    ) -> SearchResult:
        """A random move; every limit is kept."""
        return run_search(self, position, limit, options)

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult:
        check_searchable(position)
        seed = options.get("seed")
        began = time.perf_counter()
        seed = secrets.randbits(32) if seed is None else seed
        action = random.Random(seed).choice(position.legal_actions)
        rows = [MoveRow(a, 0, None, position=position) for a in position.legal_actions]
        rows.sort(key=lambda row: row.action != action)
        return SearchResult(
            position=position,
            engine=part_text(self),
            action=action,
            value=None,
            values=(),
            line=(action,),
            moves=tuple(rows),
            seconds=time.perf_counter() - began,
            stopped_by="nodes",
            seed=seed,
            depth=0,
            nodes=1,
        )
