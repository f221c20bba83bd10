"""How fast networks beside the kernel are, per second of processor time: evaluations through torch
and through ONNX Runtime by the size of the batch, and positions of self-play with 100 simulations a
move, beside the network inside the kernel.

    python benchmarks/speed/beside.py connect4 residual mlp
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from ponder import position
from ponder.learn.config import training
from ponder.learn.modules import TorchPredictor, new_module
from ponder.learn.network import value_count
from ponder.learn.onnx_file import export_onnx, load_onnx
from ponder.learn.plans import parse_plan, plan_text
from ponder.learn.roads import road_of
from ponder.learn.root_ways import SelfPlayPUCT, Visits
from ponder.learn.seeing import sight_of
from ponder.learn.selfplay import Play
from ponder.mcts.backup.mean import Mean

BATCHES = (1, 16, 64, 256)
SECONDS = 1.5
PLAYING = 10.0


def rate(predict, codes):
    """Evaluations per second."""
    predict(codes)
    began, calls = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        predict(codes)
        calls += 1
    return calls * len(codes) / (time.process_time() - began)


def self_play(start, sight, network, through):
    """Positions per second."""
    road = road_of(start, sight, training(network=network, through=through))
    play = Play(100, 100, 1.0, 12, 0.5, 8, 0.85, 0.07, True, Visits(0.25, 10.0))
    workers = road.workers(play, SelfPlayPUCT(), Mean(), 1)
    began = time.process_time()
    workers.begin(1, 0, 1 << 30)
    workers.wait(PLAYING)
    workers.cancel()
    seconds = time.process_time() - began
    moves = sum(int(piece.count[2]) for piece in workers.pieces)
    unfinished = getattr(workers.workers[0], "games", [])
    return (moves + sum(int(one.at.moves[0]) for one in unfinished)) / seconds


def main() -> None:
    game, texts = sys.argv[1], sys.argv[2:] or ["residual", "mlp"]
    start = position(game)
    sight, spec = sight_of(start), start.rules.spec
    rng = np.random.default_rng(1)
    print(f"{'evaluations/s, batch of':36}" + "".join(f"{n:>10}" for n in BATCHES))
    for text in texts:
        plan = parse_plan(text)
        module = new_module(plan, sight.board, sight.actions, value_count(spec))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.onnx"
            export_onnx(path, start, sight, plan.kind, module, {})
            ways = {"torch": TorchPredictor(module), "onnx": load_onnx(path, start)[1]}
        for name, predict in ways.items():
            found = [
                rate(predict, rng.integers(0, sight.board.codes, (n, sight.board.cells)))
                for n in BATCHES
            ]
            row = f"{plan_text(plan)} {name}"
            print(f"{row:36}" + "".join(f"{speed:>10,.0f}" for speed in found))
    print("positions/s of self-play, 100 simulations a move")
    for text in ["patterns", *texts]:
        for through in ("torch",) if text == "patterns" else ("torch", "onnx"):
            name = text if text == "patterns" else f"{plan_text(parse_plan(text))} {through}"
            print(f"{name:36}{self_play(start, sight, text, through):>10,.1f}", flush=True)


if __name__ == "__main__":
    main()
