"""Monte Carlo tree search, assembled from parts: select, evaluate, backup, decide.

    >>> from ponder import MCTS, position
    >>> from ponder.select import UCB1
    >>> result = MCTS(select=UCB1(c=1.4)).search(position("tictactoe"), simulations=1000, seed=1)
    >>> result.simulations
    1000

This is what people hold. To read how it works, begin at `ponder.mcts.search`, the search itself;
`ponder.mcts.tree` has the data.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from numbers import Integral
from threading import Event
from typing import Any, NamedTuple

from ponder.core.driver import Progress
from ponder.core.history import History
from ponder.core.limits import Limit, limit_problem, merged, own_limit
from ponder.core.making import registered
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.registry import misplaced
from ponder.core.result import SearchResult
from ponder.errors import InputError, kind_of, quoted
from ponder.mcts.backup.mean import Mean
from ponder.mcts.between_moves import Remembering
from ponder.mcts.decide import MostVisits
from ponder.mcts.evaluate.function import as_rule
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.expand import OneChild
from ponder.mcts.parallel import KINDS
from ponder.mcts.parts import parts_of
from ponder.mcts.protocols import (
    BackupRule,
    DecideRule,
    EvaluateRule,
    ExpandRule,
    LeafFunction,
    SelectRule,
)
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.session import MCTSSession
from ponder.mcts.threads import MOST_THREADS
from ponder.mcts.view import SearchTree


@registered
class MCTS(NamedTuple):
    """A Monte Carlo tree search; every part is a switch.

    `seconds`, `simulations` and `memory` (megabytes) are the engine's own limits, used where
    `search` is given none. `threads` work at it together (0: as many as there are), in the way
    that `parallel` says: `ponder.mcts.parallel`. With `transpositions` positions that several
    move orders reach are searched once: `ponder.mcts.modes.Transposing`. A tree that reaches its
    memory cap gives up its least visited parts (`recycle`), or grows no more. With `reuse` a player
    of a match continues its tree from move to move (`ponder play` always does).
    """

    select: SelectRule = UCB1()
    expand: ExpandRule = OneChild()
    evaluate: EvaluateRule | LeafFunction = Rollout()
    backup: BackupRule = Mean()
    decide: DecideRule = MostVisits()
    simulations: int | None = None
    seconds: float | None = None
    memory: float | None = None
    threads: int = 1
    parallel: str = "tree"
    transpositions: bool = False
    recycle: bool = True
    reuse: bool = False

    def problem(self) -> str | None:
        """A sentence if an option is not usable."""
        if self.threads < 0:
            return f"threads must be 1 or more, or 0 (auto) for all there are, not {self.threads}"
        if self.threads > MOST_THREADS:
            return f"threads must be {MOST_THREADS} or fewer, not {self.threads}"
        if self.parallel not in KINDS:
            return f"parallel must be {', '.join(KINDS)}, not {self.parallel!r}"
        if self.transpositions and self.threads != 1 and self.parallel == "tree":
            return "transpositions and threads in one tree do not go together: parallel='root' does"
        if not callable(getattr(self.decide, "best", None)):
            return misplaced("decide", self.decide)
        return limit_problem(self)

    def new_game(self) -> Any:
        """The player for one seat of a new game."""
        return Remembering(self) if self.reuse else self

    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        memory: float | None = None,
        seed: int | None = None,
        stop: Event | None = None,
        progress: Callable[[Progress], None] | None = None,
        moves: Sequence[Any] | None = None,
        tree: SearchTree | None = None,
    ) -> SearchResult:
        """Search `position` until a limit is reached, `stop` is set, or Ctrl-C is pressed.

        Limits are given as a `Limit` or by keyword; without any, the engine's own, else one
        second. The same seed and number of simulations give the same result bit for bit (not
        with several threads in one tree). Only `moves`, where they are given, are considered.
        `tree`, the tree of an earlier search of this position or of one before it, is continued.
        """
        limit = merged(
            limit, own_limit(self), seconds=seconds, simulations=simulations, memory=memory
        )
        if limit.nodes or limit.depth:
            raise InputError(
                "mcts is limited by seconds, simulations and memory; depth and nodes are for "
                "alphabeta() and its like"
            )
        check_arguments(seed, moves, tree)
        history = self.begin(position, seed, limit.simulations, limit.memory, moves)
        until_full = limit.is_empty and limit.memory is not None
        session = MCTSSession(history, tree=tree, once=True, until_full=until_full)
        session.run(limit, stop=stop, progress=progress)
        return session.finished()

    def start(
        self,
        position: Position,
        *,
        seed: int | None = None,
        plan: int | None = None,
        memory: float | None = None,
        moves: Sequence[Any] | None = None,
        tree: SearchTree | None = None,
        switchable: bool = False,
    ) -> MCTSSession:
        """A search of `position` in progress; everything is prepared and compiled, no clock runs.

        `plan` announces how many simulations there will be, for rules that plan the whole search
        (sequential halving): it is no limit. `memory` is the cap of the tree in megabytes.
        `switchable`: see `MCTSSession`; for `moves` and `tree` see `search`.
        """
        check_arguments(seed, moves, tree)
        history = self.begin(position, seed, plan, memory, moves)
        return MCTSSession(history, tree=tree, switchable=switchable)

    def refuse(self, position: Position, depth: int | None = None) -> None:
        """InputError if it cannot search here; nothing is compiled. `depth` means nothing to it."""
        made = self.begin(position, 0, None, None, None)
        parts_of(made.engine, position.for_kernels())

    def begin(
        self,
        position: Position,
        seed: int | None,
        plan: int | None,
        memory: float | None,
        moves: Sequence[Any] | None,
    ) -> History:
        """The beginning of a search; what is impossible is refused."""
        check_searchable(position, chance=True)
        if moves and position.is_chance:
            raise InputError("chance moves in this position: there are no moves to choose from")
        limit = Limit(simulations=plan, memory=memory)
        chosen = tuple(dict.fromkeys(position.parse_action(move) for move in moves or ()))
        return History(
            position,
            canonical(self._replace(evaluate=as_rule(self.evaluate))),
            secrets.randbits(32) if seed is None else int(seed),
            limit.simulations,
            chosen,
            limit.memory,
        )


MCTS.WORDS = {"threads": {"auto": 0}}  # type: ignore[attr-defined]
MCTS.TAKES = ("moves", "tree")  # type: ignore[attr-defined]
"""What `search` takes besides limits, declared for commands that offer it."""


def check_arguments(seed: Any, moves: Any, tree: Any) -> None:
    """Refuse, in one sentence, what is not of the kind that the argument takes."""
    if seed is not None and not isinstance(seed, Integral):
        raise InputError(f"seed must be a whole number, not {quoted(seed)}")
    if moves is not None:
        if isinstance(moves, str) or not isinstance(moves, Sequence):
            raise InputError(f"moves takes a list of moves, such as ['a1'], not {quoted(moves)}")
        if not moves:
            raise InputError("moves is empty: name at least one, or leave it out to consider all")
    if tree is not None and not isinstance(tree, SearchTree):
        raise InputError(f"tree takes a search tree, such as result.tree, not {kind_of(tree)}")
