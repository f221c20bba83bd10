"""The survey's BACKUPNEGAMAX: one number, whose sign changes at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.jit import inlined, take_methods
from ponder.mcts.backup.mean import Mean
from ponder.mcts.defaults import of_the_game
from ponder.mcts.tree import ROOT

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


@registered
class Negamax(NamedTuple):
    """BACKUPNEGAMAX of Browne et al. 2012: the reward changes its sign at every step up the tree.

        N(v) <- N(v) + 1;  Q(v) <- Q(v) + d;  d <- -d;  v <- parent of v

    It never asks whose turn it is: where two players alternate strictly it is `mean`, number for
    number, and where one moves twice in a row the values of the moves above are turned the wrong
    way round; a throw of dice counts as a turn, too. For two players with opposite interests.
    Where utilities add up to another constant than 0, -d is that constant less d.
    """

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if position.players != 2 or not position.rules.zero_sum:
            return "negamax() is for two players with opposite interests: use backup=mean()"
        if engine.transpositions:
            return "negamax() adds up, which shared children do not allow: leave out transpositions"
        return None

    @inlined
    def update(self, tree, work, depth):
        # the leaf belongs to whoever chose the edge into it, as the survey's does
        reward = work.utilities[max(tree.nodes[work.path[depth]].player, 0)]
        for d in range(depth, -1, -1):
            node = work.path[d]
            tree.mode.add(tree, node, reward)
            # one step up it is the other player's, whoever that really is; only the root, which no
            # edge leads to, is counted for the player to move there, as its children are
            if d != ROOT + 1:
                reward = tree.lowest + tree.highest - reward


take_methods(Negamax, Mean)
