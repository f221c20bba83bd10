"""How fast self-play is, and what its time goes into, beside OpenSpiel's AlphaZero in one run.

    python benchmarks/speed/learning_speed.py [--game connect4] [--seconds 10]

Self-play with the network inside the kernel at 100 simulations a move, on one thread and on all;
the share of the time that the network takes (evaluations counted, times what one takes by itself;
what the search before has evaluated already is remembered and does not count);
then OpenSpiel's Python AlphaZero on the same game with as many simulations. Its own model needs
JAX; here its search (`MCTSBot` with the settings of `alpha_zero.py`: PUCT, noise, no solver) is
given an evaluator that costs nothing, equal priors and the value 0, which no network could be
faster than, and one with a network of two small layers in torch, asked as its own is.
Last, evaluations and simulations per second by `net`, `static()` and `rollout()`.

Rates are per second of processor time, but those of several threads, which are per second.
"""

from __future__ import annotations

import argparse
import os
import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ponder import engine, position
from ponder.core.game import hooks_of
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.jit import copy_record_from, inlined, kernel
from ponder.learn.file import network_for
from ponder.learn.network import (
    NARROW,
    WIDTH,
    hidden,
    logit,
    scratch_for,
    softmax,
    write_values,
)
from ponder.learn.root_ways import SelfPlayPUCT, Visits
from ponder.learn.seeing import visited_states
from ponder.learn.selfplay import Play
from ponder.learn.workers import Workers
from ponder.mcts.backup.mean import Mean
from ponder.mcts.parts import parts_of
from ponder.mcts.run import new_work

SIMULATIONS = 100
SEARCHED = 100_000
SHIPPED = {
    "connect4": "connect4",
    "tictactoe": "tictactoe",
    "othello(rows=6, columns=6)": "othello6",
    "breakthrough(rows=6, columns=6)": "breakthrough6",
    "hex(size=7)": "hex7",
}
ROOM = 512
"""States that are evaluated again and again."""
PEERS = {"connect4": "connect_four", "tictactoe": "tic_tac_toe"}


class CountedCells(NamedTuple):
    """What writes the codes, and how often it was asked."""

    cells: Any
    count: Any  # [1] i8

    @inlined
    def write(self, game, s, raw, player, out):
        self.count[0] += 1
        self.cells.write(game, s, raw, player, out)


@kernel
def evaluated(game, network, states, scratch, actions, scores, values, times):
    """Priors and values of all states, so many times."""
    for _ in range(times):
        for i in range(states.size):
            copy_record_from(scratch.states, 0, states, i)
            s = scratch.states[0]
            player = game.current_player(s)
            hidden(network, game, s, scratch, player)
            n = game.legal_actions(s, actions)
            for k in range(n):
                seen = game.seen_action(np.int64(actions[k]), player)
                scores[k] = logit(network, seen, scratch)
            softmax(scores, n)
            write_values(network, scratch, player, values)


@kernel
def estimated(game, rule, states, work, rng, longest, times):
    """Values of all states by an evaluate rule, so many times."""
    for _ in range(times):
        for i in range(states.size):
            copy_record_from(work.states, 1, states, i)
            rule.estimate(game, work.states[1], work, rng, longest)


def per_second(call: Any, seconds: float, count: int) -> float:
    """How many a second, where call(times) does `count` of them so many times."""
    call(1)
    began, done = time.process_time(), 0
    while time.process_time() - began < seconds:
        call(10)
        done += 10 * count
    return done / (time.process_time() - began)


class Played(NamedTuple):
    """What some seconds of self-play have brought."""

    moves: int
    seconds: float
    processor: float


def self_play(start: Position, network: Any, cells: int, threads: int, seconds: float) -> Played:
    """Games of so many threads for so many seconds of processor time each."""
    play = Play(SIMULATIONS, SIMULATIONS, 1.0, 12, 0.5, 8, 0.85, 0.07, True, Visits(0.25, 10.0))
    workers = Workers(start, network, cells, play, SelfPlayPUCT(), Mean(), threads)
    began, processor = time.perf_counter(), time.process_time()
    workers.begin(1, 0, 1 << 30)
    while time.process_time() - processor < threads * seconds:
        workers.wait(0.1)
    workers.cancel()
    spent = time.perf_counter() - began, time.process_time() - processor
    return Played(sum(int(piece.count[2]) for piece in workers.pieces), *spent)


def show_self_play(start: Position, name: str, seconds: float) -> float:
    """Prints what self-play does; positions per second of processor time on one thread."""
    network, cells = network_for(name, start)
    count = np.zeros(1, np.int64)
    counted = network._replace(cells=CountedCells(network.cells, count))
    one = self_play(start, counted, cells, 1, seconds)
    alone = per_second(evaluations(start, network, cells), seconds / 4, ROOM)
    share = count[0] / alone / one.processor
    print(f"self-play, {SIMULATIONS} simulations, 1 thread   {one.moves / one.processor:>12,.0f}/s")
    print(f"  evaluations, not remembered ones      {count[0] / one.processor:>12,.0f}/s")
    print(f"  evaluations, nothing else             {alone:>12,.0f}/s")
    print(f"  share of the time in the network      {share:>12.0%}")
    threads = os.cpu_count() or 1
    many = self_play(start, counted, cells, threads, seconds)
    print(f"self-play, {threads} threads                    {many.moves / many.seconds:>12,.0f}/s")
    print(f"  processors that it got                {many.processor / many.seconds:>12.2f}")
    return one.moves / one.processor


def evaluations(start: Position, network: Any, cells: int) -> Any:
    spec, part = start.rules.spec, start.rules.part
    states = visited_states(part, spec)[:ROOM].copy()
    assert len(states) == ROOM
    scratch = scratch_for(network, spec, cells)
    lists = np.zeros(spec.max_actions + 64, np.int32), np.zeros(spec.max_actions + 64)
    values = np.zeros(spec.players)
    return partial(evaluated, part, network, states, scratch, *lists, values)


def show_peer(game: str, ours: float, seconds: float) -> None:
    """OpenSpiel's search, and how many times as fast ours is."""
    try:
        import pyspiel
        import torch
        from open_spiel.python.algorithms import mcts
    except ImportError as error:
        print(f"{error.name} is not installed: OpenSpiel is left out")
        return
    torch.set_num_threads(1)
    theirs = pyspiel.load_game(PEERS[game])

    class Nothing(mcts.Evaluator):
        """Equal priors and the value 0, at no cost."""

        def evaluate(self, state: Any) -> Any:
            return np.zeros(2)

        def prior(self, state: Any) -> Any:
            legal = state.legal_actions()
            return [(action, 1.0 / len(legal)) for action in legal]

    class SmallNetwork(mcts.Evaluator):
        """As `alpha_zero/evaluator.py`: one state at a time, kept for the next question."""

        def __init__(self) -> None:
            seen, actions = theirs.observation_tensor_size(), theirs.num_distinct_actions()
            self.body = torch.nn.Sequential(
                torch.nn.Linear(seen, WIDTH),
                torch.nn.ReLU(),
                torch.nn.Linear(WIDTH, NARROW),
                torch.nn.ReLU(),
                torch.nn.Linear(NARROW, actions + 1),
            )
            self.known: dict[bytes, Any] = {}

        def inference(self, state: Any) -> Any:
            seen = np.asarray(state.observation_tensor(), np.float32)
            mask = np.asarray(state.legal_actions_mask())
            key = seen.tobytes() + mask.tobytes()
            if key not in self.known:
                with torch.inference_mode():
                    out = self.body(torch.from_numpy(seen)).numpy()
                likely = np.where(mask, np.exp(out[:-1]), 0.0)
                self.known[key] = float(np.tanh(out[-1])), likely / likely.sum()
            return self.known[key]

        def evaluate(self, state: Any) -> Any:
            value, _ = self.inference(state)
            return np.array([value, -value])

        def prior(self, state: Any) -> Any:
            _, policy = self.inference(state)
            return [(action, policy[action]) for action in state.legal_actions()]

    for name, evaluator in (("no network", Nothing()), ("small network", SmallNetwork())):
        rate = peer_rate(mcts, theirs, evaluator, seconds)
        print(f"OpenSpiel, {name}, 1 thread{'':{14 - len(name)}}{rate:>15,.0f}/s")
        print(f"  ratio                                 {ours / rate:>12,.0f}")


def peer_rate(mcts: Any, theirs: Any, evaluator: Any, seconds: float) -> float:
    """Positions per second of processor time."""
    bot = mcts.MCTSBot(
        theirs,
        1.25,
        SIMULATIONS,
        evaluator,
        solve=False,
        random_state=np.random.RandomState(1),
        child_selection_fn=mcts.SearchNode.puct_value,
        dirichlet_noise=(0.25, 1.0),
        dont_return_chance_node=True,
    )
    rng, state = np.random.default_rng(1), theirs.new_initial_state()
    began, moves = time.process_time(), 0
    while time.process_time() - began < seconds:
        if state.is_terminal():
            state = theirs.new_initial_state()
        root = bot.mcts_search(state)
        visits = np.array([child.explore_count for child in root.children], float)
        drawn = rng.choice(len(visits), p=visits / visits.sum())
        state.apply_action(root.children[drawn].action)
        moves += 1
    return moves / (time.process_time() - began)


def show_rules(start: Position, name: str, seconds: float) -> None:
    """Evaluations and simulations per second by rule."""
    spec, part = start.rules.spec, start.rules.part
    states = visited_states(part, spec)[:ROOM].copy()
    static = ["static()"] if "evaluate" in hooks_of(start.game) else []
    rules = [f"net({name!r})", *static, "rollout()"]
    print(f"{'':40}evaluations/s  simulations/s of mcts")
    for text in rules:
        player = engine(f"mcts(evaluate={text})")
        parts = parts_of(player, start)
        work, longest = new_work(parts, spec, start), int(spec.max_length)
        call = partial(estimated, part, parts.evaluate, states, work, new_rng(1), longest)
        evaluations_made = per_second(call, seconds / 4, ROOM)
        player.search(start, simulations=SEARCHED // 100, seed=1)  # compiles
        began = time.process_time()
        player.search(start, simulations=SEARCHED, seed=1)
        simulations = SEARCHED / (time.process_time() - began)
        print(f"{text:40}{evaluations_made:>13,.0f}  {simulations:>13,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="connect4", choices=list(SHIPPED))
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    start, name = position(given.game), SHIPPED[given.game]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{given.game}: load {load} on {os.cpu_count()} cores")
    ours = show_self_play(start, name, given.seconds)
    if given.game in PEERS:
        show_peer(given.game, ours, given.seconds)
    show_rules(start, name, given.seconds)


if __name__ == "__main__":
    main()
