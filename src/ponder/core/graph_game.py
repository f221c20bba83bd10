"""A plain Python game as kernels see it: the arrays of a graph that is built where it is asked for.

A state is one number, its *handle*. What the game's own methods have said of it once stands in
arrays and is read at machine speed; where something is unknown, a callback (`ponder.jit.callback`)
runs the game's Python code and writes it down: `ponder.core.plain_graph`. After an exception there
`broken` is set, and every state counts as finished, so that any kernel ends soon.
"""

from __future__ import annotations

import weakref
from collections import namedtuple
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import TERMINAL
from ponder.core.game import complete, record
from ponder.core.rng import below, uniform
from ponder.jit import call_python, kernel, methods_of

STATE = record(handle="i8")
NOWHERE = 0
"""The handle of no state: of an edge that nobody has followed yet, and after an exception."""

# Places in `calls`: who answers which question.
LOOK, LIST, FOLLOW, EVALUATE, ORDER, WIN, FINISH = range(7)
# What is known of a state.
NOTHING, PLAYER, ACTIONS = range(3)

FACTS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("first", "i8"),  # of its edges
                ("count", "i4"),
                ("player", "i4"),  # 0, 1, 2 ..., CHANCE or TERMINAL
                ("known", "i2"),  # NOTHING, PLAYER (and utilities at the end), ACTIONS
                ("evaluated", "i2"),
                ("winning", "i4"),  # 2 + the winning action; 1: there is none; 0: not asked yet
            ],
            align=True,
        ),
    )
)
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("target", "i8"),  # handle; NOWHERE: nobody has been there
                ("chance", "f8"),
                ("score", "f8"),  # the game's `order`
                ("action", "i4"),
                ("scored", "i4"),
            ],
            align=True,
        ),
    )
)
OWNERS: Any = weakref.WeakValueDictionary()
"""Who answers for the graph of this number: `ponder.core.plain_graph.GraphRules`."""
DRAWS = 64
"""Random numbers that a random game gets at a time. Kernel and Python use the same ones, so that
the result does not depend on which states are known already."""


@kernel
def pick(game, facts, draw):
    """Which edge a random game takes: any action alike, outcomes of chance by their probability.

    `ponder.core.plain.picked` does the same in Python.
    """
    if facts.player >= 0:
        return facts.first + np.int64(draw * facts.count)
    for edge in range(facts.first, facts.first + facts.count - 1):
        draw -= game.edges[edge].chance
        if draw < 0.0:
            return edge
    return facts.first + facts.count - 1


class WholeGraph(NamedTuple):
    """The game contract (`ponder.core.game`) with every hook that a plain game may have; see
    `graph_game`. [N] and [E] are how many states and edges there is room for."""

    facts: Any  # [N] FACTS
    utilities: Any  # [N, players] f8: of finished games
    statics: Any  # [N, players] f8: the game's `evaluate`
    edges: Any  # [E] EDGE: those of one state side by side, in the game's order
    draws: Any  # [DRAWS] f8: random numbers of the running random game
    result: Any  # [players] f8: its utilities
    broken: Any  # [1] i8: 1 after an exception
    calls: Any  # [7] i8: addresses of the callbacks
    seen: Any  # [actions] i4: each action as networks number it
    number: int  # of the graph in this process

    def start(self, s):
        s.handle = 1

    def current_player(self, s):
        if self.facts[s.handle].known == NOTHING:
            call_python(self.calls[LOOK], s.handle, 0)
        return TERMINAL if self.broken[0] else np.int64(self.facts[s.handle].player)

    def is_terminal(self, s):
        return self.current_player(s) == TERMINAL

    def returns(self, s, out):
        if self.facts[s.handle].known == NOTHING:  # nobody has asked whether it is over
            call_python(self.calls[LOOK], s.handle, 0)
        for p in range(out.size):
            out[p] = np.nan if self.broken[0] else self.utilities[s.handle, p]

    def listed(self, s):
        """What is known of the state, once its actions are."""
        if self.facts[s.handle].known != ACTIONS:
            call_python(self.calls[LIST], s.handle, 0)
        return self.facts[s.handle]

    def legal_actions(self, s, out):
        facts = self.listed(s)
        for i in range(facts.count):
            out[i] = self.edges[facts.first + i].action
        return np.int64(facts.count)

    def random_action(self, s, out, rng):
        facts = self.listed(s)
        return self.edges[facts.first + below(rng, facts.count)].action

    def seen_action(self, a, player):
        return self.seen[a]

    def edge(self, s, a):
        """Which edge the action is; -1 for none."""
        facts = self.listed(s)
        for edge in range(facts.first, facts.first + facts.count):
            if self.edges[edge].action == a:
                return edge
        return np.int64(-1)

    def apply_action(self, s, a):
        edge = self.edge(s, a)
        target = np.int64(NOWHERE)
        if edge >= 0:
            target = self.edges[edge].target
        if target == NOWHERE:
            target = max(np.int64(NOWHERE), call_python(self.calls[FOLLOW], s.handle, edge))
        s.handle = target

    def draw(self, rng):
        """New random numbers."""
        for i in range(DRAWS):
            self.draws[i] = uniform(rng)

    def drawn_action(self, s, used):
        """The action that the random number means."""
        return self.edges[pick(self, self.listed(s), self.draws[used])].action

    def random_game(self, s, out, rng, longest):
        """Play to the end at random; its utilities. False if it does not end in time.

        Through known states here, through others in Python, which makes the first some known.
        """
        at = s.handle
        plies = 0
        while plies <= longest:
            self.draw(rng)
            used = 0
            while at != NOWHERE and used < DRAWS:
                facts = self.facts[at]
                if facts.known == PLAYER and facts.player == TERMINAL:
                    for p in range(out.size):
                        out[p] = self.utilities[at, p]
                    return True
                if facts.known != ACTIONS:
                    break
                target = self.edges[pick(self, facts, self.draws[used])].target
                if target == NOWHERE:
                    break
                at = target
                used += 1
            if used < DRAWS:
                used = call_python(self.calls[FINISH], at, used)
                if used < 0 or used > DRAWS:  # an exception, or the end
                    for p in range(out.size):
                        out[p] = np.nan if self.broken[0] else self.result[p]
                    return True
                at = np.int64(NOWHERE)  # Python goes on where it was
            plies += DRAWS
        return False

    # where the game has the method

    def chance_outcomes(self, s, out, p):
        facts = self.listed(s)
        for i in range(facts.count):
            out[i] = self.edges[facts.first + i].action
            p[i] = self.edges[facts.first + i].chance
        return np.int64(facts.count)

    def evaluate(self, s, out):
        if not self.facts[s.handle].evaluated:
            call_python(self.calls[EVALUATE], s.handle, 0)
        for p in range(out.size):
            out[p] = np.nan if self.broken[0] else self.statics[s.handle, p]

    def order(self, s, a):
        edge = self.edge(s, a)
        if edge < 0:
            return 0.0
        if not self.edges[edge].scored:
            call_python(self.calls[ORDER], s.handle, edge)
        return self.edges[edge].score

    def winning_action(self, s, out):
        if self.facts[s.handle].winning == 0:
            call_python(self.calls[WIN], s.handle, 0)
        return np.int64(max(self.facts[s.handle].winning - 2, -1))


HOOKS = ("chance_outcomes", "evaluate", "order", "winning_action")
"""What a plain game may give besides that kernels ask for."""


@cache
def graph_game(hooks: tuple[str, ...]) -> Any:
    """The class of games with these hooks: its kernels serve every plain game that has them."""
    name = "_".join(("PlainGraph", *hooks))
    cls: Any = namedtuple(name, WholeGraph._fields, module=__name__)  # type: ignore[misc]
    methods = methods_of(WholeGraph).items()
    own: dict[str, Any] = {
        name: method for name, method in methods if name not in HOOKS or name in hooks
    }
    # arrays are not to be compared: a graph equals itself alone
    own["__eq__"] = lambda self, other: type(self) is type(other) and self.number == other.number
    own["__hash__"] = lambda self: hash(self.number)
    # for people; a property, so that it is no code of kernels
    own["action_name"] = property(lambda self: OWNERS[self.number].action_name)
    for attribute, value in own.items():
        setattr(cls, attribute, value)
    complete(cls)
    return cls
