"""`check`: a whole game, from its methods to its texts."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

from ponder.check.examination import GAMES, rehearse
from ponder.check.memory import check_memory
from ponder.check.plain_game import CheckedPlainGame
from ponder.check.record_game import RecordGame
from ponder.check.report import Broken, CheckReport, Findings
from ponder.check.structure import check_structure
from ponder.check.walk import Walk
from ponder.core.game import is_compiled_game
from ponder.core.protocols import Game
from ponder.core.registry import game_text
from ponder.errors import InputError

MOST_GAMES = 10_000_000
"""As in a match: beyond this somebody has mistyped."""
DEFAULT_SECONDS = 3.0
"""How long the slow checks (plain Python, hooks, texts) may take, spread over all games."""


def check_game(
    game: Game,
    *,
    games: int = 20,
    seed: int = 0,
    seconds: float = DEFAULT_SECONDS,
    progress: Callable[[str], None] | None = None,
) -> CheckReport:
    """Play `games` random games and report what is wrong with the rules of `game`.

    Rules and sizes are checked in every state; the slow checks in as many states as fit into
    about `seconds`, always in the first and the last state of a game.
    """
    if games < 1:
        raise InputError(f"games must be 1 or more, not {games}")
    if games > MOST_GAMES:
        raise InputError(f"games must be at most {MOST_GAMES:,}, not {games:,}")
    began = time.perf_counter()
    findings = Findings(seed)
    walk = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            check_structure(game, findings)
            if findings.ok:
                subject: Any
                if is_compiled_game(game):
                    rehearse(game, findings, min(games, GAMES))
                    subject = RecordGame(game, findings, compiled=findings.ok)
                else:
                    subject = CheckedPlainGame(game, findings)
                check_again = check_memory(subject, findings)
                if "memory" not in findings.found:  # else all comparisons would be noise
                    walk = Walk(subject, findings, games, seconds, progress or _silent)
                    walk.run()
                    if findings.ok:
                        check_again()
        except Broken as broken:
            findings.add(broken.kind, broken.message)
    _retell(caught, findings)
    return CheckReport(
        game=game_text(game),
        findings=tuple(findings.found.values()),
        notes=tuple(findings.notes),
        seed=seed,
        seconds=time.perf_counter() - began,
        counts=walk.counts if walk is not None else None,
        hooks=walk.subject.hooks if walk is not None else (),
    )


def _silent(text: str) -> None:
    """No progress wanted."""


def _retell(caught: list[warnings.WarningMessage], findings: Findings) -> None:
    """What NumPy said about the game's arithmetic becomes a note; the rest is warned again."""
    for warning in caught:
        text = str(warning.message)
        if "encountered in" in text:
            hint = " (meant? then use wrap_add, wrap_subtract, wrap_multiply of ponder.jit)"
            findings.note(
                f"plain Python warns: {text}{hint if text.startswith('overflow') else ''}"
            )
        elif issubclass(warning.category, RuntimeWarning):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
