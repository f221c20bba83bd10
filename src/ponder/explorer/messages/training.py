"""What a page may ask about training runs; `ponder.explorer.answers.training` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.schema import text, whole

RUN = text(255)
"""A name that `runs` has given."""

MESSAGES = {
    "runs": Message("The training runs in the folder that the server shows.", spawns=True),
    "training_run": Message(
        "How a run has gone; `known`: rounds that the page has, nothing new is not told again.",
        {"run": RUN, "known": whole(0, 10**9)},
        ("run",),
        spawns=True,
    ),
    "training_games": Message(
        "Games of its newest round, move by move.", {"run": RUN}, ("run",), spawns=True
    ),
}
