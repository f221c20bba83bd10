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
from collections.abc import Sequence
from typing import NamedTuple, Unpack

from ponder.core.engine import (
    Engine,
    Options,
    SearchOptions,
    SessionOptions,
    Traits,
    canonical_engine,
    run_search,
    start_session,
)
from ponder.core.history import History
from ponder.core.limits import UNLIMITED, Limit, limit_of_fields, limit_problem
from ponder.core.making import registered
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.protocols import Action
from ponder.core.registry import misplaced
from ponder.core.result import SearchResult
from ponder.errors import InputError, kind_of, quoted
from ponder.mcts.backup.mean import Mean
from ponder.mcts.between_moves import Remembering
from ponder.mcts.decide import MostVisits
from ponder.mcts.evaluate.function import Function, as_rule
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.expand import OneChild
from ponder.mcts.parallel import KINDS
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
from ponder.mcts.small import searched_small
from ponder.mcts.threads import MOST_THREADS
from ponder.mcts.view import SearchTree


class MCTSOptions(Options, total=False):
    """What the searches of this family take by keyword."""

    simulations: int | None
    moves: Sequence[Action] | None
    tree: SearchTree | None


TRAITS = Traits(
    limits=frozenset({"seconds", "simulations", "memory"}),
    restricts_moves=True,
    continues_trees=True,
    answers_small=True,
    fills_memory=True,
)
UNREPEATABLE = TRAITS._replace(repeatable=False)


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

    @property
    def traits(self) -> Traits:
        """Several threads, and a Python function, may do something else the next time."""
        alone = self.threads == 1 and not isinstance(self.evaluate, Function)
        return TRAITS if alone else UNREPEATABLE

    @property
    def limit(self) -> Limit:
        return limit_of_fields(self.seconds, self.simulations, memory=self.memory)

    def resolve(self, position: Position, /) -> MCTS:
        """Itself, every field of its type, and a plain function as a rule."""
        rule = as_rule(self.evaluate)
        made: MCTS
        if isinstance(rule, Function):  # nobody keeps what somebody's function holds
            made = canonical(self._replace(evaluate=rule))
        else:
            made = canonical_engine(self)
        return made

    def new_game(self) -> Engine:
        """The player for one seat of a new game."""
        return Remembering(self) if self.reuse else self

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[MCTSOptions]
    ) -> SearchResult:
        """Search `position` until a limit is reached, `stop` is set, or Ctrl-C is pressed.

        Limits are given as a `Limit` or by keyword; without any, the engine's own, else one
        second. The same seed and number of simulations give the same result bit for bit (not
        with several threads in one tree). Only `moves`, where they are given, are considered.
        `tree`, the tree of an earlier search of this position or of one before it, is continued.
        """
        return run_search(self, position, limit, options)

    def start(
        self,
        position: Position,
        *,
        seed: int | None = None,
        plan: Limit = UNLIMITED,
        moves: Sequence[Action] | None = None,
        tree: SearchTree | None = None,
        switchable: bool = False,
    ) -> MCTSSession:
        """A search of `position` in progress; everything is prepared and compiled, no clock runs.

        `plan` announces how many simulations there will be, for rules that plan the whole search
        (sequential halving), and the memory cap of the tree: it ends nothing. `switchable`: see
        `MCTSSession`; for `moves` and `tree` see `search`.
        """
        wanted = SessionOptions(seed, plan, moves, tree, switchable)
        session = start_session(self, position, wanted)
        assert isinstance(session, MCTSSession)
        return session

    def new_session(self, position: Position, options: SessionOptions, /) -> MCTSSession:
        history = self.history(position, options)
        tree, plan = checked_tree(options.tree), options.plan
        until_full = options.once and plan.is_empty and plan.memory is not None
        return MCTSSession(
            history,
            tree=tree,
            switchable=options.switchable,
            once=options.once,
            until_full=until_full,
        )

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult | None:
        return searched_small(self, position, limit, options)

    def history(self, position: Position, options: SessionOptions) -> History:
        """The beginning of a search; what is impossible is refused."""
        moves, plan = options.moves, options.plan
        check_moves(moves)
        if moves and position.is_chance:
            raise InputError("chance moves in this position: there are no moves to choose from")
        seed = secrets.randbits(32) if options.seed is None else int(options.seed)
        chosen = tuple(dict.fromkeys(position.parse_action(move) for move in moves or ()))
        return History(position, self, seed, plan.simulations, chosen, plan.memory)


MCTS.WORDS = {"threads": {"auto": 0}}  # type: ignore[attr-defined]


def check_moves(moves: object) -> None:
    """Refuse what is no list of moves."""
    if moves is None:
        return
    if isinstance(moves, str) or not isinstance(moves, Sequence):
        raise InputError(f"moves takes a list of moves, such as ['a1'], not {quoted(moves)}")
    if not moves:
        raise InputError("moves is empty: name at least one, or leave it out to consider all")


def checked_tree(tree: object) -> SearchTree | None:
    """The tree; anything else is refused."""
    if tree is not None and not isinstance(tree, SearchTree):
        raise InputError(f"tree takes a search tree, such as result.tree, not {kind_of(tree)}")
    return tree
