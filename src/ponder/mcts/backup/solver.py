"""Proven results: bounds on a node's value that meet when it is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.core.game import CHANCE, Spec
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.jit import constants, copy_record_from, inlined, kernel
from ponder.mcts.backup.mean import Mean
from ponder.mcts.defaults import of_the_game
from ponder.mcts.evaluate.decisive import NoWins, Trial, new_trial, tells_wins, wins_of
from ponder.mcts.protocols import BackupRule, whole
from ponder.mcts.tree import UNEXPANDED

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


class Proving(NamedTuple):
    """Kept for the whole search."""

    opposed: bool  # two players whose utilities add up to a constant?
    trial: Trial

    def for_thread(self) -> Proving:
        return self._replace(trial=self.trial.for_thread())


@kernel
def is_settled(tree, node):
    """Is the node's value known for every player?"""
    low, high = tree.nodes[node].low, tree.nodes[node].high
    for p in range(low.size):
        if low[p] != high[p]:
            return False
    return True


@kernel
def is_bounded(tree, node):
    """Is anything known of the node's value?"""
    low, high = tree.nodes[node].low, tree.nodes[node].high
    for p in range(low.size):
        if low[p] > tree.lowest or high[p] < tree.highest:
            return True
    return False


@kernel
def tighten(tree, node, p, low, high):
    """Take bounds of player p that are better than the known ones; did they change?"""
    changed = False
    if low > tree.nodes[node].low[p]:
        tree.nodes[node].low[p] = low
        changed = True
    if high < tree.nodes[node].high[p]:
        tree.nodes[node].high[p] = high
        changed = True
    return changed


@kernel
def prove(tree, node, opposed):
    """The bounds of a node from those of all its children; did they change?"""
    nodes = tree.nodes
    first = nodes[node].first
    end = first + nodes[node].count
    mover = nodes[first].player
    # children that an expand rule has not opened yet can be worth anything
    hidden = nodes[node].total > nodes[node].count
    changed = False
    floor = tree.lowest
    if mover >= 0:
        low = tree.lowest
        high = tree.highest if hidden else tree.lowest
        for child in range(first, end):
            low = max(low, nodes[child].low[mover])
            high = max(high, nodes[child].high[mover])
        changed = tighten(tree, node, mover, low, high)
        floor = nodes[node].low[mover]
    for p in range(nodes[node].low.size):
        if p == mover:
            continue
        low = tree.lowest if hidden else tree.highest
        if mover >= 0 and opposed:  # what is worst for the one is best for the other
            high = tree.highest
            for child in range(first, end):
                low = min(low, nodes[child].low[p])
                high = min(high, nodes[child].high[p])
        else:
            high = tree.highest if hidden else tree.lowest
            for child in range(first, end):
                if mover < 0 or nodes[child].high[mover] >= floor:
                    low = min(low, nodes[child].low[p])
                    high = max(high, nodes[child].high[p])
        changed = tighten(tree, node, p, low, high) or changed
    return changed


@kernel
def prove_win(wins, game, tree, leaf, work):
    """Can the player to move at this leaf, state states[1], win at once? Then that is its value.

    What the others get is the same with every such move where two players' utilities add up to a
    constant; else only the mover's bounds change.
    """
    mover = game.current_player(work.states[1])
    if mover == CHANCE:
        return
    proving = work.memory.backup
    win = wins.find(game, work.states, 1, proving.trial)
    if win < 0:
        return
    copy_record_from(proving.trial.states, 0, work.states, 1)
    after = proving.trial.states[0]
    game.apply_action(after, win)
    utilities = proving.trial.utilities
    game.returns(after, utilities)
    for p in range(utilities.size):
        if p == mover or proving.opposed:
            tighten(tree, leaf, p, utilities[p], utilities[p])


BOUNDS = ("high", "low", "total")


class ProvenBackup:
    """What `Solver` and `FittedSolver` say alike of bounds, beside the rule inside."""

    __slots__ = ()

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return Proving(spec.players == 2 and bool(spec.zero_sum), new_trial(spec))

    @inlined
    def update(self, tree, work, depth):
        self.backup.update(tree, work, depth)
        # only a leaf that something is known of can bring news, and only while there is news, go on
        if is_bounded(tree, work.path[depth]):
            d = depth - 1
            while d >= 0 and prove(tree, work.path[d], work.memory.backup.opposed):
                d -= 1

    @inlined
    def worth(self, tree, child, inverse):
        player = tree.nodes[child].player
        low = tree.nodes[child].low[player]
        if low == tree.nodes[child].high[player]:
            return low
        return self.backup.worth(tree, child, inverse)

    @inlined
    def shown(self, tree, node, owner):
        value = self.backup.shown(tree, node, owner)
        return min(max(value, tree.nodes[node].low[owner]), tree.nodes[node].high[owner])

    @inlined
    def arrive(self, game, s, tree, leaf, work):
        self.backup.arrive(game, s, tree, leaf, work)
        self.look(game, s, tree, leaf, work)

    @inlined
    def look(self, game, s, tree, leaf, work):
        """The bounds of a leaf where the game is over, or won at once."""
        if tree.nodes[leaf].first == UNEXPANDED and not is_settled(tree, leaf):
            if game.is_terminal(s):
                game.returns(s, work.utilities)
                for p in range(work.utilities.size):
                    tree.nodes[leaf].low[p] = work.utilities[p]
                    tree.nodes[leaf].high[p] = work.utilities[p]
            else:
                prove_win(self.wins, game, tree, leaf, work)

    @inlined
    def catch_up(self, game, s, tree, node, work):
        self.backup.catch_up(game, s, tree, node, work)
        self.look(game, s, tree, node, work)

    @inlined
    def renew(self, tree, work, node):
        self.backup.renew(tree, work, node)
        if tree.nodes[node].first >= 0:
            prove(tree, node, work.memory.backup.opposed)

    @inlined
    def settled(self, tree, node):
        return is_settled(tree, node)

    @inlined
    def recall(self, tree, node, out):
        for p in range(out.size):
            out[p] = tree.nodes[node].low[p]

    @inlined
    def closed(self, tree, node, child):
        nodes = tree.nodes
        if nodes[node].total > nodes[node].count:
            return False  # what promises more may not be open yet
        player = nodes[child].player
        low = nodes[node].low[player]
        if nodes[node].high[player] > low:  # somewhere there may be more
            return nodes[child].high[player] <= low
        return nodes[child].high[player] < low


class FittedSolverFields(NamedTuple):
    backup: Any
    wins: Any


@constants(NEEDS=BOUNDS)
class FittedSolver(FittedSolverFields, ProvenBackup):
    """`Solver` with the way in which this game's wins are found: what kernels get."""

    __slots__ = ()


class SolverFields(NamedTuple):
    backup: BackupRule = Mean()
    wins: str = "known"


@registered
@constants(NEEDS=BOUNDS)
class Solver(SolverFields, ProvenBackup):
    """MCTS-Solver with score bounds, for any number of players and any utilities.

    (Winands, Bjornsson & Saito 2008; Cazenave & Saffidine 2010.) Every node has for every player
    bounds low <= value <= high, at first the game's range. The end of a game has its utilities for
    both. At a node where m moves, over all its children, those never visited included:

        low[m]  = max_i low_i[m]        high[m] = max_i high_i[m]
        two players, constant sum:  low[o] = min_i low_i[o]    high[o] = min_i high_i[o]
        otherwise, over the children that m may yet choose (high_i[m] >= low[m]):
                                    low[p] = min_i low_i[p]    high[p] = max_i high_i[p]

    which holds however a player breaks ties. At a chance node: the lowest low and the highest
    high of the outcomes (probabilities are not used: it is solved only where all outcomes are
    worth the same). Where bounds meet for all players the node is settled: nobody goes below it,
    and a simulation that reaches it backs up its value. Children that cannot beat what the mover
    already has (high_i[m] <= low[m]) are left out of the selection. A settled root ends the
    search. All other values are those of the rule inside.

    A leaf where the player to move can win at once is known to be won before it has children, as
    in the paper: else the winning move would have to be tried first, one among many. `wins` says
    where such moves are looked for: "known", in games that tell them (`winning_action`); "tried",
    in all games, by trying every move where the game does not tell; "none".

    Bounds are 64-bit copies of utilities, only compared, never computed with: nothing is rounded.
    """

    __slots__ = ()

    def problem(self) -> str | None:
        if isinstance(self.backup, Solver):
            return "solver has no solver inside"
        if self.wins not in ("known", "tried", "none"):
            return f"wins of solver is 'known', 'tried' or 'none', not {self.wins!r}"
        return None

    @of_the_game
    def fitted(self, position: Position) -> BackupRule:
        looks = self.wins == "tried" or (self.wins == "known" and tells_wins(position))
        return FittedSolver(
            whole(self.backup).fitted(position), wins_of(position) if looks else NoWins()
        )

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return whole(self.backup).refusal(position, engine)
