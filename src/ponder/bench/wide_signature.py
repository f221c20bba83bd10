"""A number for each group of small fixed searches: which part of the package has a change moved?

`ponder.bench.signature` watches ten long UCT searches; here is a little of everything else. Every
search becomes one line of text: nodes or simulations, visits, values, the best line. The number of
a group is a hash over its lines. They are the same in every process and in plain mode, so budgets
are small. Where a number differs, the lines say what does:

    NUMBA_DISABLE_JIT=1 python -m ponder.bench.wide_signature
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ponder.bench.fixed_selfplay import round_of_games
from ponder.bench.plain_takeaway import Takeaway
from ponder.core.position import Position
from ponder.core.result import best_name
from ponder.core.start import engine, position
from ponder.games.chess.game import Chess
from ponder.mcts.backup.operators import Max
from ponder.mcts.engine import MCTS
from ponder.mcts.parallel import TreeParallelRun
from ponder.mcts.report import report
from ponder.mcts.select.ucb import UCB1
from ponder.search.solve import solve
from ponder.search.solved import Solved

SMALL_CONNECT4 = "connect4(columns=5, rows=4, run=3)"
KNIGHTS = "4k3/2p2p2/8/3n4/8/2N5/2P2P2/4K3 w - - 0 1"
BREAKTHROUGH = "breakthrough(columns=4, rows=5, pawn_rows=1)"
THREE_PLAYERS = "connect4(columns=4, rows=3, run=3, players=3)"
DICE = "pig(target=6, horizon=6)"
NIM = "nim(heaps=(2, 1))"
SWITCHES = (
    "table=False",
    "table_moves=False",
    "hints=False",
    "killers=False",
    "history=False",
    "hints=False, evaluation_order=True",
    "scout=False",
    "aspiration=False",
    "mtdf=True",
    "quiescence=False",
    "deepen=False",
    "beam=2",
    "all_moves=True",
)
"""The switches of alpha-beta, each away from its default. Here each changes what is found."""
CHESS_SWITCHES = ("reductions=True", "null_move=True")
"""Those that need a game in which passing is possible, or longer lists of moves."""
SIMULATIONS = 200
SHARED_SIMULATIONS = 96


class GroupSignature(NamedTuple):
    """What a group of searches has found."""

    name: str
    lines: tuple[str, ...]

    @property
    def number(self) -> str:
        """16 hexadecimal digits."""
        return hash_of("\n".join(self.lines))


def wide_signature(names: Iterable[str] = ()) -> Iterator[GroupSignature]:
    """The groups of these names, all if none is named; each when it is asked for."""
    for name in tuple(names) or GROUPS:
        yield GroupSignature(name, tuple(GROUPS[name]()))


def whole_number(groups: Iterable[GroupSignature]) -> str:
    """One number over those of all groups."""
    return hash_of("\n".join(f"{group.name} {group.number}" for group in groups))


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ------------------------------------------------------------------ results as text


def number_text(value: Any) -> str:
    """Nine digits: what compiled code and plain Python have alike in any case."""
    if isinstance(value, float):
        return f"{value + 0.0:.9g}"  # no minus zero
    if isinstance(value, tuple):
        return "(" + " ".join(map(number_text, value)) + ")"
    return str(value)


def result_text(result: Any) -> str:
    """What a search has found, without its time and its sentences."""
    rows = [
        f"{row.name}: {' '.join(map(number_text, row[1:-1]))}"
        for row in (result.outcomes or result.moves)
    ]
    effort = result.nodes if result.simulations is None else result.simulations
    size = "" if result.tree is None else f" tree {result.tree.size}"
    return (
        f"{effort} to depth {result.depth} {result.deepest}{size} by {result.stopped_by}; "
        f"{best_name(result) or '-'} {number_text(result.value)} {number_text(result.values)} "
        f"root {number_text(result.root_values)}; "
        f"line {' '.join(map(str, result.pv))}; {', '.join(rows)}"
    )


def solved_text(found: Solved) -> str:
    rows = [
        f"{row.name}: {' '.join(map(number_text, (row.value, row.low, row.high, row.distance)))}"
        for row in found.moves
    ]
    return (
        f"{found.nodes} by {found.method} {found.stopped_by}; "
        f"{number_text((found.value, found.low, found.high, found.distance))} "
        f"{number_text(found.values)}; {', '.join(rows)}"
    )


def searched(spec: str, start: Position, seed: int = 1, **limits: Any) -> str:
    result = engine(spec).search(start, seed=seed, **limits)
    given = " ".join(f"{name}={value}" for name, value in limits.items())
    return f"{spec} {given}: {result_text(result)}"


# ------------------------------------------------------------------ groups


def alphabeta_lines() -> Iterator[str]:
    start = position(SMALL_CONNECT4)
    for spec in ("alphabeta()", "plain_alphabeta()", *(f"alphabeta({one})" for one in SWITCHES)):
        yield searched(spec, start, depth=5)
    yield searched("alphabeta()", start, depth=1)
    yield searched("alphabeta()", start, nodes=300)
    yield searched("alphabeta()", start, nodes=400, depth=4)
    yield searched("alphabeta()", position("tictactoe").play_all("b2 a1 c1"), depth=9)
    yield searched("alphabeta(depth=2)", position("tree"))


def chess_lines() -> Iterator[str]:
    start = Position.parse(Chess(), KNIGHTS)
    for spec in ("alphabeta()", *(f"alphabeta({one})" for one in CHESS_SWITCHES)):
        yield searched(spec, start, depth=4)


def chance_lines() -> Iterator[str]:
    for moves in ("", "roll"):
        start = position(DICE).play_all(moves)
        for pruning in ("none", "star1", "star2"):
            for table in (False, True):
                spec = f"expectiminimax(pruning={pruning}, table={table})"
                yield searched(spec, start, depth=5)
        yield searched("expectiminimax()", start, nodes=80)


def several_players_lines() -> Iterator[str]:
    for spec in ("minimax()", "maxn()", "maxn(pruning=True)", "paranoid()", "best_reply()"):
        yield searched(spec, position(THREE_PLAYERS), depth=4)
        yield searched(spec, position(THREE_PLAYERS), nodes=100)
        if spec != "minimax()":
            yield searched(spec, position(DICE), depth=4)


def solving_lines() -> Iterator[str]:
    tasks: list[tuple[str, str | None, tuple[str, ...]]] = [
        (NIM, None, ()),
        *((NIM, method, ()) for method in ("alphabeta", "proof-number", "value-iteration")),
        *((NIM, method, ()) for method in ("minimax", "maxn", "expectiminimax")),
        ("pig(target=2)", None, ("decisions",)),
        ("pig(target=4, horizon=4)", "expectiminimax", ()),
        ("connect4(columns=3, rows=2, run=2, players=3)", None, ()),
    ]
    for game, method, hold in tasks:
        found = solve(position(game), method=method, hold=hold)
        yield f"{game} {method} {hold}: {solved_text(found)}"


def mcts_lines(*specs: str, game: str = "tictactoe", moves: str = "") -> Iterator[str]:
    for spec in specs:
        start = position(game).play_all(moves)
        yield f"{game} {moves} {searched(spec, start, simulations=SIMULATIONS)}"


def select_lines() -> Iterator[str]:
    yield from mcts_lines("mcts()", "mcts(select=rave())", "flat()")
    yield from mcts_lines("mcts()", game=DICE)
    yield from mcts_lines("mcts()", game=DICE, moves="roll")
    yield from mcts_lines("mcts()", game=THREE_PLAYERS)


def prior_lines() -> Iterator[str]:
    expand = "expand=all_children(priors=order())"
    yield from mcts_lines(
        f"mcts(select=puct(), {expand}, evaluate=static())",
        f"mcts(select=gumbel(considered=4), {expand}, evaluate=static(), decide=improved())",
        game=BREAKTHROUGH,
    )


def backup_lines() -> Iterator[str]:
    rules = ("solver()", "max(points=1)", "robust_max()", "mix(points=9)", "minimax()")
    yield from mcts_lines(*(f"mcts(backup={rule})" for rule in rules), moves="b2 a1 c1")


def decide_lines() -> Iterator[str]:
    rules = ("highest_value", "lower_bound", "max_robust", "most_visits", "sampled", "secure")
    yield from mcts_lines(*(f"mcts(decide={rule}())" for rule in rules))


def strong_lines() -> Iterator[str]:
    yield from mcts_lines("strong()")


def transposition_lines() -> Iterator[str]:
    yield from mcts_lines("mcts(transpositions=True)")


def shared_lines() -> Iterator[str]:
    """One thread in a tree that is made for several: what it does depends on no other."""
    run = TreeParallelRun(position("tictactoe"), engine("mcts()"), 1, 16.0).prepare()
    run.advance(SHARED_SIMULATIONS)
    yield result_text(report(run, 0.0, "simulations"))


def plain_game_lines() -> Iterator[str]:
    start = Position(Takeaway())
    yield searched("mcts()", start, simulations=SIMULATIONS)
    yield searched("alphabeta()", start, depth=9)
    yield solved_text(solve(start))


def session_lines() -> Iterator[str]:
    """Sessions that are changed, gone back in, and forked."""
    mcts = MCTS().start(position("tictactoe"), seed=1, switchable=True)
    mcts.run(simulations=40)
    mcts.change(select=UCB1(c=0.5))
    mcts.run(simulations=30)
    mcts.change(backup=Max(points=1))
    mcts.run(simulations=30)
    yield f"changed twice: {result_text(mcts.result())}"
    mcts.rewind(55)
    yield f"gone back to {mcts.moment}: {result_text(mcts.result())}"
    fork = mcts.fork()
    fork.run(simulations=20)
    yield f"forked: {result_text(fork.result())}"
    mcts.rewind(mcts.furthest, after=True)
    yield f"forward to {mcts.moment}: {result_text(mcts.result())}"
    alphabeta = engine("alphabeta()").start(position(SMALL_CONNECT4))
    alphabeta.run(nodes=300)
    alphabeta.rewind(220)
    yield f"alphabeta, gone back to {alphabeta.moment}: {result_text(alphabeta.result())}"
    alphabeta.step()
    alphabeta.run(nodes=50)
    yield f"on to {alphabeta.moment}: {result_text(alphabeta.result())}"


def selfplay_lines() -> Iterator[str]:
    for way in ("visits", "improvement"):
        rows = round_of_games(way)
        yield f"{way}: {rows.count[2]} moves, {len(rows.games)} positions"
        states = hashlib.sha256(np.ascontiguousarray(rows.states).tobytes()).hexdigest()[:16]
        yield f"{way}: states {states}"
        for i, game in enumerate(rows.games):
            numbers = (*rows.policy[i], *rows.results[i], *rows.values[i])
            yield f"{game}: " + " ".join(f"{float(x) + 0.0:.5g}" for x in numbers)


GROUPS: dict[str, Callable[[], Iterator[str]]] = {
    "alphabeta": alphabeta_lines,
    "alphabeta chess": chess_lines,
    "chance": chance_lines,
    "several players": several_players_lines,
    "solving": solving_lines,
    "select": select_lines,
    "priors": prior_lines,
    "backup": backup_lines,
    "decide": decide_lines,
    "strong": strong_lines,
    "transpositions": transposition_lines,
    "shared tree": shared_lines,
    "plain game": plain_game_lines,
    "sessions": session_lines,
    "self-play": selfplay_lines,
}
"""What each group is called, and what makes its lines."""


if __name__ == "__main__":
    for group in wide_signature():
        print(f"# {group.name} {group.number}", *group.lines, "", sep="\n", flush=True)
