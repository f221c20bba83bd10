"""Why this child: every term of the select rule at a node, from the same code that selects.

The methods of a rule are plain Python that also compiles; here they run as plain Python, on the
arrays of the search itself. A rule that scores children has `terms`, one that draws them by
probabilities has `weights`, any other has `explain` (`ponder.mcts.children`). A rule may have
``numbers(self, game, parts, tree, work, node, child)``, what its formula is made of, by name.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.registry import part_text
from ponder.errors import InputError, kind_of
from ponder.mcts.carry import squares_below
from ponder.mcts.children import Account
from ponder.mcts.defaults import SelectDefaults
from ponder.mcts.parts import fields_of
from ponder.mcts.run import new_work
from ponder.mcts.tree import ROOT
from ponder.mcts.view import SearchTree, TreeNode

UNTRIED, PROVEN, CUT = "untried", "proven", "cut"


class Reason(NamedTuple):
    """One child, as the select rule sees it."""

    name: str
    visits: int
    value: float | None
    """For the player who chooses; None before the first visit."""
    numbers: dict[str, float]
    """What the terms are made of, by name: N (visits of the node, or what else the formula calls
    so; of the root one more than its simulations, for being made), P (the prior), mean (before the
    first visit, what the rule takes instead, if anything), spread, floor; only those that the
    search has."""
    terms: dict[str, float]
    """The terms of the rule by name; of a rule that draws, its probability."""
    score: float | None
    """Their sum, or what else the rule compares; None where it compares nothing: see `remark`."""
    closed: bool
    """Left out: proven and no better than another child, or cut by the rule."""
    remark: str = ""
    """untried: such children come first; proven, cut: left out; or what the score is."""

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


def why(tree: SearchTree, node: TreeNode | None = None) -> list[Reason]:
    """What the select rule makes of each child of `node` (the root), the likeliest choice first."""
    if not isinstance(tree, SearchTree):
        raise InputError(f"why takes a search tree, such as result.tree, not {kind_of(tree)}")
    node = tree.root if node is None else node
    if not node.is_expanded or node.is_chance:
        raise InputError("there is nothing to select here: the node has no children of a player")
    position = tree.position.for_kernels()
    parts, game = tree.parts, position.rules.part
    # the root counts a visit for being made; rules that plan ask for the number of simulations
    simulations = max(1, int(tree._store.nodes[ROOT].visits) - 1)
    work = new_work(parts, position.rules.spec, position, simulations)
    if tree.memory is not None:
        work = work._replace(memory=tree.memory)
    depth = node.depth
    above: TreeNode | None = node
    while above is not None:
        work.path[above.depth] = above.index
        above = above.parent
    work.states[1] = node.position.state_for(position.rules)[0]
    arrays = tree._store.tree
    return sorted(_reasons(game, parts, arrays, work, depth, node), key=_order)


def _order(reason: Reason) -> tuple[bool, bool, float]:
    """The likeliest first: untried children before all others, those left out behind them."""
    if reason.score is not None:
        return reason.closed, False, -reason.score
    return reason.closed, reason.remark != UNTRIED, -math.inf


def _reasons(game: Any, parts: Any, tree: Any, work: Any, depth: int, node: Any) -> list[Reason]:
    select, nodes = parts.select, tree.nodes
    if hasattr(select, "deciding"):
        select = select.deciding(parts, tree, work, depth)
    n = int(nodes[node.index].visits)
    drawn, shared = hasattr(select, "weights"), None
    if drawn:
        select.weights(game, parts, tree, work, depth)
    elif hasattr(select, "terms"):
        shared = select.shared(game, parts, tree, work, depth, n, math.log(n))
    elif not hasattr(select, "explain"):
        raise InputError(f"{part_text(select)} gives no reasons: it has no terms, nor explain")
    kept, squares = fields_of(parts), squares_below(node.tree._store, node.index)
    # the results of root moves are always known one by one
    exact = "squares" in kept or node.index == ROOT
    made = []
    for i, child in enumerate(node.children):
        index, visits = child.index, int(nodes[child.index].visits)
        inverse = tree.numbers[visits].inverse if visits < len(tree.numbers) else 1.0 / visits
        root = tree.numbers[visits].root if visits < len(tree.numbers) else math.sqrt(inverse)
        mean = float(parts.backup.worth(tree, index, inverse)) if visits else 0.0
        if drawn:
            chance = float(work.scores[i])
            found = Account({"probability": chance}, chance)
        elif not visits and _tries_all_first(select):
            found = Account({}, None, UNTRIED)
        elif hasattr(select, "terms"):
            values = select.terms(shared, tree, index, visits, inverse, root, mean)
            names = getattr(select, "TERMS", tuple(f"term {k + 1}" for k in range(len(values))))
            terms = {name: float(v) for name, v in zip(names, values, strict=True)}
            found = Account(terms, sum(terms.values()))
        else:
            found = select.explain(parts, tree, work, node.index, index)
        proven = bool(parts.backup.closed(tree, node.index, index))
        remark = PROVEN if proven else found.remark
        closed = proven or remark == CUT
        value = mean if visits else None
        numbers = {"N": float(n)}
        if "prior" in kept:
            numbers["P"] = float(nodes[index].prior)
        if visits:
            variance = float(squares[i]) / visits - (float(nodes[index].value) / visits) ** 2
            numbers["mean"] = mean
            if exact:
                numbers["spread"] = math.sqrt(max(0.0, variance))
        if hasattr(select, "numbers"):
            numbers |= select.numbers(game, parts, tree, work, node.index, index)
        made.append(
            Reason(child.name, visits, value, numbers, found.terms, found.score, closed, remark)
        )
    return made


def _tries_all_first(select: Any) -> bool:
    """Does the rule visit every child once before it compares them?

    The default `choose` does, and so do the rules that explain themselves.
    """
    by_default = type(select).choose is SelectDefaults.choose
    return by_default or hasattr(select, "explain")
