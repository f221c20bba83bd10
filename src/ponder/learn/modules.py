"""Networks beside the kernel, in torch: codes of cells to logits of actions, and values.

The contract of every such module, the user's included:

    NAME(board, actions, values)   makes one; `board` is the game's `Geometry` with one cell more
    forward(codes)                 codes [n, cells] int64, as the mover sees them, the last of which
                                   is who is to move, to a tuple of logits [n, actions] and values
                                   [n, values] from -1 to 1: value i is that of the i-th player
                                   after the mover; one number where two play for opposite ends

Logits of illegal actions are never looked at. Values outside -1 .. 1 are taken for the nearest end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.core.geometry import Geometry
from ponder.errors import InputError
from ponder.learn.model import upper_layers
from ponder.learn.patterns import Patterns
from ponder.learn.plans import ModulePlan, PatternPlan, ResidualPlan
from ponder.learn.with_torch import torch

nn: Any = torch.nn
POLICY_PLANES, VALUE_PLANES, VALUE_WIDTH = 4, 2, 64


def one_hot(codes: Any, count: int) -> Any:
    """[n, cells] to [n, count, cells]: a plane for each code."""
    wanted = torch.arange(count, device=codes.device).view(1, count, 1)
    return (codes.unsqueeze(1) == wanted).float()


class ResidualBlock(nn.Module):  # type: ignore[misc]
    """x + two convolutions of x (He et al. 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)

    def forward(self, x: Any) -> Any:
        inner = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(inner)))


class ResidualNetwork(nn.Module):  # type: ignore[misc]
    """Convolutions with residual connections (Silver et al. 2017), small enough for a processor.

    A plane for each code, 3 x 3 convolutions; on hexagonal boards the same, whose six neighbours
    are among the eight. Cells that lie nowhere are added to every cell of the first layer.
    """

    def __init__(
        self, board: Geometry, actions: int, values: int, blocks: int, channels: int
    ) -> None:
        super().__init__()
        self.board = board
        cells = board.rows * board.columns
        self.stem = nn.Conv2d(board.codes, channels, 3, padding=1, bias=False)
        self.beside = nn.Linear(board.extra * board.codes, channels) if board.extra else None
        self.stem_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(ResidualBlock(channels) for _ in range(blocks)))
        self.policy_planes = nn.Conv2d(channels, POLICY_PLANES, 1)
        self.policy = nn.Linear(POLICY_PLANES * cells, actions)
        self.value_planes = nn.Conv2d(channels, VALUE_PLANES, 1)
        self.value_hidden = nn.Linear(VALUE_PLANES * cells, VALUE_WIDTH)
        self.value = nn.Linear(VALUE_WIDTH, values)

    def forward(self, codes: Any) -> tuple[Any, Any]:
        b = self.board
        cells = b.rows * b.columns
        planes = one_hot(codes[:, :cells], b.codes).view(-1, b.codes, b.rows, b.columns)
        x = self.stem(planes)
        if self.beside is not None:
            x = x + self.beside(one_hot(codes[:, cells:], b.codes).flatten(1)).view(
                -1, x.shape[1], 1, 1
            )
        x = self.blocks(torch.relu(self.stem_norm(x)))
        logits = self.policy(torch.relu(self.policy_planes(x)).flatten(1))
        hidden = torch.relu(self.value_hidden(torch.relu(self.value_planes(x)).flatten(1)))
        return logits, torch.tanh(self.value(hidden))


class PerceptronNetwork(nn.Module):  # type: ignore[misc]
    """Fully connected layers. The first is a sum of embeddings, one for every cell and code."""

    FIXED = ("offsets",)
    """Buffers that are looked up by: no file may say anything else."""

    def __init__(self, board: Geometry, actions: int, values: int, layers: int, width: int) -> None:
        super().__init__()
        self.register_buffer("offsets", torch.arange(board.cells) * board.codes)
        self.seen = nn.Embedding(board.cells * board.codes, width)
        nn.init.normal_(self.seen.weight, std=1 / math.sqrt(board.cells))
        inner: list[Any] = []
        for _ in range(layers - 1):
            inner += [nn.ReLU(), nn.Linear(width, width)]
        self.inner = nn.Sequential(*inner, nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, values)

    def forward(self, codes: Any) -> tuple[Any, Any]:
        x = self.inner(self.seen(codes + self.offsets).sum(1))
        return self.policy(x), torch.tanh(self.value(x))


class PatternNetwork(nn.Module):  # type: ignore[misc]
    """The network of `ponder.learn.network` as an ordinary module, to be exported."""

    def __init__(self, patterns: Patterns, weights: Any, cells: int, players: int) -> None:
        super().__init__()
        self.players = players
        count = len(patterns.starts) - 1
        powers = np.zeros((cells, count), np.float32)
        for i in range(count):
            for j in range(patterns.starts[i], patterns.starts[i + 1]):
                powers[patterns.cells[j], i] += patterns.powers[j]
        # sums below 2^24 are exact in 32 bits, and there are far fewer combinations
        for name, array in {"powers": powers, **weights._asdict()}.items():
            self.register_buffer(name, torch.from_numpy(np.array(array, np.float32)))
        self.register_buffer("bases", torch.from_numpy(np.array(patterns.bases[:-1], np.int64)))

    def forward(self, codes: Any) -> tuple[Any, Any]:
        rows = (codes.float() @ self.powers).round().long() + self.bases
        sums = nn.functional.embedding(rows, self.E).sum(1)
        return upper_layers(self, sums, codes, self.players)


def new_module(plan: Any, board: Geometry, actions: int, values: int, seed: int = 0) -> Any:
    """The module of a plan, with weights that follow from the seed; refused if it breaks the
    contract."""
    said = plan.refusal(board)
    if said:
        raise InputError(said)
    if isinstance(plan, PatternPlan):
        raise InputError("the network of kind patterns is evaluated inside the kernel")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if isinstance(plan, ModulePlan):
            made = users_module(plan, board, actions, values)
        elif isinstance(plan, ResidualPlan):
            made = ResidualNetwork(board, actions, values, plan.blocks, plan.channels)
        else:
            made = PerceptronNetwork(board, actions, values, plan.layers, plan.width)
    return made.float()


def users_module(plan: ModulePlan, board: Geometry, actions: int, values: int) -> Any:
    """A module of the user's, tried out on two boards."""
    source = plan.source
    make = plan.load()
    if not callable(make):
        raise InputError(f"{source} is nothing that makes a module: see docs/learning.md")
    codes = torch.arange(2 * board.cells).view(2, -1) % board.codes
    try:
        made = make(board, actions, values)
        if not isinstance(made, nn.Module):
            raise InputError(f"{source} gave {type(made).__name__}, expected a torch.nn.Module")
        was_training = made.training
        with torch.no_grad():
            given = made.eval()(codes)
        made.train(was_training)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{source} raised {type(error).__name__}: {error}") from error
    expected = ((2, actions), (2, values))
    found = tuple(tuple(getattr(one, "shape", ())) for one in given)
    if not isinstance(given, tuple) or found != expected:
        raise InputError(
            f"forward of {source} gave arrays of shape {found} for 2 boards; expected a tuple of "
            f"logits and values, {expected[0]} and {expected[1]}"
        )
    if not list(made.parameters()):
        raise InputError(f"{source} has no parameters that could be learned")
    return made


class LearnedModule(nn.Module):  # type: ignore[misc]
    """A module as `ponder.learn.model.Learner` takes it: it gets arrays of codes."""

    def __init__(self, module: Any) -> None:
        super().__init__()
        self.module = module

    def forward(self, codes: Any) -> tuple[Any, Any]:
        found: tuple[Any, Any] = self.module(torch.from_numpy(codes).long())
        return found

    def groups(self, decay: float) -> list[dict[str, Any]]:
        """Parameters by how much they decay: biases and norms do not."""
        weights = [p for p in self.parameters() if p.ndim > 1]
        rest = [p for p in self.parameters() if p.ndim <= 1]
        return [
            {"params": weights, "weight_decay": decay},
            {"params": rest, "weight_decay": 0.0},
        ]


class TorchPredictor:
    """A module as it is asked while games are played: in evaluation mode, without gradients."""

    def __init__(self, module: Any) -> None:
        self.module = module.eval()

    def __call__(self, codes: Any) -> tuple[Any, Any]:
        with torch.inference_mode():
            logits, values = self.module(torch.from_numpy(codes))
            return logits.float().numpy(), values.float().numpy()
