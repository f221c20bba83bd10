"""What a page may ask about matches; `ponder.explorer.answers.arena` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.messages.play import LIMITS, SEED
from ponder.explorer.schema import flag, listing, optional, text, whole

MOST_ENGINES = 8
MOST_GAMES = whole(1, 100_000)
LONGEST_PART = 300_000
"""Characters of one message; a longer file comes in several."""
LARGEST_FILE = 1 << 25
"""Bytes of a match file that is opened."""

MESSAGES = {
    "match": Message(
        "Let engines play each other, every one against every other; updates bring the games.",
        {
            "game": text(),
            "engines": listing(text(), MOST_ENGINES),
            "games": MOST_GAMES,
            "openings": optional(whole(0, 40)),
            "seed": SEED,
            **LIMITS,
        },
        ("game", "engines", "games"),
        spawns=True,
    ),
    "match_stop": Message("Stop the match; the game that is being played is given up."),
    "match_go": Message(
        "Continue the match, up to so many games of each pair.", {"games": MOST_GAMES}
    ),
    "match_file": Message(
        "Open a match file, part by part: checked as `ponder match --resume` does it.",
        {"name": text(200), "part": text(LONGEST_PART), "first": flag, "last": flag},
        ("name", "part", "first", "last"),
        spawns=True,
    ),
}
