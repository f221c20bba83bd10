"""What the Lecture page may ask; `ponder.explorer.answers.lecture` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.schema import listing, number, optional, text, whole

MOST_RULES = 12
MOST_PULLS = 2000
"""More would take minutes in plain Python."""
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
    "bandits": Message(
        "Select rules on the same arms after so many pulls each, or as far as they have come.",
        {
            "arms": listing(number(0.0, 1.0), 8),
            "rules": listing(text(200), MOST_RULES),
            "seed": whole(0, 2**53),
            "pulls": whole(0, MOST_PULLS),
        },
        ("arms", "rules", "pulls"),
        spawns=True,
    ),
    "sources": Message(
        "What the five sources say, and the command that shows it; or what they say of a question.",
        {"question": text(400)},
        spawns=True,
    ),
    "bandit_rules": Message(
        "The select rules there are, what each does, and why some cannot play bandits.",
        spawns=True,
    ),
}
