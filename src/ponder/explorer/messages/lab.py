"""What a page may ask about experiments; `ponder.explorer.answers.lab` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.messages.play import SEED
from ponder.explorer.schema import by_name, flag, listing, number, text

EXPERIMENT = {
    "experiment": text(40),
    "version": text(20),
    "sizes": by_name(number(-1e12, 1e12), 20),
    "seed": SEED,
    "game": text(),
    "own": listing(text(), 8),
}
"""What `ponder lab` is told: the name, quick, default or full, --size, --seed, --game, --with."""

MESSAGES = {
    "experiments": Message(
        "The experiments there are, and what has been measured of them.", spawns=True
    ),
    "plan": Message(
        "What an experiment says before it runs, and what was kept of a run with these sizes.",
        EXPERIMENT,
        ("experiment",),
        spawns=True,
    ),
    "lab_run": Message(
        "Run it in a process of its own, on from what is kept, or `again` from the beginning.",
        {**EXPERIMENT, "again": flag},
        ("experiment",),
        spawns=True,
    ),
    "lab_stop": Message("End the run; its finished steps are kept."),
}
