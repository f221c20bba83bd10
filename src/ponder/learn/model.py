"""The network of `ponder.learn.network` once more, in torch, where it learns.

The loss (Silver et al. 2017), averaged over a batch, with A the legal actions:

    L = mean over the values of (z - v)^2 - sum over A of pi(a) log P(a)      (+ weight decay)
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ponder.jit import kernel, natural
from ponder.learn.network import WEIGHTS, Weights, find_rows
from ponder.learn.patterns import Patterns
from ponder.learn.replay import Batch
from ponder.learn.with_torch import torch


@kernel
def combinations(patterns, codes, out):
    """The embedding that each pattern shows, for every row of codes."""
    for i in range(codes.shape[0]):
        find_rows(patterns, codes[i], out[i])


@kernel
def sum_rows(E, rows, out):
    """out[i] = the sum of E[r] over the rows r of i."""
    for i in range(rows.shape[0]):
        for k in range(E.shape[1]):
            out[i, k] = 0.0
        for j in range(rows.shape[1]):
            r = natural(rows[i, j])
            for k in range(E.shape[1]):
                out[i, k] += E[r, k]


@kernel
def spread_rows(given, rows, out):
    """The gradient of `sum_rows`: given[i] is added to out[r] for all rows r of i."""
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            r = natural(rows[i, j])
            for k in range(given.shape[1]):
                out[r, k] += given[i, k]


class RowSum(torch.autograd.Function):
    """What torch's `embedding_bag` is with mode="sum"; with a cheaper gradient."""

    @staticmethod
    def forward(context: Any, E: Any, rows: Any) -> Any:
        context.rows, context.shape = rows, E.shape
        made = torch.empty(len(rows), E.shape[1], dtype=E.dtype)
        sum_rows(E.detach().numpy(), rows, made.numpy())
        return made

    @staticmethod
    def backward(context: Any, given: Any) -> tuple[Any, None]:
        made = torch.zeros(context.shape, dtype=given.dtype)
        spread_rows(given.contiguous().numpy(), context.rows, made.numpy())
        return made, None


def upper_layers(w: Any, sums: Any, codes: Any, players: int) -> tuple[Any, Any]:
    """Logits and values from the sums of the embeddings, by the second layers that `layer_of`
    names."""
    codes, layers = torch.as_tensor(codes), len(w.b1)
    layer = codes[:, -1:]
    if layers > players:
        filled = (codes[:, :-1] != 0).sum(1, keepdim=True)
        layer = layer + filled * (layers // players) // codes.shape[1] * players
    own = (layer == torch.arange(layers)).to(sums.dtype)
    h1 = torch.relu(sums + own @ w.b1)
    h2 = torch.relu((own.T.unsqueeze(2) * (h1 @ w.W2)).sum(0) + own @ w.b2)
    return h2 @ w.Wp.T + w.bp, torch.tanh(h2 @ w.Wv.T + w.bv)


class PatternModel(torch.nn.Module):
    """Codes of cells to logits of all actions and values from -1 to 1."""

    def __init__(self, patterns: Patterns, weights: Weights, players: int) -> None:
        super().__init__()
        self.patterns, self.players = patterns, players
        for name in WEIGHTS:
            made = torch.from_numpy(getattr(weights, name).copy())
            self.register_parameter(name, torch.nn.Parameter(made))

    def forward(self, codes: Any) -> tuple[Any, Any]:
        numbers = np.zeros((len(codes), len(self.patterns.starts) - 1), np.int64)
        combinations(self.patterns, codes, numbers)
        found: tuple[Any, Any] = upper_layers(
            self, RowSum.apply(self.E, numbers), codes, self.players
        )
        return found

    def weights(self) -> Weights:
        """Copies of all weights, for kernels."""
        return Weights(*(getattr(self, name).detach().numpy().copy() for name in WEIGHTS))

    def take(self, weights: Weights) -> None:
        """Have these weights."""
        with torch.no_grad():
            for name in WEIGHTS:
                getattr(self, name).copy_(torch.from_numpy(getattr(weights, name)))

    def groups(self, decay: float) -> list[dict[str, Any]]:
        """Parameters by how much they decay: of embeddings, most are seen rarely."""
        rest = [getattr(self, name) for name in WEIGHTS[1:]]
        return [
            {"params": [self.E], "weight_decay": 0.1 * decay},
            {"params": rest, "weight_decay": decay},
        ]


def losses(model: Any, batch: Batch) -> tuple[Any, Any]:
    """The policy's loss and the values' loss on a batch."""
    logits, values = model(batch.codes)
    legal = torch.from_numpy(batch.legal).long()
    offered = logits.gather(1, legal.clamp(min=0))
    # what is no legal action takes no part in the softmax
    offered = offered.masked_fill(legal < 0, -1e9)
    policy = torch.from_numpy(batch.policy)
    policy_loss = -(policy * torch.log_softmax(offered, 1)).sum(1).mean()
    value_loss = ((values - torch.from_numpy(batch.values)) ** 2).mean()
    return policy_loss, value_loss


def fixed_buffers(module: Any) -> dict[str, Any]:
    """The buffers, by name, that follow from the game alone: in its parts listed as ``FIXED``."""
    return {
        f"{path}.{name}".lstrip("."): part.get_buffer(name)
        for path, part in module.named_modules()
        for name in getattr(part, "FIXED", ())
    }


class Learner:
    """A model, its optimiser, and a second model, which plays: a moving mean of the weights, since
    single steps are noisy (Polyak & Juditsky 1992). With a share of 1 it is the last step alone."""

    def __init__(self, model: Any, learning_rate: float, decay: float) -> None:
        self.model, self.mean = model, copy.deepcopy(model).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(model.groups(decay), lr=learning_rate, fused=True)

    def seed(self, number: int) -> None:
        """What is random in the model itself, dropout say, follows from this number."""
        torch.manual_seed(number)

    def learn(self, batch: Batch, learning_rate: float, share: float = 1) -> tuple[float, float]:
        """One step, of which the mean takes this share; the losses before it."""
        self.model.train()
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        policy, value = losses(self.model, batch)
        self.optimiser.zero_grad(set_to_none=True)
        (policy + value).backward()
        self.optimiser.step()
        with torch.no_grad():
            for mean, new in zip(self.mean.parameters(), self.model.parameters(), strict=True):
                mean.lerp_(new, share)
            for mean, new in zip(self.mean.buffers(), self.model.buffers(), strict=True):
                mean.copy_(new)
        return float(policy.detach()), float(value.detach())

    def arrays(self) -> dict[str, Any]:
        """All that the learner knows, as arrays: weights and their mean, the optimiser's two
        moments, and what batch norms have seen."""
        made = {f"mean/{name}": one.numpy() for name, one in self.mean.named_parameters()}
        for name, parameter in self.model.named_parameters():
            made[f"weights/{name}"] = parameter.detach().numpy()
            state = self.optimiser.state.get(parameter, {})
            for key in ("exp_avg", "exp_avg_sq", "step"):
                if key in state:
                    made[f"{key}/{name}"] = state[key].numpy()
        for name, buffer in self.model.named_buffers():
            made[f"buffers/{name}"] = buffer.numpy()
        return made

    def restore(self, arrays: dict[str, Any]) -> None:
        """Take up what `arrays` said; ValueError, and nothing has changed, if it is not of this
        model."""
        self._check(arrays)
        with torch.no_grad():
            for name, buffer in self.model.named_buffers():
                buffer.copy_(torch.from_numpy(np.array(arrays[f"buffers/{name}"])))
            for mean, seen in zip(self.mean.buffers(), self.model.buffers(), strict=True):
                mean.copy_(seen)
            for name, mean in self.mean.named_parameters():
                mean.copy_(torch.from_numpy(np.array(arrays[f"mean/{name}"])))
            for name, parameter in self.model.named_parameters():
                parameter.copy_(torch.from_numpy(np.array(arrays[f"weights/{name}"])))
                if f"step/{name}" in arrays:
                    self.optimiser.state[parameter] = {
                        key: torch.from_numpy(np.array(arrays[f"{key}/{name}"]))
                        for key in ("exp_avg", "exp_avg_sq", "step")
                    }

    def _check(self, arrays: dict[str, Any]) -> None:
        """ValueError unless the arrays are those of this model: optimisers look at no shapes."""
        expected = {}
        for name, parameter in self.model.named_parameters():
            kinds = ["weights", "mean"]
            if f"step/{name}" in arrays:
                kinds += ["exp_avg", "exp_avg_sq"]
                expected[f"step/{name}"] = ((), np.dtype(np.float32))
            like = parameter.detach().numpy()
            expected |= {f"{kind}/{name}": (like.shape, like.dtype) for kind in kinds}
        for name, buffer in self.model.named_buffers():
            expected[f"buffers/{name}"] = (tuple(buffer.shape), buffer.numpy().dtype)
        if {name: (one.shape, one.dtype) for name, one in arrays.items()} != expected:
            raise ValueError("the arrays are of another model")
        for name, one in arrays.items():
            least = 0.0 if name.startswith(("exp_avg_sq/", "step/")) else -np.inf
            if not (np.isfinite(one) & (one >= least)).all():
                raise ValueError(f"{name} are no finite numbers")
        for name, one in fixed_buffers(self.model).items():
            if not np.array_equal(arrays[f"buffers/{name}"], one.numpy()):
                raise ValueError(f"{name} follow from the game, and are others")
