"""What a page may ask about positions; `ponder.explorer.answers.board` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.schema import listing, text

MOVES = listing(text(100), 2000)

MESSAGES = {
    "board": Message(
        "A position: its drawing, its text, who moves, and where each action is on the drawing.",
        {"game": text(), "position": text(), "moves": MOVES},
        ("game",),
        spawns=True,
    ),
}
