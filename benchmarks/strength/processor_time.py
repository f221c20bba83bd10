"""Training for so much processor time: other work on the machine does not count."""

from __future__ import annotations

import os

from ponder.learn.training import TrainingRun


def processor_time() -> float:
    """Of this process, in seconds."""
    times = os.times()
    return times.user + times.system


def train_for(run: TrainingRun, seconds: float) -> float:
    """Rounds until at least so much is spent, compiling left out; how much it was."""
    began = processor_time()
    while processor_time() - began < seconds:
        run.round()
    return processor_time() - began
