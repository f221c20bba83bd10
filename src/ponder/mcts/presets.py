"""Ready-made searches: by their names in the literature, and the strongest all-round setting.

All take the options of `MCTS` besides (simulations, seconds, memory, threads ...). Those from the
literature take any part by name, to change that one alone: ``crazy_stone(backup=Mean())``. What
`Strong` chooses was found by matches: docs/mcts/strong.md has the figures.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple, Unpack

from ponder.core.engine import SessionOptions, Traits, run_search
from ponder.core.game import hooks_of
from ponder.core.limits import UNLIMITED, Limit, limit_of_fields
from ponder.core.making import registered
from ponder.core.position import Position, check_searchable
from ponder.core.registry import STRONG, parse_engine, whole_text
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.operators import Mix
from ponder.mcts.backup.solver import Solver
from ponder.mcts.between_moves import Remembering
from ponder.mcts.decide import HighestValue, MostVisits
from ponder.mcts.engine import MCTS, TRAITS, UNREPEATABLE, MCTSOptions
from ponder.mcts.evaluate.decisive import Decisive
from ponder.mcts.evaluate.rollout import GameRollout, Rollout
from ponder.mcts.evaluate.static import Blend
from ponder.mcts.expand import AllChildren, EnoughChildren, NthVisit, OneChild, RootOnly
from ponder.mcts.priors import OrderPriors
from ponder.mcts.protocols import MCTSFields, PartsByName
from ponder.mcts.select.heuristic import ImplicitMinimax
from ponder.mcts.select.puct import PUCT
from ponder.mcts.select.rave import RAVE
from ponder.mcts.select.ucb import UCB1, BestChild, Equal
from ponder.mcts.select.urgency import Urgency
from ponder.mcts.select.variance import UCB1Spread
from ponder.mcts.session import MCTSSession


def refuse_lost(name: str, given: bool, options: MCTSFields, *parts: str) -> None:
    """Refuse a parameter all of whose parts are replaced: it would silently do nothing."""
    if given and all(part in options for part in parts):
        raise InputError(
            f"{name} is a parameter of the {' and '.join(parts)} that was replaced: leave it out"
        )


def made_of(parts: PartsByName, options: MCTSFields) -> MCTS:
    """The engine of these parts, but where the options say otherwise."""
    fields: dict[str, Any] = {**parts, **options}
    return MCTS(**fields)


@registered
def uct(c: float = 2.0, **options: Unpack[MCTSFields]) -> MCTS:
    """UCT (Kocsis & Szepesvari 2006): UCB1, random rollouts, mean backup, most visits.

    `c` is the factor of UCB1's exploration, ``mean + c * h * sqrt(ln N / n)``, where h is half the
    range of the game's utilities.
    """
    refuse_lost("c", c != 2.0, options, "select")
    return made_of({"select": UCB1(c)}, options)


@registered
def uct_search(cp: float = math.sqrt(0.5), **options: Unpack[MCTSFields]) -> MCTS:
    """UCTSEARCH of the survey (Browne et al. 2012), as its pseudo-code has it.

    BESTCHILD with the constant `cp` on the way down (N of the root is the number of simulations),
    random rollouts, mean backup; in the end BESTCHILD with 0: the move with the best mean.
    """
    refuse_lost("cp", cp != math.sqrt(0.5), options, "select")
    return made_of({"select": BestChild(cp), "decide": HighestValue()}, options)


@registered
def flat(**options: Unpack[MCTSFields]) -> MCTS:
    """Pure Monte Carlo (Abramson 1990): random games for every root move, equally many; no tree.

    The move with the highest value is played: equal visits say nothing. ``flat(select=UCB1())``
    gives promising moves more games, as a bandit does, and plays the most visited one.
    """
    select = options.get("select", Equal())
    decide = HighestValue() if isinstance(select, Equal) else MostVisits()
    return made_of({"select": select, "expand": RootOnly(), "decide": decide}, options)


@registered
def crazy_stone(points: int = 0, **options: Unpack[MCTSFields]) -> MCTS:
    """Crazy Stone (Coulom 2006): moves drawn by urgency, children at the second visit, mix backup.

    Rollouts are the game's own; in Go, ``go(urgencies=True)`` plays the paper's.
    `points` is the number of points of the board; 0: of legal moves at the root.
    """
    refuse_lost("points", points != 0, options, "select", "backup")
    parts: PartsByName = {
        "select": Urgency(points=points),
        "expand": NthVisit(2),
        "evaluate": GameRollout(),
        "backup": Mix(points=points),
    }
    return made_of(parts, options)


@registered
def alphago_style(
    weight: float = 0.5, temperature: float = 0.5, **options: Unpack[MCTSFields]
) -> MCTS:
    """AlphaGo's search (Silver et al. 2016) with hand-made knowledge in place of its networks.

    PUCT over all children, priors from the game's `order`, leaves worth
    (1 - weight) * `evaluate` + weight * a rollout. The game needs both hooks. `temperature` is that
    of the priors, exp(score / temperature) with scores from 0 to 1: the lower, the more is left to
    `order`.
    """
    refuse_lost("weight", weight != 0.5, options, "evaluate")
    refuse_lost("temperature", temperature != 0.5, options, "expand")
    parts: PartsByName = {
        "select": PUCT(),
        "expand": AllChildren(priors=OrderPriors(temperature)),
        "evaluate": Blend(weight, GameRollout()),
    }
    return made_of(parts, options)


WIDE = 12
"""Moves from which on a game counts as wide."""


@registered
class Strong(NamedTuple):
    """Monte Carlo tree search with the parts that suit the game.

    select     RAVE where moves take free places for good (Hex); implicit minimax where the game
               has `evaluate` and may offer a dozen moves; UCB1 in units of the spread where
               utilities are not -1 to 1; else UCB1
    expand     one child per visit; of moves that are enough, where the game says (`enough_actions`)
    evaluate   rollouts by the game's own policy (`rollout_action`), else with decisive moves
               (`winning_action`), else at random
    backup     proven results; the mean alone with dice or RAVE

    For a few games a network that comes with Ponder plays better, and is taken
    (`ponder.learn.names`). The other parameters are those of `mcts`. In a match it continues its
    tree from move to move.
    """

    simulations: int | None = None
    seconds: float | None = None
    memory: float | None = None
    threads: int = 1
    parallel: str = "tree"

    def problem(self) -> str | None:
        return MCTS(**self._asdict()).problem()

    @property
    def traits(self) -> Traits:
        return TRAITS if self.threads == 1 else UNREPEATABLE

    @property
    def limit(self) -> Limit:
        return limit_of_fields(self.seconds, self.simulations, memory=self.memory)

    def resolve(self, position: Position, /) -> MCTS:
        """The engine for the position's game."""
        return self.fitted(position).resolve(position)

    def new_game(self) -> Remembering:
        """The player for one seat of a new game."""
        return Remembering(self)

    def new_session(self, position: Position, options: SessionOptions, /) -> MCTSSession:
        return self.resolve(position).new_session(position, options)

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[MCTSOptions]
    ) -> SearchResult:
        """As `MCTS.search`."""
        return run_search(self, position, limit, options)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED, **more: Any
    ) -> MCTSSession:
        """As `MCTS.start`."""
        check_searchable(position, chance=True)
        return self.fitted(position).start(position, seed=seed, plan=plan, **more)

    def fitted(self, position: Position) -> MCTS:
        """The engine for the position's game."""
        rules = position.rules
        made = strong_for(position.for_kernels()) if rules.plain else _for_compiled(rules.game)
        return made._replace(**self._asdict())


Strong.WORDS = MCTS.WORDS  # type: ignore[attr-defined]


def _for_compiled(game: Any) -> MCTS:
    # The class is part of the key: tuples of two classes with equal fields are equal.
    return _cached(type(game), game)  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _cached(cls: Any, game: Any) -> MCTS:
    named = STRONG.get(whole_text(game))
    return strong_for(Position(game)) if named is None else parse_engine(named)


def strong_for(start: Position) -> MCTS:
    """The engine for the game that begins here. The same for all its positions: other parts for
    the endgame would have to be compiled in the middle of a game.

    evaluate   rollouts by the game's own policy (`rollout_action`) where it has one, with
               decisive moves where the game finds its winning moves by itself
               (`winning_action`), else uniformly random
    expand     one child with every visit; only those that the game says are enough
               (`enough_actions`), where it says so and results are proven
    select     RAVE where moves take free places for good (Hex: `moves_stay`); implicit
               minimax where the game has `evaluate` and may offer a dozen moves or more; else
               UCB1, its exploration in the game's own unit where utilities are not -1 to 1
    backup     proven results; the mean alone where dice leave nothing to prove, and under RAVE,
               where looking at so many children costs more than proofs bring
    """
    hooks = hooks_of(start.game)
    dice = start.rules.has_dice
    evaluate: Any = Rollout()
    if "rollout_action" in hooks:
        evaluate = GameRollout()
    elif "winning_action" in hooks:
        evaluate = Decisive()
    select = select_for(start, hooks, dice)
    proves = not dice and not isinstance(select, RAVE)
    return MCTS(
        select=select,
        expand=EnoughChildren() if proves and "enough_actions" in hooks else OneChild(),
        evaluate=evaluate,
        backup=Solver() if proves else Mean(),
    )


def select_for(start: Position, hooks: tuple[str, ...], dice: bool) -> Any:
    spec = start.rules.spec
    if (spec.lowest, spec.highest) != (-1.0, 1.0):
        return UCB1Spread()
    if not dice and moves_stay(start):
        return RAVE()
    wide = spec.max_actions >= WIDE and not start.rules.plain  # of a plain game nobody knows
    if "evaluate" in hooks and wide and not dice:
        return ImplicitMinimax(alpha=0.4, c=0.6)
    return UCB1(1.0)


def moves_stay(start: Position) -> bool:
    """Do moves take places, so that the same move means much the same a little later?

    No place is taken twice: a game has no more moves than there are places (and one to swap). After
    a move and an answer the mover has all earlier moves but those two.
    """
    moves, spec = set(start.legal_actions), start.rules.spec
    if len(moves) < WIDE or spec.max_length > spec.max_actions + 1:
        return False
    for first in start.legal_actions[:3]:
        after = start.play(first)
        if after.is_terminal or after.current_player == start.current_player:
            return False
        answer = next((a for a in after.legal_actions if a != first), None)
        if answer is None:
            return False
        later = after.play(answer)
        if later.is_terminal or set(later.legal_actions) != moves - {first, answer}:
            return False
    return True
