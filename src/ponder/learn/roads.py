"""Two roads to a trained network: inside the kernel, or beside it. What the training loop sees of
them: a model that learns, workers that play with what has been learned, and a file.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from ponder.core.position import Position
from ponder.errors import InputError
from ponder.learn.beside_file import save_module
from ponder.learn.config import Training
from ponder.learn.file import network_for, save_network
from ponder.learn.leaf_workers import LeafWorkers
from ponder.learn.model import PatternModel
from ponder.learn.modules import LearnedModule, TorchPredictor, new_module
from ponder.learn.network import in_phases, network_of, new_weights, value_count
from ponder.learn.onnx_file import OnnxPredictor, onnx_bytes
from ponder.learn.patterns import patterns_of
from ponder.learn.plain_codes import refuse_plain
from ponder.learn.plain_games import PlainWorkers
from ponder.learn.plans import ModulePlan, PatternPlan, parse_plan
from ponder.learn.seeing import Sight
from ponder.learn.selfplay import Play
from ponder.learn.workers import Workers


class KernelRoad:
    """The network of `ponder.learn.network`."""

    module = ""

    def __init__(self, position: Position, sight: Sight, seed: int, phases: int = 1) -> None:
        self.position, self.sight, self.phases = position, sight, phases
        spec = position.rules.spec
        self.patterns = patterns_of(sight.board)
        values = value_count(spec)
        weights = new_weights(self.patterns, spec.players, sight.actions, values, seed, phases)
        self.model: Any = PatternModel(self.patterns, weights, spec.players)
        self.network = network_of(sight, self.patterns, weights, spec)

    def begin_with(self, name: str) -> None:
        """Take the weights of this network over, into the model, too."""
        network, _ = network_for(name, self.position)
        self.model.take(in_phases(network.weights, network.players, self.phases))
        self.renew(self.model)

    def renew(self, model: Any) -> None:
        """Let self-play use what this model has learned."""
        for old, new in zip(self.network.weights, model.weights(), strict=True):
            old[...] = new

    def workers(self, play: Play, select: Any, backup: Any, count: int) -> Workers:
        cells, kind = self.sight.board.cells, Workers
        if self.position.rules.plain:
            kind, count = PlainWorkers, 1
        return kind(self.position, self.network, cells, play, select, backup, count)

    def save(self, path: Path, trained: dict[str, Any]) -> None:
        save_network(path, self.position, self.sight, self.network.weights, trained)


class BesideRoad:
    """A torch module: one that learns, and a copy of it that plays, as an ONNX model if `onnx`."""

    def __init__(self, position: Position, sight: Sight, plan: Any, seed: int, onnx: bool) -> None:
        self.position, self.sight, self.plan, self.onnx = position, sight, plan, onnx
        spec = position.rules.spec
        made = new_module(plan, sight.board, sight.actions, value_count(spec), seed)
        self.model: Any = LearnedModule(made)
        self.playing = copy.deepcopy(made)
        self.predict: Any = None
        self.renew(self.model)

    @property
    def module(self) -> str:
        """Where the code of a module of the user's is."""
        return self.plan.source if isinstance(self.plan, ModulePlan) else ""

    def begin_with(self, name: str) -> None:
        raise InputError("begin takes up a network inside the kernel, network=patterns")

    def renew(self, model: Any) -> None:
        self.playing.load_state_dict(model.module.state_dict())
        self.predict = TorchPredictor(self.playing)
        if self.onnx:
            data = onnx_bytes(self.position, self.sight, self.plan.kind, self.playing, {})
            self.predict = OnnxPredictor("self-play", data, self.position, self.sight)

    def ask(self, codes: Any) -> Any:
        """The predictor of all workers: the network as it was last renewed."""
        return self.predict(codes)

    def workers(self, play: Play, select: Any, backup: Any, count: int) -> Workers:
        return LeafWorkers(self.position, self.sight, self.ask, play, select, backup, count)

    def save(self, path: Path, trained: dict[str, Any]) -> None:
        save_module(path, self.position, self.sight, self.plan, self.playing, trained)


def road_of(position: Position, sight: Sight, config: Training) -> KernelRoad | BesideRoad:
    """The road that the settings name."""
    plan = parse_plan(config.network)
    onnx = config.through == "onnx"
    if not isinstance(plan, PatternPlan):
        refuse_plain(position, f"network={plan.kind}")
        if config.phases > 1:
            raise InputError("phases are of the network inside the kernel, network=patterns")
        return BesideRoad(position, sight, plan, config.seed, onnx)
    if onnx:
        raise InputError("through=onnx is for networks beside the kernel, such as network=residual")
    return KernelRoad(position, sight, config.seed, config.phases)
