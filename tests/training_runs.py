"""Small training runs of tic-tac-toe, for tests."""

from __future__ import annotations

from ponder import position
from ponder.learn.config import training
from ponder.learn.training import TrainingRun

SETTINGS = {"simulations": 24, "first_positions": 300, "batch": 128, "seed": 5}


def new_run(folder, workers=1, game="tictactoe", cluster="", **settings):
    config = training(**{**SETTINGS, **settings})
    return TrainingRun(position(game), folder, config, workers, cluster)
