"""Modules of a user's, as `network=FILE.py:NAME` takes them; some break the contract."""

import torch


class Small(torch.nn.Module):
    """An embedding and dropout, which is off while games are played."""

    def __init__(self, board, actions, values):
        super().__init__()
        self.seen = torch.nn.Embedding(board.codes, 8)
        self.drop = torch.nn.Dropout(0.5)
        self.policy = torch.nn.Linear(8 * board.cells, actions)
        self.value = torch.nn.Linear(8 * board.cells, values)

    def forward(self, codes):
        x = self.drop(self.seen(codes).flatten(1))
        return self.policy(x), torch.tanh(self.value(x))


class Wide(Small):
    """One action too many."""

    def __init__(self, board, actions, values):
        super().__init__(board, actions + 1, values)


class Raising(torch.nn.Module):
    def __init__(self, board, actions, values):
        raise RuntimeError("not today")


def no_module(board, actions, values):
    return 7
