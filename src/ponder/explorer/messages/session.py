"""What a page may ask about its searches; `ponder.explorer.answers.session` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.schema import flag, listing, number, optional, table, text, whole

MOST_NODES = 20_000
"""Nodes of a tree in one update."""
MOST_MOMENTS = 10**9

PARTS = table({kind: text() for kind in ("select", "expand", "evaluate", "backup", "decide")})
CHANGE = table(
    {
        "at": whole(0, MOST_MOMENTS),
        **{kind: text() for kind in ("select", "expand", "evaluate", "backup", "decide")},
    },
    needed=("at",),
)
HISTORY = table(
    {
        "format": text(40),
        "game": text(),
        "position": text(),
        "moves": listing(text(100), 2000),
        "engine": text(),
        "seed": whole(0, 2**63 - 1),
        "plan": optional(whole(1, MOST_MOMENTS)),
        "memory": optional(number(1.0, 4096.0)),
        "depth": optional(whole(1, 1000)),
        "only": listing(text(100), 2000),
        "changes": listing(CHANGE, 200),
        "at": whole(0, MOST_MOMENTS),
    },
    needed=("game", "engine", "seed"),
)
"""`History.to_json()`; what is left out has its usual value."""
PATH = listing(whole(0, 2**31 - 1), 400)
"""Actions by number from the root to a node: column `action` of an update."""

MESSAGES = {
    "open": Message(
        "Begin the session of a history at its moment; answers with the whole state.",
        {
            "history": HISTORY,
            "nodes": whole(0, MOST_NODES),
            "deepest": whole(0, 10_000),
            "every": number(0.02, 10.0),
            "grain": whole(0, 10**6),
        },
        ("history",),
        spawns=True,
    ),
    "run": Message(
        "Go on: `rate` simulations a second (null: as fast as possible), up to the moment `until`.",
        {"rate": optional(number(0.1, 1e6)), "until": optional(whole(1, MOST_MOMENTS))},
    ),
    "pause": Message("Stop going on."),
    "step": Message("Go on by `count` steps.", {"count": whole(1, 1000)}),
    "change": Message("Switch parts from this moment on.", {"parts": PARTS}, ("parts",)),
    "rewind": Message(
        "Go to an earlier (or later) moment; `after`: the changes made at it included.",
        {"to": whole(0, MOST_MOMENTS), "after": flag},
        ("to",),
    ),
    "why": Message(
        "Statistics of a node, and every term of the select rule for each of its children.",
        {"path": PATH},
    ),
    "watch": Message(
        "How many nodes an update shows, down to which depth, and seconds between two updates.",
        {
            "nodes": whole(0, MOST_NODES),
            "deepest": whole(0, 10_000),
            "every": number(0.02, 10.0),
        },
    ),
    "seen": Message("The last update has been painted: the next one may come."),
    "close": Message("End this session."),
}
