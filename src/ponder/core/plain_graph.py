"""The Python side of `ponder.core.graph_game`: runs a plain game's methods and writes down what
they say.

Equal states get one handle (equal by the game's `key`, where it has one): whatever a search keeps
by the bytes of a record it then keeps by state, so that transposition tables, proofs and value
iteration work as they do for compiled games. States that cannot be hashed are not shared. Actions
are numbered in the order in which they are met, the same number for the same action everywhere.
"""

from __future__ import annotations

import itertools
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ponder.core.compiled import TERMINAL, Facts
from ponder.core.game import CHANCE, Spec, new_states
from ponder.core.graph_game import (
    ACTIONS,
    DRAWS,
    EDGE,
    EVALUATE,
    FACTS,
    FINISH,
    FOLLOW,
    HOOKS,
    LIST,
    LOOK,
    NOTHING,
    ORDER,
    OWNERS,
    PLAYER,
    STATE,
    WIN,
    graph_game,
)
from ponder.core.hooks import fact_of
from ponder.core.plain import PlainRules, picked
from ponder.errors import GameError
from ponder.jit import FAILED, Callback

MAX_ACTIONS, MAX_LENGTH, DISTINCT_ACTIONS = 4096, 100_000, 1 << 16
"""What a plain game is taken for that has no `max_actions` and no `max_length`."""
ROOM, EDGE_ROOM = 1 << 22, 1 << 25
"""States and edges. The arrays take memory only where they are used."""
CACHE = 256 << 20
"""Bytes, estimated, that a search which only replays moves keeps; then it forgets all."""
MOST = 4 << 30
"""Bytes, estimated, at which a search ends that needs the states it has."""
NEARLY = 0.95
"""The share of all room at which such a search is asked to end, with what it knows."""
LEARNT, STEPS = 1000, 4
"""Random games make the states known that they pass, up to LEARNT and one more for every STEPS that
were known already: small games are soon played at machine speed, in large ones it would only cost
(not tuned)."""
ENDED = DRAWS + 1
_count = itertools.count()


class GraphRules:
    """The rules of a plain game for kernels, with the interface of `CompiledRules`."""

    compiled = True
    plain = True
    own_key = False

    def __init__(
        self, rules: PlainRules, root: Facts, state: Any, max_actions: int = MAX_ACTIONS
    ) -> None:
        """`max_actions`: of one state, where the game does not say."""
        self.rules, self.name, self.players = rules, rules.name, rules.players
        self.zero_sum, self.has_dice = rules.zero_sum, rules.has_dice
        game = rules.game
        lowest, highest = rules.utilities
        self.spec = Spec(
            players=rules.players,
            max_actions=max(fact_of(game, "max_actions", max_actions), len(root.actions)),
            max_length=fact_of(game, "max_length", MAX_LENGTH),
            state=STATE,
            distinct_actions=DISTINCT_ACTIONS,
            lowest=float(lowest),
            highest=float(highest),
            zero_sum=rules.zero_sum,
        )
        self.facts_of = np.zeros(ROOM, FACTS).view(np.recarray)
        self.edges = np.zeros(EDGE_ROOM, EDGE).view(np.recarray)
        self.utilities = np.zeros((ROOM, rules.players))
        self.statics = np.zeros((ROOM, rules.players))
        self.draws, self.result = np.zeros(DRAWS), np.zeros(rules.players)
        self.seen = np.arange(DISTINCT_ACTIONS, dtype=np.int32)
        self.broken = np.zeros(1, np.int64)
        # one field each: NumPy takes long to write into a record
        self._known, self._player = self.facts_of["known"], self.facts_of["player"]
        self._first, self._count = self.facts_of["first"], self.facts_of["count"]
        self._target, self._action = self.edges["target"], self.edges["action"]
        self._chance = self.edges["chance"]
        self._drawn: Any = memoryview(self.draws)  # type: ignore[arg-type]
        self.lock = threading.Lock()
        """Held by whoever runs kernels, where several may."""
        self.actions: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._states: list[Any] = []
        self._handles: dict[Any, int] = {}
        self._edge_count = 0
        self._known_steps = 0  # of random games, made without Python
        self._playing: Any = None  # the state that a random game has come to
        self._state_bytes = FACTS.itemsize + 16 * rules.players + 200 + deep_size(state)
        self._callbacks = [self._callback(_ANSWERS[place]) for place in range(len(_ANSWERS))]
        hooks = tuple(name for name in HOOKS if callable(getattr(game, name, None)))
        self.part = self.game = graph_game(hooks)(
            facts=self.facts_of,
            utilities=self.utilities,
            statics=self.statics,
            edges=self.edges,
            draws=self.draws,
            result=self.result,
            broken=self.broken,
            calls=np.array([callback.address for callback in self._callbacks], np.int64),
            seen=self.seen,
            number=next(_count),
        )
        OWNERS[self.part.number] = self
        self._begin(state)

    def _begin(self, state: Any) -> None:
        self._root = state
        self._states.append(None)  # NOWHERE: the end, worth nothing
        self._known[0], self._player[0], self.utilities[0] = PLAYER, TERMINAL, np.nan
        self._chance[0], self._edge_count = 1.0, 1  # what a state has whose actions are unknown
        self.handle_of(state)

    def _callback(self, answer: Callable[[GraphRules, int, int], int]) -> Callback:
        # weak: no circle, so that the arrays go when the search does
        ref = weakref.ref(self)

        def run(handle: int, more: int) -> int:
            rules = ref()
            assert rules is not None
            if not rules.broken[0]:
                try:
                    return answer(rules, handle, more)
                except BaseException:
                    rules.broken[0] = 1
                    raise
                finally:
                    if rules.broken[0]:
                        rules._close(handle)
            rules._close(handle)
            return FAILED

        return Callback(run)

    def answered_by(self, answer: Callable[[GraphRules, int, int], int]) -> int:
        """An address at which kernels ask one question more, as long as these rules live:
        `answer(rules, handle, number)`."""
        self._callbacks.append(self._callback(answer))
        return self._callbacks[-1].address

    def _close(self, handle: int) -> None:
        """After an exception: kernels must find an action, and the end after it."""
        if self._known[handle] != ACTIONS:
            self._known[handle], self._first[handle], self._count[handle] = ACTIONS, 0, 1

    # ------------------------------------------------------------ states and actions

    def states_of(self, state: Any) -> Any:
        """The state as kernels take it: an array of one record."""
        made = new_states(STATE, 1)
        made[0].handle = self.handle_of(state)
        return made

    def state_of(self, states: Any) -> Any:
        """The game's own object."""
        return self.state_at(int(states[0].handle))

    def state_at(self, handle: int) -> Any:
        return self._states[handle]

    def for_people(self, states: Any) -> tuple[Any, Any]:
        """The game's own rules and the state as they take it."""
        return self.rules, self.state_of(states)

    def handle_of(self, state: Any) -> int:
        key = self.rules.key(state)
        try:
            found = self._handles.get(key)
        except TypeError:  # cannot be hashed
            found, key = None, None
        if found is not None:
            return found
        made = len(self._states)
        if made >= ROOM or self.bytes_used > MOST:
            raise GameError(
                f"{made:,} states of {self.name} were met, more than fit into {MOST >> 30} GB: "
                "search less deep, or by mcts()"
            )
        self._states.append(state)
        if key is not None:
            self._handles[key] = made
        return made

    def number_of(self, action: Any) -> int:
        """The action as kernels know it."""
        try:
            found = self._numbers.get(action)
        except TypeError:
            self.rules.check_hashable((action,))
            raise
        if found is None:
            found = self._numbers[action] = len(self.actions)
            if found >= self.spec.distinct_actions:
                raise GameError(f"{self.name} has more than {found:,} different actions")
            self.actions.append(action)
        return found

    def action_of(self, number: int) -> Any:
        return self.actions[number]

    @property
    def bytes_used(self) -> int:
        """An estimate: how much Python's objects take is hard to know."""
        return len(self._states) * self._state_bytes + self._edge_count * int(EDGE.itemsize)

    @property
    def full(self) -> bool:
        """Is it time for a search to end that needs the states it has?"""
        used = self.bytes_used / MOST, len(self._states) / ROOM, self._edge_count / EDGE_ROOM
        return max(used) > NEARLY

    def forget(self) -> None:
        """Drop all states but the first, if they take too much; actions keep their numbers."""
        if self.bytes_used <= CACHE:
            return
        n = len(self._states)
        self.facts_of[:n] = np.zeros(1, FACTS)
        self.edges[: self._edge_count] = np.zeros(1, EDGE)
        self._states.clear()
        self._handles.clear()
        self._begin(self._root)

    # ------------------------------------------------------------ the interface of rules

    @property
    def case(self) -> Any:
        return type(self.part), self.spec

    def start(self) -> Any:
        return self.states_of(self.rules.start())

    def facts(self, states: Any) -> Facts:
        handle = int(states[0].handle)
        self._look(handle)
        player = int(self._player[handle])
        if player == TERMINAL:
            return Facts(player, (), (), tuple(self.utilities[handle].tolist()))
        self._list(handle)
        first = int(self._first[handle])
        edges = slice(first, first + int(self._count[handle]))
        chances = tuple(self._chance[edges].tolist()) if player == CHANCE else ()
        return Facts(player, tuple(self._action[edges].tolist()), chances, ())

    def advance(self, states: Any, action: int) -> Any:
        handle = int(states[0].handle)
        self._list(handle)
        first, count = int(self._first[handle]), int(self._count[handle])
        edge = np.flatnonzero(self._action[first : first + count] == action)[0]
        made = new_states(STATE, 1)
        made[0].handle = self._follow(handle, first + int(edge))
        return made

    def key(self, states: Any) -> Any:
        return states.tobytes()

    def action_name(self, s: Any, number: int) -> str:
        return self.rules.action_name(self._states[int(s.handle)], self.actions[number])

    def evaluate(self, states: Any) -> tuple[float, ...]:
        handle = int(states[0].handle)
        self._evaluate(handle)
        return tuple(self.statics[handle].tolist())

    # ------------------------------------------------------------ what the callbacks do

    def _look(self, handle: int, _: int = 0) -> int:
        """Who is to move, or how the game has ended."""
        if self._known[handle] == NOTHING:
            player, utilities = self.rules.standing(self._states[handle])
            if player == TERMINAL:
                self.utilities[handle] = utilities
            self._player[handle] = player
            self._known[handle] = PLAYER
        return 0

    def _list(self, handle: int, _: int = 0) -> int:
        """What can be done."""
        self._look(handle)
        if self._known[handle] == ACTIONS:
            return 0
        actions, chances = self.rules.choices(self._states[handle], int(self._player[handle]))
        n, first = len(actions), self._edge_count
        if n > self.spec.max_actions:
            raise GameError(
                f"{self.name} has {n:,} actions in a state, more than {self.spec.max_actions:,}: "
                f"say so in its class (max_actions = {n})"
            )
        if first + n > EDGE_ROOM:
            raise GameError(f"{self.name} has too many actions to keep: search it by mcts()")
        self._action[first : first + n] = [self.number_of(action) for action in actions]
        if chances:
            self._chance[first : first + n] = chances
        self._edge_count += n
        self._first[handle], self._count[handle] = first, n
        self._known[handle] = ACTIONS
        return 0

    def _follow(self, handle: int, edge: int) -> int:
        """Where an edge leads."""
        if edge < 0:
            raise GameError(f"{self.name}.legal_actions gave other actions than before")
        found = int(self._target[edge])
        if not found:
            action = self.actions[self._action[edge]]
            found = self.handle_of(self.rules.advance(self._states[handle], action))
            self._target[edge] = found
        return found

    def _evaluate(self, handle: int, _: int = 0) -> int:
        """What the game thinks of a state."""
        if not self.facts_of[handle].evaluated:
            self.statics[handle] = self.rules.evaluate(self._states[handle])
            self.facts_of[handle].evaluated = 1
        return 0

    def _order(self, handle: int, edge: int) -> int:
        """How good an action looks."""
        action = self.actions[self._action[edge]]
        self.edges[edge].score = self.rules.order(self._states[handle], action)
        self.edges[edge].scored = 1
        return 0

    def _win(self, handle: int, _: int = 0) -> int:
        """Is there an action that wins at once?"""
        self._list(handle)
        player = int(self._player[handle])
        action = self.rules.winning_action(self._states[handle], player)
        self.facts_of[handle].winning = 1 if action is None else 2 + self.number_of(action)
        return 0

    def _finish(self, handle: int, used: int) -> int:
        """Continue a random game; `used` of the random numbers are. ENDED, or all are used."""
        self._known_steps += used
        if handle and len(self._states) < LEARNT + self._known_steps // STEPS:
            return self._finish_and_learn(handle, used)
        state = self._states[handle] if handle else self._playing
        ended, state = self.rules.play_some(state, self._drawn, used, self.result)
        self._playing = state
        return ENDED if ended else DRAWS

    def _finish_and_learn(self, handle: int, used: int) -> int:
        while used < DRAWS:
            self._look(handle)
            if self._player[handle] == TERMINAL:
                self.result[...] = self.utilities[handle]
                return ENDED
            self._list(handle)
            first, n = int(self._first[handle]), int(self._count[handle])
            chances = None
            if self._player[handle] == CHANCE:
                chances = self._chance[first : first + n].tolist()
            handle = self._follow(handle, first + picked(self._drawn[used], n, chances))
            used += 1
        self._playing = self._states[handle]
        return DRAWS


_ANSWERS: dict[int, Any] = {
    LOOK: GraphRules._look,
    LIST: GraphRules._list,
    FOLLOW: GraphRules._follow,
    EVALUATE: GraphRules._evaluate,
    ORDER: GraphRules._order,
    WIN: GraphRules._win,
    FINISH: GraphRules._finish,
}


def deep_size(value: Any, depth: int = 4) -> int:
    """About how many bytes an object takes, with what is inside it."""
    size = sys.getsizeof(value, 64)
    inside: Any = ()
    if depth and isinstance(value, tuple | list | set | frozenset):
        inside = value
    elif depth and isinstance(value, dict):
        inside = [*value.keys(), *value.values()]
    elif depth and hasattr(value, "__dict__"):
        inside = vars(value).values()
    return size + sum(deep_size(item, depth - 1) for item in inside if not isinstance(item, int))
