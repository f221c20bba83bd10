"""All that a page may ask of the server: one table, from which every message is checked.

    {"id": 7, "do": "step", "session": "main", "count": 1}      page -> server, JSON
    {"re": 7, "moment": 151, ...}                                the answer, JSON
    {"re": 7, "error": "moments run from 0 to 150"}        or one sentence
    {"told": "lost", "error": "..."}                             unasked news, JSON
    an update (binary): see `ponder.explorer.frames`

`docs/explorer.md` shows this table. Each area has a file here, and one of the same name in
`ponder.explorer.answers` with a function for every word.
"""

from __future__ import annotations

from typing import Any

from ponder.errors import InputError, quoted
from ponder.explorer.messages import arena, board, lab, lecture, look, play, session, training
from ponder.explorer.messages.message import Message
from ponder.explorer.schema import Check, first_wrong, table, text, whole
from ponder.json_text import read_json

LONGEST_MESSAGE = 1 << 20
"""Bytes; a longer message ends the connection before it is read."""

MESSAGES: dict[str, Message] = {
    **session.MESSAGES,
    **board.MESSAGES,
    **look.MESSAGES,
    **play.MESSAGES,
    **arena.MESSAGES,
    **lecture.MESSAGES,
    **lab.MESSAGES,
    **training.MESSAGES,
}
"""By the word that stands under `do`. All may have `session`, a name for one of several searches
of a page (without it: "main")."""

ENVELOPE: dict[str, Check] = {
    "id": whole(0, 2**53),
    "do": text(40),
    "session": text(40),
}


LONGEST_NUMBER = 1000
"""Digits of a number that is refused by the name of its field; longer ones are no message."""


def read_message_text(data: str) -> Any:
    """The value in a text; ValueError if it is none."""
    return read_json(data, most_digits=LONGEST_NUMBER)


def read_message(data: str) -> dict[str, Any]:
    """The message in a text; anything else is refused with one sentence."""
    try:
        message = read_message_text(data)
    except ValueError:
        raise InputError("a message is JSON") from None
    if not isinstance(message, dict):
        raise InputError(f"a message is an object, not {quoted(message)}")
    word = message.get("do")
    if not isinstance(word, str) or word not in MESSAGES:
        raise InputError(f"there is no message {quoted(word)} (docs/explorer.md lists them)")
    known = MESSAGES[word]
    fields = {**ENVELOPE, **known.fields}
    for name, check in fields.items():  # what a person has typed: said without the message's name
        if name in message and (wrong := first_wrong(name, check, message[name])):
            raise InputError(wrong)
    if wrong := table(fields, ("id", *known.needed))(message):
        raise InputError(f"the message {word} {wrong}")
    return message
