"""Alpha-beta search as a whole engine: every part can be switched off, to see what it brings.

    >>> from ponder import position
    >>> from ponder.search.alphabeta import AlphaBeta
    >>> AlphaBeta().search(position("tictactoe"), depth=9).value
    0.0

Begin reading at `AlphaBeta`; then `ponder.search.deepening`, which searches depth after depth, and
`ponder.search.visit`, the recursion itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Unpack

from ponder.core.engine import (
    Options,
    SearchOptions,
    SessionOptions,
    Traits,
    run_search,
    start_session,
)
from ponder.core.game import hooks_of
from ponder.core.history import History
from ponder.core.hooks import signature
from ponder.core.limits import UNLIMITED, Limit, limit_of_fields, limit_problem
from ponder.core.making import registered
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.search.deepening import DEEPEST_SEARCH, NO_CHANCE, Deepening
from ponder.search.foresight import refuse_blind
from ponder.search.session import ClassicalSession, searched_at_once


class AlphaBetaOptions(Options, total=False):
    """What its searches take by keyword."""

    nodes: int | None
    depth: int | None


TRAITS = Traits(frozenset({"seconds", "nodes", "depth", "memory"}), answers_small=True)


@registered
class AlphaBeta(NamedTuple):
    """Alpha-beta with iterative deepening for two players (zero-sum) or one, without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    memory                  megabytes of transposition table
    table                   remember positions (EXACT, LOWER, UPPER bounds)
    table_moves             try the remembered best move first
    hints                   order moves by the game's `order`
    killers, history        order moves by what cut off elsewhere
    evaluation_order        order moves by the static evaluation of what they lead to
    scout                   principal variation search: null windows after the first move
    aspiration              begin each depth with a narrow window around the last value
    mtdf                    MTD(f): close in on the value by null windows alone (needs the table)
    quiescence              play out the game's `noisy_actions` before evaluating
    deepen                  iterative deepening; off: straight to the given depth
    reductions              search late quiet moves less deep. Unsound.
    null_move               cut off where even passing is good enough (`pass_turn`). Unsound.
    beam                    consider only so many moves a ply (0: all). Unsound.
    all_moves               exact values of all root moves, not only of the best
    endgame                 a file or folder of endgame tables to ask (see `ponder endgame`)
    evaluate                a network in place of the game's evaluation: net("FILE")

    A part called unsound may change the value that a depth gives; the others change only how soon
    it is found.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory: float | None = None
    table: bool = True
    table_moves: bool = True
    hints: bool = True
    killers: bool = True
    history: bool = True
    evaluation_order: bool = False
    scout: bool = True
    aspiration: bool = True
    mtdf: bool = False
    quiescence: bool = True
    deepen: bool = True
    reductions: bool = False
    null_move: bool = False
    beam: int = 0
    all_moves: bool = False
    endgame: str = ""
    evaluate: Any = None

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        if self.evaluate is not None and not hasattr(self.evaluate, "evaluating"):
            return (
                "evaluate of alphabeta takes a network, net('FILE'); leave it out for the game's, "
                "or give a class below the game its own method evaluate(self, s, out)"
            )
        if self.beam < 0:
            return f"beam must be 0 (all moves) or more, not {self.beam}"
        if self.mtdf and not self.table:
            return "mtdf searches the same tree again and again: it needs table=True"
        if self.mtdf and self.all_moves:
            return "mtdf finds the value of the best move alone: not with all_moves=True"
        return limit_problem(self)

    @property
    def traits(self) -> Traits:
        return TRAITS

    @property
    def limit(self) -> Limit:
        return limit_of_fields(self.seconds, None, self.nodes, self.depth, self.memory)

    def resolve(self, position: Position, /) -> AlphaBeta:
        """Itself, every field of its type."""
        return checked(self)

    def new_game(self) -> AlphaBeta:
        return self

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> ClassicalSession:
        """A search in progress: ``run`` it. Nothing is random: `seed` changes nothing.

        `plan` announces the depth: without iterative deepening the search goes straight there.
        """
        session = start_session(self, position, SessionOptions(seed, plan))
        assert isinstance(session, ClassicalSession)
        return session

    def new_session(self, position: Position, options: SessionOptions, /) -> ClassicalSession:
        plan = options.plan.over(self.limit)
        depth, memory = plan.depth, plan.memory
        inner = for_alphabeta(position, self, depth)
        history = History(position, self, seed=0, memory=memory, depth=depth)
        return ClassicalSession(history, lambda trace: Deepening(inner, self, memory, trace))

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[AlphaBetaOptions]
    ) -> SearchResult:
        """Search deeper and deeper until a limit is reached, the game is solved, or stopped.

        A stop returns the last finished line, improved by what the unfinished depth has found.
        Nothing is random: `seed` is accepted and changes nothing.
        """
        return run_search(self, position, limit, options)

    def search_small(
        self, position: Position, limit: Limit, options: SearchOptions, /
    ) -> SearchResult | None:
        """The search to a depth that is the only limit, if that takes few nodes."""
        if limit.depth is None or limit.seconds or limit.nodes or self.mtdf:
            return None
        searcher = Deepening(for_alphabeta(position, self, limit.depth), self, limit.memory)
        return searched_at_once(searcher, position, limit.depth, options.get("progress"))


def checked(engine: AlphaBeta) -> AlphaBeta:
    """The engine with every field of its type; raises InputError."""
    global _latest
    given, made = _latest
    if engine is given:
        return made
    try:
        made = _checked(*engine)
    except TypeError:  # a field that is not even hashable
        made = canonical(engine)
    _latest = engine, made
    return made


@lru_cache(maxsize=64, typed=True)  # typed: 1 passes for a whole number, True does not
def _checked(*fields: Any) -> AlphaBeta:
    made: AlphaBeta = canonical(AlphaBeta(*fields))
    return made


_latest: tuple[AlphaBeta, AlphaBeta] = (AlphaBeta(), AlphaBeta())
"""The engine that was checked last, and what came of it: most often it is the next one as well."""


@registered
def plain_alphabeta(**options: Any) -> AlphaBeta:
    """Alpha-beta as on the blackboard: moves in the game's order, whole windows, nothing else.

    No table, no ordering, no null windows, no quiescence, straight to the depth asked for. Takes
    the options of `AlphaBeta`, to bring one of them back.
    """
    parts = ("table", "table_moves", "hints", "killers", "history", "scout", "aspiration")
    off = dict.fromkeys((*parts, "quiescence", "deepen"), False)
    return AlphaBeta(**{**off, **options})


def for_alphabeta(position: Position, engine: AlphaBeta, depth: int | None = None) -> Position:
    """The position as kernels take it; refuses one in which nothing is to be decided, games in
    which one number does not say what everybody gets, and a depth at which nothing does."""
    inner = position.for_kernels()
    if engine.evaluate is not None:
        inner = engine.evaluate.evaluating(inner)
    rules = inner.rules
    if rules.players > 2:
        raise InputError(
            f"alphabeta is for one or two players; for {rules.players} use maxn(), paranoid() "
            "or mcts()"
        )
    if rules.players == 2 and not rules.spec.zero_sum:
        raise InputError("alphabeta needs a zero-sum game; for this one use maxn() or mcts()")
    if position.dice_ahead:
        raise InputError(NO_CHANCE)
    if engine.evaluation_order and "evaluate" not in hooks_of(rules.game):
        raise InputError(
            f"{rules.name} has no evaluate to order moves by (evaluation_order): give it a method "
            f"{signature('evaluate', rules.plain)}"
        )
    # in check, or with tables, a line may be searched beyond the depth, or end before it
    if engine.evaluate is None and not engine.endgame and "in_check" not in hooks_of(rules.game):
        refuse_blind(position, depth, min(rules.spec.max_length, DEEPEST_SEARCH))
    return inner
