"""What a page may ask to look closer at a search; `ponder.explorer.answers.look` answers."""

from __future__ import annotations

from ponder.explorer.messages.message import Message
from ponder.explorer.messages.session import MOST_MOMENTS, PATH
from ponder.explorer.schema import listing, whole

MESSAGES = {
    "catalogue": Message(
        "Games, engines and parts, with parameters and descriptions: what forms are made of.",
        spawns=True,
    ),
    "names": Message(
        "The names of the actions after each of some nodes, with chances where dice fall.",
        {"paths": listing(PATH, 100)},
        ("paths",),
    ),
    "lines": Message(
        "The line of play that the search expects after each of its first moves.",
        {"most": whole(1, 20)},
    ),
    "phases": Message(
        "The last simulation again: selected, expanded, evaluated, backed up, with reasons."
    ),
    "events": Message(
        "What a classical search did after `since`, or last: at most so many events.",
        {"since": whole(0, MOST_MOMENTS), "most": whole(1, 2000)},
    ),
    "drawing": Message(
        "The search tree drawn as on a blackboard, of at most so many nodes.",
        {"most": whole(1, 300)},
    ),
}
