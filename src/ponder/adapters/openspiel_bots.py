"""OpenSpiel's searches as players: ``openspiel_mcts(simulations=1000)``, ``openspiel_alphabeta()``.

They play ``openspiel(...)`` games, and those of ours that OpenSpiel has too, by following their
moves in a state of its own. Every move is a new search.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, NamedTuple, Unpack

from ponder.adapters.openspiel import load_pyspiel
from ponder.adapters.openspiel_twins import Twin, spiel_game, state_of, twin_of
from ponder.core.at_once import AtOnceSession, answering_session
from ponder.core.engine import (
    ANY_LIMIT,
    SearchOptions,
    SessionOptions,
    Traits,
    canonical_engine,
    run_search,
    start_session,
)
from ponder.core.limits import UNLIMITED, Limit, StopReason, limit_of_fields, limit_problem
from ponder.core.making import registered
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.core.session import Session
from ponder.errors import InputError

DEFAULT_MEMORY = 1024.0
"""Megabytes of tree, unless told otherwise."""
GENEROUS = 1.03
"""Its clock runs so many times the seconds that were asked for: in a match by time it must not get
less than our engines, whose work after the last simulation (a percent or two) is on top."""
NO_LIMIT = 2_000_000_000
"""Simulations where seconds are the limit."""


@registered
class OpenSpielMCTS(NamedTuple):
    """OpenSpiel's Monte Carlo tree search (C++): UCT with random rollouts.

    simulations, seconds, memory   the player's own limits, used where `search` is given none
    c                              exploration constant, in c * sqrt(ln N / n) added to the mean
    rollouts                       random games for each new leaf
    solve                          keep proven wins and losses in the tree (MCTS-Solver)

    `seconds` is kept by OpenSpiel itself, which looks at the clock after every simulation: never
    less is used unless the root is proven.
    """

    simulations: int | None = None
    seconds: float | None = None
    memory: float | None = None
    c: float = 2.0
    rollouts: int = 1
    solve: bool = True

    def problem(self) -> str | None:
        if self.rollouts < 1:
            return f"rollouts must be a whole number above 0, not {self.rollouts}"
        return limit_problem(self)

    @property
    def traits(self) -> Traits:
        return Traits(frozenset({"seconds", "simulations", "memory"}), answers_small=True)

    @property
    def limit(self) -> Limit:
        return limit_of_fields(self.seconds, self.simulations, memory=self.memory)

    def resolve(self, position: Position, /) -> OpenSpielMCTS:
        made: OpenSpielMCTS = canonical_engine(self)
        return made

    def new_game(self) -> OpenSpielMCTS:
        return self

    def new_session(self, position: Position, options: SessionOptions, /) -> AtOnceSession:
        return answering_session(self, position, options)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> Session[Any]:
        """A session: its first `run` searches."""
        return start_session(self, position, SessionOptions(seed, plan))

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[SearchOptions]
    ) -> SearchResult:
        """Search until a limit is reached. It cannot be stopped on the way, and tells nothing."""
        return run_search(self, position, limit, options)

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult:
        """The whole search, however long it takes."""
        seed = options.get("seed")
        load_pyspiel()
        twin = twin_of(position.game)
        check_searchable(position)
        seed = secrets.randbits(31) if seed is None else seed % (1 << 31)
        state = state_of(position, twin)
        searcher = self.made(spiel_game(twin.name), limit, seed)
        began = time.perf_counter()
        root = searcher.mcts_search(state)
        if not root.children:  # its first simulation only looks at the root itself
            least = Limit(simulations=2, memory=limit.memory)
            root = self.made(spiel_game(twin.name), least, seed).mcts_search(state)
        spent = time.perf_counter() - began
        return self.report(position, twin, state, root, limit, seed, spent)

    def made(self, game: Any, limit: Limit, seed: int) -> Any:
        """OpenSpiel's searcher."""
        pyspiel = load_pyspiel()
        fixed = (
            game,
            pyspiel.RandomRolloutEvaluator(self.rollouts, seed),
            self.c,
            min(limit.simulations or NO_LIMIT, NO_LIMIT),
            max(1, int(limit.memory or DEFAULT_MEMORY)),
            self.solve,
            seed,
            False,
        )
        if limit.seconds is None:
            return pyspiel.MCTSBot(*fixed)
        try:
            return pyspiel.MCTSBot(*fixed, max_wall_clock_time=GENEROUS * limit.seconds)
        except TypeError:
            raise InputError(
                "this OpenSpiel has no limit of seconds for its search: give simulations, or "
                "pip install -U open_spiel"
            ) from None

    def report(
        self,
        position: Position,
        twin: Twin,
        state: Any,
        root: Any,
        limit: Limit,
        seed: int,
        seconds: float,
    ) -> SearchResult:
        """OpenSpiel's tree as the result of a search."""
        ours = twin.actions(position, state)
        best = root.best_child()
        rows: dict[Any, MoveRow] = {}
        # Their choice first, then by visits; what is illegal here (a repeated board in Go) is left
        # out. Of actions that come to the same, one row is enough: the visits of all.
        for child in sorted(
            root.children, key=lambda c: (c.action != best.action, -c.explore_count)
        ):
            if child.action in ours:
                action = ours[child.action]
                rows[action] = _added(rows.get(action), action, position, child)
        if not rows:
            raise InputError("OpenSpiel found no move that is legal here")
        moves = tuple(rows.values())
        value = moves[0].value or 0.0
        rest = -value / max(position.players - 1, 1)
        mover = position.current_player
        done = int(root.explore_count)
        stopped_by: StopReason
        if limit.simulations is not None and done >= limit.simulations:
            stopped_by = "simulations"
        else:
            stopped_by = "solved" if limit.seconds is None or seconds < limit.seconds else "seconds"
        return SearchResult(
            position=position,
            engine=part_text(self),
            action=moves[0].action,
            value=value,
            values=tuple(value if p == mover else rest for p in range(position.players)),
            line=(moves[0].action,),
            moves=moves,
            seconds=seconds,
            stopped_by=stopped_by,
            seed=seed,
            depth=1,
            simulations=done,
        )


@registered
class OpenSpielAlphaBeta(NamedTuple):
    """OpenSpiel's alpha-beta search (Python): to a fixed depth, what is not over there counts as 0.

    It is slow and knows nothing of a game but its end: a second opinion on small games.
    """

    depth: int = 4

    def problem(self) -> str | None:
        return None if self.depth > 0 else f"depth must be above 0, not {self.depth}"

    @property
    def traits(self) -> Traits:
        return Traits(ANY_LIMIT, answers_small=True)

    @property
    def limit(self) -> Limit:
        return Limit(depth=self.depth)

    def resolve(self, position: Position, /) -> OpenSpielAlphaBeta:
        made: OpenSpielAlphaBeta = canonical_engine(self)
        return made

    def new_game(self) -> OpenSpielAlphaBeta:
        return self

    def new_session(self, position: Position, options: SessionOptions, /) -> AtOnceSession:
        return answering_session(self, position, options)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> Session[Any]:
        """A session: its first `run` searches."""
        return start_session(self, position, SessionOptions(seed, plan))

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[SearchOptions]
    ) -> SearchResult:
        """Search to the depth. Nothing is random, and it cannot be stopped on the way."""
        return run_search(self, position, limit, options)

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult:
        """The whole search, however long it takes."""
        of = load_pyspiel().GameType
        from open_spiel.python.algorithms.minimax import alpha_beta_search

        twin = twin_of(position.game)
        check_searchable(position)
        game = spiel_game(twin.name)
        kind = game.get_type()
        if (game.num_players(), kind.chance_mode, kind.utility) != (
            2,
            of.ChanceMode.DETERMINISTIC,
            of.Utility.ZERO_SUM,
        ):
            raise InputError("openspiel_alphabeta is for two players, without dice, zero-sum")
        state = state_of(position, twin)
        began = time.perf_counter()
        value, chosen = alpha_beta_search(game, state, lambda unfinished: 0.0, self.depth)
        ours = twin.actions(position, state)
        if chosen not in ours:
            raise InputError(f"OpenSpiel chose {state.action_to_string(chosen)}, illegal here")
        action, mover = ours[chosen], position.current_player
        return SearchResult(
            position=position,
            engine=part_text(self),
            action=action,
            value=float(value),
            values=tuple(float(value if p == mover else -value) for p in range(position.players)),
            line=(action,),
            moves=(MoveRow(action, 1, float(value), position=position),),
            seconds=time.perf_counter() - began,
            stopped_by="depth",
            seed=options.get("seed") or 0,
            depth=self.depth,
        )


def _added(row: MoveRow | None, action: Any, position: Position, child: Any) -> MoveRow:
    """The row with the child's visits; OpenSpiel's rewards are those of the root's player."""
    visits, total = int(child.explore_count), float(child.total_reward)
    if row is not None:
        total += (row.value or 0.0) * row.visits
        visits += row.visits
    mean = total / visits if visits else None
    return MoveRow(action, visits, mean, position=position)
