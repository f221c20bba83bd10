"""What the Lecture page may ask; `ponder.explorer.answers.lecture` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.schema import listing, number, optional, text, whole

TREE = {"tree": text(), "players": whole(1, 6)}
"""A tree in its notation (`ponder.games.tree_notation`), and for how many players."""

MESSAGES = {
    "lesson": Message(
        "A search of a small tree after so many steps (null: at its end), told step by step.",
        {
            **TREE,
            "engine": text(),
            "depth": optional(whole(1, 100)),
            "step": optional(whole(0, 10**6)),
            "chair": whole(0, 1),
        },
        ("tree", "players", "engine"),
        spawns=True,
    ),
    "tree_edit": Message(
        "The tree with another utility of a player at one leaf.",
        {
            **TREE,
            "path": listing(text(100), 200),
            "player": whole(0, 5),
            "value": number(-1e6, 1e6),
        },
        ("tree", "players", "path", "player", "value"),
        spawns=True,
    ),
    "tree_order": Message(
        "The tree with the moves of every decision best first, worst first, or shuffled by a seed.",
        {**TREE, "order": text(20), "seed": whole(0, 2**53)},
        ("tree", "players", "order"),
        spawns=True,
    ),
}
