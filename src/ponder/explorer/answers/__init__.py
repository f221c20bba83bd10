"""What a worker does for each message: one table of functions, collected from the areas.

Each takes the desk (the page's sessions) and the message, which has been checked, and returns the
fields of the answer. An error of the user's is raised as `InputError`: its sentence is the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ponder.explorer.answers import arena, board, lab, lecture, look, play, session, training

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

ANSWERS: dict[str, Callable[[Desk, dict[str, Any]], dict[str, Any]]] = {
    **session.ANSWERS,
    **board.ANSWERS,
    **look.ANSWERS,
    **play.ANSWERS,
    **arena.ANSWERS,
    **lecture.ANSWERS,
    **lab.ANSWERS,
    **training.ANSWERS,
}
