"""Random games in plain Python with guarded arrays, before a game of the user's is searched.

Compiled rules that write outside an array write anywhere, and may end the process. So a game of
the user's is examined when a process first uses it; what passed is kept by a digest of its code
and parameters, and not examined again. Plain Python games, of which there is no digest, are
examined more briefly, once in a process.
"""

from __future__ import annotations

import contextlib
import os
import time
import warnings
import weakref
from typing import Any

from ponder.check.plain_game import PlainRulesAlone
from ponder.check.record_game import RulesAlone
from ponder.check.report import Broken, Findings
from ponder.check.walk import Walk
from ponder.core.game import is_compiled_game, rules_of
from ponder.core.registry import game_text
from ponder.errors import GameError
from ponder.jit import cache_directory, digest

GAMES = 10
SECONDS = 1.0
PLAIN_SECONDS = 0.3
EDITION = "2"
"""To be raised with every change of what is examined: what passed before is examined again."""


def rehearse(game: Any, findings: Findings, games: int = GAMES) -> None:
    """Play up to `games` random games, for about a second at most."""
    try:
        plain = not is_compiled_game(game)
        made: Any = PlainRulesAlone if plain else RulesAlone
        seconds = PLAIN_SECONDS if plain else SECONDS
        subject = made(game, findings)
        until = time.perf_counter() + seconds
        Walk(subject, findings, games, seconds / 2, lambda text: None, until).run()
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
    if not is_compiled_game(game):
        if id(game) not in _plain_games:
            _refuse_broken(game)
            with contextlib.suppress(TypeError):  # without weak references it is examined again
                weakref.finalize(game, _plain_games.discard, id(game)).atexit = False
                _plain_games.add(id(game))
        return
    folder = cache_directory()
    kept = folder / "examined" / digest(game, rules_of(game), (EDITION,)) if folder else None
    if kept is not None and kept.exists():
        return
    _refuse_broken(game)
    if kept is not None:
        with contextlib.suppress(OSError):  # it is examined again next time
            kept.parent.mkdir(mode=0o700, exist_ok=True)
            kept.touch()


_plain_games: set[int] = set()
"""Plain games that have passed, by `id`: not all can be hashed."""


def _refuse_broken(game: Any) -> None:
    findings = Findings(seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's about the game's arithmetic: for `ponder check`
        rehearse(game, findings)
    for kind, finding in findings.found.items():
        if kind != "over":  # another position may be searched
            raise GameError(f"{game_text(game)} breaks the contract: {finding}")
