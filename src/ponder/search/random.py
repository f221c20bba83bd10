"""The weakest engine: any legal move. The zero point of every rating."""

from __future__ import annotations

import random
import secrets
import time
from typing import Any, NamedTuple

from ponder.core.at_once import AtOnceSession, start_at_once
from ponder.core.making import registered
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult


@registered
class RandomPlayer(NamedTuple):
    """Chooses uniformly among the legal moves."""

    def start(self, position: Position, *, seed: int | None = None) -> AtOnceSession:
        """A session: its first `run` chooses."""
        return start_at_once(self, position, seed)

    def search(
        self, position: Position, limit: Any = None, *, seed: int | None = None, **options: Any
    ) -> SearchResult:
        """A random move; every limit is kept."""
        check_searchable(position)
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
