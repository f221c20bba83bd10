"""Evaluate rules inside others: each finds its own memory where it looks for it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.jit import inlined, kernel
from ponder.mcts.parts import Memory, for_thread
from ponder.mcts.tree import Work


class Nested(NamedTuple):
    """The memory of a rule that holds another one."""

    own: Any  # scratch space
    inner: Any  # of the rule inside

    def for_thread(self) -> Nested:
        own = self.own.copy() if isinstance(self.own, np.ndarray) else for_thread(self.own)
        return Nested(own, for_thread(self.inner))


@kernel
@inlined
def within(work):
    """The scratch space as the rule inside sees it: its memory in the place of the outer one's."""
    memory = work.memory
    return Work(
        work.states,
        work.actions,
        work.chances,
        work.utilities,
        work.path,
        work.totals,
        work.squares,
        work.scores,
        work.trace,
        Memory(memory.select, memory.expand, memory.evaluate.inner, memory.backup, memory.keep),
    )
