"""What a select rule says of a child: see `ponder.mcts.why`."""

from __future__ import annotations

from typing import NamedTuple


class Explanation(NamedTuple):
    """What the plain method ``explain(self, parts, tree, work, node, child)`` of a rule returns.

    For rules that do not choose by the sum of their `terms`. The child has been visited.
    """

    terms: dict[str, float]
    score: float | None
    """The higher, the likelier the child is chosen; None: it cannot be."""
    remark: str = ""
