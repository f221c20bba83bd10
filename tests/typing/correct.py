"""Programs as users write them: a type checker has nothing to say of them."""

import threading
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ponder
from ponder import (
    MCTS,
    Action,
    AlphaBeta,
    BestReply,
    Expectiminimax,
    InputError,
    Limit,
    MaxN,
    Minimax,
    Paranoid,
    Position,
    SearchResult,
    SearchTree,
    Session,
    Strong,
    engine,
    explain,
    game,
    match,
    perft,
    position,
    solve,
    why,
)
from ponder.backup import Max, Mean, Solver
from ponder.decide import HighestValue, MostVisits
from ponder.evaluate import Cutoff, Function, Rollout
from ponder.expand import AllChildren, OneChild
from ponder.fpu import Loss
from ponder.mcts.protocols import LeafFunction, SelectRule
from ponder.presets import uct
from ponder.priors import OrderPriors
from ponder.select import PUCT, UCB1


def searches() -> SearchResult:
    start = position("connect4").play_all("4 4 3")
    for searcher in (MCTS(), AlphaBeta(depth=4), Minimax(depth=2), MaxN(), Paranoid(), BestReply()):
        found = searcher.search(start, Limit(seconds=0.1), seed=1)
        print(found.best_move.name, found.value, [move.name for move in found.pv], found.table())
        start = start.play(found.best_move)
    Strong(threads=2).search(start, simulations=100)
    Expectiminimax(pruning="star1").search(position("pig"), depth=3)
    uct(c=1.4, simulations=100).search(start)
    stop = threading.Event()
    return MCTS().search(start, seconds=1, stop=stop, progress=lambda p: None, moves=["4"])


def parts() -> MCTS:
    plain = MCTS(UCB1(c=1.4), OneChild(), Rollout(), Mean(), MostVisits())
    proven = plain._replace(backup=Solver(Max()), decide=HighestValue())
    priors = MCTS(
        select=PUCT(c_init=2.0, fpu=Loss()),
        expand=AllChildren(priors=OrderPriors(temperature=0.3)),
        evaluate=Cutoff(plies=4),
        threads=2,
        parallel="root",
    )
    return max((plain, proven, priors), key=lambda one: one.threads)


def values_of(positions: list[Position]) -> list[tuple[float, ...]]:
    return [(0.0, 0.0) for _ in positions]


def functions() -> SearchResult:
    return MCTS(evaluate=Function(values_of, batch=8)).search(position("othello"), simulations=64)


def moves(seed: int) -> str:
    here = position("connect4")
    while here.outcome() is None:
        found = MCTS().search(here, simulations=20, seed=seed)
        if found.score is not None and found.score.pov(0) > 0.9:
            print(found.score, found.score.share, found.simulations_per_second)
        here = here.play(found.best_move).copy()
    line = ", ".join(move.name for move in here.undo().legal_moves)
    found = MCTS().search(position("othello"), simulations=20)
    return f"{here.ply} {here.winner} {line} {position('othello').play_all(found.pv)}"


def whose(rule: SelectRule, function: LeafFunction) -> MCTS:
    return MCTS(select=rule, evaluate=function)


def arrays(positions: list[Position]) -> tuple[np.ndarray, list[dict[Action, float]]]:
    return np.zeros((len(positions), 2)), [dict.fromkeys(p.legal_actions, 1.0) for p in positions]


def sessions(path: str) -> Session:
    session = MCTS().start(position("tictactoe"), seed=1, plan=Limit(simulations=1000))
    reason: str = session.run(simulations=500)
    session.change(backup=Max(points=1), select=UCB1())
    session.step()
    session.rewind(100)
    session.save(path)
    twin = session.fork()
    AlphaBeta().start(position("tictactoe")).run(nodes=100)
    print(reason, twin.moment, twin.result().value)
    return Session.load(path)


def trees(start: Position) -> SearchTree | None:
    result = MCTS().search(start, simulations=100)
    if result.tree is not None:
        result.tree.save("connect4.tree")
        print(why(result.tree.root))
    return SearchTree.load("connect4.tree")


def others() -> None:
    start = position(game("nim(heaps=(1, 2))"))
    found = solve(start, method="proof-number")
    print(found.value, [move.name for move in found.best], perft(start, 3))
    print(explain(position("othello")))
    done = match("tictactoe", "mcts(simulations=20)", MCTS(simulations=10), games=2, seed=1)
    print(done.score, engine("uct()"))
    try:
        start.play("no move")
    except InputError as error:
        print(error)


class Countdown:
    """A plain Python game."""

    players = 2

    def start(self) -> tuple[int, int]:
        return 9, 0

    def current_player(self, state: tuple[int, int]) -> int:
        return state[1]

    def legal_actions(self, state: tuple[int, int]) -> list[int]:
        return [n for n in (1, 2) if n <= state[0]]

    def apply_action(self, state: tuple[int, int], n: int) -> tuple[int, int]:
        return state[0] - n, 1 - state[1]

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def returns(self, state: tuple[int, int]) -> tuple[int, int]:
        return (1, -1) if state[1] == 1 else (-1, 1)


class Greedy(NamedTuple):
    """A select rule of one's own: what it is given has the types of kernels."""

    c: float = 1.0

    def shared(
        self, game: Any, parts: Any, tree: Any, work: Any, depth: Any, n: Any, log: Any
    ) -> Any:
        return self.c

    def terms(
        self, shared: Any, tree: Any, child: Any, visits: Any, inverse: Any, root: Any, mean: Any
    ) -> Any:
        return mean, shared * inverse


def own() -> SearchResult:
    start = Position(Countdown())
    print(start.play(1).legal_actions, ponder.select.UCB1(1.0))
    print(whose(Greedy(), values_of), whose(PUCT(), arrays), whose(UCB1(), lambda positions: []))
    return MCTS(select=Greedy(c=0.5)).search(start, simulations=50)


@dataclass(frozen=True)
class Step:
    forward: bool


class Walk:
    """A plain game whose actions are objects of a class of one's own."""

    def start(self) -> int:
        return 0

    def current_player(self, state: int) -> int:
        return state % 2

    def legal_actions(self, state: int) -> tuple[Step, ...]:
        return Step(True), Step(False)

    def apply_action(self, state: int, action: Step) -> int:
        return state + (1 if action.forward else 3)

    def is_terminal(self, state: int) -> bool:
        return state > 8

    def returns(self, state: int) -> list[float]:
        return [1.0, -1.0] if state % 2 else [-1.0, 1.0]


def walked() -> Position:
    return position(Walk).play(Step(True)).play(Position(Walk()).legal_moves[0])
