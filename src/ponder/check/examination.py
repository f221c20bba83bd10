"""Random games in plain Python with guarded arrays, before anything of a game is run compiled.

Compiled rules that write outside an array write anywhere, and may end the process. So a game of
the user's is examined when a process first uses it; what passed is kept by a digest of its code
and parameters, and not examined again.
"""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from typing import Any

from ponder.check.record_game import RulesAlone
from ponder.check.report import Broken, Findings
from ponder.check.walk import Walk
from ponder.core.game import rules_of
from ponder.core.registry import game_text
from ponder.errors import GameError
from ponder.jit import cache_directory, digest

GAMES = 10
SECONDS = 1.0
EDITION = "1"
"""To be raised with every change of what is examined: what passed before is examined again."""


def rehearse(game: Any, findings: Findings, games: int = GAMES) -> None:
    """Play up to `games` random games of a record game, for about a second at most."""
    try:
        subject = RulesAlone(game, findings)
        until = time.perf_counter() + SECONDS
        Walk(subject, findings, games, SECONDS / 2, lambda text: None, until).run()
    except Broken as broken:
        findings.add(broken.kind, broken.message)
    finally:
        findings.game = None


def examine(game: Any) -> None:
    """GameError, with the line that `ponder check` gives, where the rules break their contract.

    ``PONDER_EXAMINE=0`` in the environment switches it off.
    """
    if os.environ.get("PONDER_EXAMINE") == "0":
        return
    folder = cache_directory()
    kept = folder / "examined" / digest(game, rules_of(game), (EDITION,)) if folder else None
    if kept is not None and kept.exists():
        return
    findings = Findings(seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's about the game's arithmetic: for `ponder check`
        rehearse(game, findings)
    for kind, finding in findings.found.items():
        if kind != "over":  # another position may be searched
            raise GameError(f"{game_text(game)} breaks the contract: {finding}")
    if kept is not None:
        with contextlib.suppress(OSError):  # it is examined again next time
            kept.parent.mkdir(mode=0o700, exist_ok=True)
            kept.touch()
