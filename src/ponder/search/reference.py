"""The searches of the textbook as plain recursion: the text to learn from, and the oracle.

Nothing here is compiled, remembered or clever. Each function follows the steps of its source
and works on a `Position` of any game; the fast searches are tested against these.

    s.is_terminal            Terminal-Test(s)          s.returns          Utility(s, p) for each p
    s.current_player         Player(s)                 s.legal_actions    Actions(s)
    result_of(s, a)          Result(s, a)              s.chance_outcomes  outcomes with Pr(a)

Rules that hold everywhere in this file:

- **MAX is the player whose value is asked for**: the player to move at the root unless
  `player` says otherwise (player 0 where chance moves or the game is over). Whose turn it is
  comes from the game at every node, so passes and double moves need nothing special.
- **Ties** go to the first best action in the order of the game (or of `order`).
- **Depth** counts actions of every kind, chance included; where it is used up, the game's hook
  `evaluate` estimates the utilities. Without it the search goes to the end of the game.
- **nodes** counts every visited position, the root and the leaves included.

Sources: minimax, alpha-beta, expectimax, expectiminimax and max^n are those of the adversarial
search lecture (after Russell & Norvig, "Artificial Intelligence: A Modern Approach"); max^n is
Luckhardt & Irani 1986; UCT is Kocsis & Szepesvari 2006 in the steps of Browne et al. 2012.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ponder.core.game import hooks_of
from ponder.core.hooks import hook_of
from ponder.core.position import Position
from ponder.errors import InputError

INFINITY = math.inf

Order = Callable[[Position], Iterable[Any]]
"""Gives the legal actions of a position in the order in which they are tried."""


class Reckoned(NamedTuple):
    """What a search of one value found."""

    value: float
    """The utility of MAX."""
    action: Any
    """The best action; None where nobody decides (the end, chance, depth 0)."""
    line: tuple[Any, ...]
    """Best play by all from here: up to the end, the depth limit, or the first chance node."""
    nodes: int


class FoundAll(NamedTuple):
    """What a search of one value per player found."""

    values: tuple[float, ...]
    action: Any
    line: tuple[Any, ...]
    nodes: int


def result_of(s: Position, action: Any) -> Position:
    """Result(s, a): the position after a legal action."""
    return s._after(action)


# ------------------------------------------------------------------ minimax


def minimax(s: Position, depth: int | None = None, *, player: int | None = None) -> Reckoned:
    """The best achievable utility against a best adversary, by visiting the whole tree.

        V(s) = Utility(s, MAX)                      if Terminal-Test(s)
               max over a of V(Result(s, a))        if Player(s) = MAX
               min over a of V(Result(s, a))        otherwise

    For two players whose utilities add up to a constant. Refuses chance.
    """
    return _Minimax(s, player).value(s, depth)


class _Minimax:
    def __init__(self, root: Position, player: int | None) -> None:
        _check_two_players(root)
        self.max = _max_player(root, player)

    def value(self, s: Position, depth: int | None) -> Reckoned:
        if s.is_terminal:
            return Reckoned(s.returns[self.max], None, (), 1)
        if depth == 0:
            return Reckoned(_estimate(s)[self.max], None, (), 1)
        if s.is_chance:
            raise InputError("minimax and alpha-beta cannot handle chance: use expectiminimax")
        if s.current_player == self.max:
            return self.max_value(s, _less(depth))
        return self.min_value(s, _less(depth))

    def max_value(self, s: Position, depth: int | None) -> Reckoned:
        best, nodes = Reckoned(-INFINITY, None, (), 0), 1
        for a in s.legal_actions:
            below = self.value(result_of(s, a), depth)
            nodes += below.nodes
            if below.value > best.value:
                best = Reckoned(below.value, a, (a, *below.line), 0)
        return best._replace(nodes=nodes)

    def min_value(self, s: Position, depth: int | None) -> Reckoned:
        best, nodes = Reckoned(+INFINITY, None, (), 0), 1
        for a in s.legal_actions:
            below = self.value(result_of(s, a), depth)
            nodes += below.nodes
            if below.value < best.value:
                best = Reckoned(below.value, a, (a, *below.line), 0)
        return best._replace(nodes=nodes)


# ------------------------------------------------------------------ alpha-beta


def alpha_beta(
    s: Position,
    depth: int | None = None,
    *,
    player: int | None = None,
    window: tuple[float, float] = (-INFINITY, INFINITY),
    order: Order | None = None,
) -> Reckoned:
    """Minimax that leaves out what cannot change the decision at the root.

        alpha   the best that MAX is sure of on the way from the root
        beta    the best that MIN is sure of on the way from the root
        a MAX node returns at once when v >= beta, a MIN node when v <= alpha

    The value is exact if it lies inside `window` = (alpha, beta); a value <= alpha is an upper
    bound of the true one, a value >= beta a lower bound (fail-soft, as in the lecture). Value,
    action and line are those of `minimax` with the same order of actions.
    """
    alpha, beta = window
    if not alpha < beta:
        raise InputError(f"the window needs alpha < beta, not ({alpha:g}, {beta:g})")
    return _AlphaBeta(s, player, order).value(s, depth, alpha, beta)


class _AlphaBeta:
    def __init__(self, root: Position, player: int | None, order: Order | None) -> None:
        _check_two_players(root)
        self.max = _max_player(root, player)
        self.order: Order = order or (lambda s: s.legal_actions)

    def value(self, s: Position, depth: int | None, alpha: float, beta: float) -> Reckoned:
        if s.is_terminal:
            return Reckoned(s.returns[self.max], None, (), 1)
        if depth == 0:
            return Reckoned(_estimate(s)[self.max], None, (), 1)
        if s.is_chance:
            raise InputError("minimax and alpha-beta cannot handle chance: use expectiminimax")
        if s.current_player == self.max:
            return self.max_value(s, _less(depth), alpha, beta)
        return self.min_value(s, _less(depth), alpha, beta)

    def max_value(self, s: Position, depth: int | None, alpha: float, beta: float) -> Reckoned:
        best, nodes = Reckoned(-INFINITY, None, (), 0), 1
        for a in self.order(s):
            below = self.value(result_of(s, a), depth, alpha, beta)
            nodes += below.nodes
            if below.value > best.value:
                best = Reckoned(below.value, a, (a, *below.line), 0)
            if best.value >= beta:
                break  # MIN has something better above and will not let it come to this
            alpha = max(alpha, best.value)
        return best._replace(nodes=nodes)

    def min_value(self, s: Position, depth: int | None, alpha: float, beta: float) -> Reckoned:
        best, nodes = Reckoned(+INFINITY, None, (), 0), 1
        for a in self.order(s):
            below = self.value(result_of(s, a), depth, alpha, beta)
            nodes += below.nodes
            if below.value < best.value:
                best = Reckoned(below.value, a, (a, *below.line), 0)
            if best.value <= alpha:
                break  # MAX has something better above
            beta = min(beta, best.value)
        return best._replace(nodes=nodes)


# ------------------------------------------------------------------ chance


def expectimax(s: Position, depth: int | None = None) -> Reckoned:
    """One player against chance.

        V(s) = Utility(s)                              if Terminal-Test(s)
               max over a of V(Result(s, a))           if Player(s) = MAX
               sum over a of Pr(a) V(Result(s, a))     if Player(s) = CHANCE

    Only the average counts, so utilities matter up to a positive affine change, no further.
    """
    if s.players != 1:
        raise InputError(
            f"expectimax is for 1 player and chance, not {s.players}: use expectiminimax"
        )
    return expectiminimax(s, depth)


def expectiminimax(s: Position, depth: int | None = None, *, player: int | None = None) -> Reckoned:
    """Two players and chance: expectimax with MIN nodes.

        V(s) = Utility(s, MAX)                         if Terminal-Test(s)
               max over a of V(Result(s, a))           if Player(s) = MAX
               min over a of V(Result(s, a))           if Player(s) = MIN
               sum over a of Pr(a) V(Result(s, a))     if Player(s) = CHANCE

    For one player, or two whose utilities add up to a constant.
    """
    if s.players > 2:
        raise InputError(f"expectiminimax is for 1 or 2 players, not {s.players}: use max_n")
    return _expectiminimax(s, depth, _max_player(s, player))


def _expectiminimax(s: Position, depth: int | None, maximiser: int) -> Reckoned:
    if s.is_terminal:
        return Reckoned(s.returns[maximiser], None, (), 1)
    if depth == 0:
        return Reckoned(_estimate(s)[maximiser], None, (), 1)
    depth = _less(depth)
    if s.is_chance:
        value, nodes = 0.0, 1
        for outcome, probability in s.chance_outcomes:
            below = _expectiminimax(result_of(s, outcome), depth, maximiser)
            value += probability * below.value
            nodes += below.nodes
        return Reckoned(value, None, (), nodes)
    sign = 1 if s.current_player == maximiser else -1  # min x = -max(-x)
    best, nodes = Reckoned(-sign * INFINITY, None, (), 0), 1
    for a in s.legal_actions:
        below = _expectiminimax(result_of(s, a), depth, maximiser)
        nodes += below.nodes
        if sign * below.value > sign * best.value:
            best = Reckoned(below.value, a, (a, *below.line), 0)
    return best._replace(nodes=nodes)


# ------------------------------------------------------------------ max^n


def max_n(s: Position, depth: int | None = None) -> FoundAll:
    """Any number of players, any utilities: each maximises its own component.

        V(s) = (Utility(s, p) for each player p)       if Terminal-Test(s)
               V(Result(s, a*)), where a* maximises    otherwise; the vector is kept whole
                  V(Result(s, a))[Player(s)]
               sum over a of Pr(a) V(Result(s, a))     if Player(s) = CHANCE, by component

    Ties matter here: an action that is as good for the mover may be better for somebody else.
    The first best action is taken.
    """
    if s.is_terminal:
        return FoundAll(s.returns, None, (), 1)
    if depth == 0:
        return FoundAll(_estimate(s), None, (), 1)
    depth = _less(depth)
    if s.is_chance:
        totals, nodes = [0.0] * s.players, 1
        for outcome, probability in s.chance_outcomes:
            below = max_n(result_of(s, outcome), depth)
            totals = [t + probability * v for t, v in zip(totals, below.values, strict=True)]
            nodes += below.nodes
        return FoundAll(tuple(totals), None, (), nodes)
    mover = s.current_player
    best, nodes = FoundAll((-INFINITY,) * s.players, None, (), 0), 1
    for a in s.legal_actions:
        below = max_n(result_of(s, a), depth)
        nodes += below.nodes
        if below.values[mover] > best.values[mover]:
            best = FoundAll(below.values, a, (a, *below.line), 0)
    return best._replace(nodes=nodes)


# ------------------------------------------------------------------ UCT


class MoveStatistics(NamedTuple):
    """A root move of a finished `uct`."""

    action: Any
    visits: int
    value: float
    """Mean utility of the player to move at the root."""


class SampledTree(NamedTuple):
    """What `uct` found."""

    action: Any
    values: tuple[float, ...]
    """Mean of all simulations, one utility per player."""
    moves: tuple[MoveStatistics, ...]
    """In the order in which they were tried."""
    nodes: int
    """Of the tree."""


class Node:
    """v: a node of the tree that UCT grows."""

    def __init__(self, s: Position, action: Any, parent: Node | None) -> None:
        self.s = s  # s(v)
        self.action = action  # a(v), the action that led here
        self.parent = parent
        self.children: list[Node] = []
        self.untried = [] if s.is_chance else list(s.legal_actions)
        self.N = 0  # visits
        self.Q = 0.0  # sum of the rewards of `player`
        self.player = self._player()

    def _player(self) -> int:
        """The player whose statistics these are: who chose the edge to this node.

        Below chance nobody chose it: then the last player who did. At the root: who moves there.
        """
        if self.parent is None:
            return max(self.s.current_player, 0)
        mover = self.parent.s.current_player
        return mover if mover >= 0 else self.parent.player


def uct(
    s: Position, simulations: int, *, c: float = 1 / math.sqrt(2), seed: int | None = None
) -> SampledTree:
    """Upper confidence bounds for trees, for any number of players, with or without chance.

        repeat:  v <- tree_policy(root);  reward <- default_policy(s(v));  backup(v, reward)
        best_child(v, c) = argmax over children v' of  Q(v')/N(v') + c sqrt(2 ln N(v) / N(v'))

    c is the source's Cp: 1/sqrt(2) for rewards in [0, 1], twice that for [-1, 1]; the factor of
    sqrt(ln N / n) is c * sqrt(2). The move returned is best_child(root, 0): the best mean.

    In one thing this is not the source's letter: its "backup negamax" changes the sign of the
    reward at every ply, which is right only where two players alternate strictly. Here Q(v) adds
    up the reward of the player who chose the edge to v, whoever that was.
    """
    if s.is_terminal or s.is_chance:
        raise InputError("uct needs a position in which a player is to move")
    if simulations < 1:
        raise InputError(f"simulations must be at least 1, not {simulations}")
    rng = random.Random(seed)
    root = Node(s, None, None)
    totals, nodes = [0.0] * s.players, 1
    for _ in range(simulations):
        v = tree_policy(root, c, rng)
        nodes += v.N == 0
        reward = default_policy(v.s, rng)
        backup(v, reward)
        totals = [t + r for t, r in zip(totals, reward, strict=True)]
    return SampledTree(
        action=best_child(root, 0.0).action,
        values=tuple(t / simulations for t in totals),
        moves=tuple(MoveStatistics(v.action, v.N, v.Q / v.N) for v in root.children),
        nodes=nodes,
    )


def tree_policy(v: Node, c: float, rng: random.Random) -> Node:
    """Selection and expansion: down the tree to a new node, or to the end of the game."""
    while not v.s.is_terminal:
        if v.s.is_chance:
            below = sampled_child(v, rng)
            if below.N == 0:
                return below
            v = below
        elif v.untried:
            return expand(v, rng)
        else:
            v = best_child(v, c)
    return v


def expand(v: Node, rng: random.Random) -> Node:
    """Add a child for one of the untried actions."""
    action = v.untried.pop(rng.randrange(len(v.untried)))
    return add_child(v, action)


def add_child(v: Node, action: Any) -> Node:
    child = Node(result_of(v.s, action), action, v)
    v.children.append(child)
    return child


def sampled_child(v: Node, rng: random.Random) -> Node:
    """Chance draws an outcome; its node is made when it is drawn for the first time."""
    outcome = sampled_outcome(v.s, rng)
    for child in v.children:
        if child.action == outcome:
            return child
    return add_child(v, outcome)


def best_child(v: Node, c: float) -> Node:
    """The child with the highest upper confidence bound; the first of equals."""
    return max(v.children, key=lambda w: w.Q / w.N + c * math.sqrt(2 * math.log(v.N) / w.N))


def default_policy(s: Position, rng: random.Random) -> tuple[float, ...]:
    """Simulation: uniformly random actions to the end; the reward of each player."""
    while not s.is_terminal:
        action = sampled_outcome(s, rng) if s.is_chance else rng.choice(s.legal_actions)
        s = result_of(s, action)
    return s.returns


def sampled_outcome(s: Position, rng: random.Random) -> Any:
    return rng.choices(s.facts.actions, s.facts.chances)[0]


def backup(v: Node | None, reward: tuple[float, ...]) -> None:
    """Backpropagation: every node on the way up counts the visit and its own player's reward."""
    while v is not None:
        v.N += 1
        v.Q += reward[v.player]
        v = v.parent


# ------------------------------------------------------------------ helpers


def _max_player(s: Position, player: int | None) -> int:
    """MAX: the given player, else the one to move, else player 0."""
    if player is None:
        return max(s.current_player, 0)
    if player not in range(s.players):
        raise InputError(f"player must be 0 to {s.players - 1}, not {player!r}")
    return player


def _check_two_players(s: Position) -> None:
    if s.players > 2:
        raise InputError(f"minimax and alpha-beta are for 2 players, not {s.players}: use max_n")


def _less(depth: int | None) -> int | None:
    return None if depth is None else depth - 1


def _estimate(s: Position) -> tuple[float, ...]:
    """Eval(s): the game's static estimate, one utility per player."""
    if not (
        "evaluate" in hooks_of(s.game)
        if s.rules.compiled
        else hook_of(s.game, "evaluate") is not None
    ):
        raise InputError(
            f"{s.rules.name} has no evaluate: search it to the end, without a depth limit"
        )
    return tuple(s.rules.evaluate(s.raw_state))
