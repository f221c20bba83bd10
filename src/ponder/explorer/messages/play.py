"""What a page may ask in order to play; `ponder.explorer.answers.play` answers."""

from __future__ import annotations

from ponder.core.registry import RECORD_FORMATS
from ponder.explorer.messages.message import Message
from ponder.explorer.schema import flag, listing, number, text, whole

MOVES = listing(text(100), 4000)
SEED = whole(0, 2**53)
GAME = {"game": text(), "position": text(), "moves": MOVES}
"""A game as far as it has come: GAME text, where it began (empty: the start), moves and dice by
name."""
LIMITS = {
    "seconds": number(0.01, 600.0),
    "simulations": whole(1, 10**8),
    "nodes": whole(1, 10**10),
    "depth": whole(1, 200),
}
LONGEST_RECORD = 500_000
"""Characters of a game that is pasted or loaded."""
FORMS = tuple(word for word, known in RECORD_FORMATS.items() if known.write)

MESSAGES = {
    "table": Message(
        "A position; `move` is played first, and with `roll` dice are thrown by the seed.",
        {**GAME, "seed": SEED, "move": text(100), "roll": flag},
        ("game",),
        spawns=True,
    ),
    "think": Message(
        "Let an engine search a position to the end of its limits; updates tell how far it is.",
        {**GAME, "seed": SEED, "engine": text(), **LIMITS},
        ("game", "engine"),
        spawns=True,
    ),
    "hurry": Message("Let a search that was begun with think end now, with what it has found."),
    "drop": Message("Give up a search that was begun with think."),
    "read_game": Message(
        "The game that a text means: PGN, SGF, FEN, a saved game, a position or moves.",
        {"game": text(), "text": text(LONGEST_RECORD)},
        ("game", "text"),
        spawns=True,
    ),
    "write_game": Message(
        "The game as a text, in one of the forms " + ", ".join(FORMS) + ".",
        {**GAME, "form": text(20), "result": text(20)},
        ("game", "form"),
        spawns=True,
    ),
}
