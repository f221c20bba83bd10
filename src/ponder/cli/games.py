"""`ponder games`: which games there are, their parameters, sizes and optional hooks."""

from __future__ import annotations

import json
from typing import Any

from ponder.cli import options
from ponder.cli.console import rich_console


def command(as_json: options.Json = False) -> None:
    """List the games.

    For each one: parameters, players, sizes, and the optional hooks it gives.
    """
    from ponder.core.registry import GAMES

    rows = [describe(name) for name in sorted(GAMES)]
    if as_json:
        print(json.dumps({"games": rows}))
        return
    console = rich_console()
    for row in rows:
        given = ", ".join(f"{k}={v!r}" for k, v in row["parameters"].items())
        console.print(f"{row['name']}({given})", style="bold", soft_wrap=True)
        sizes = (
            f"{row['players']} player{'s' if row['players'] != 1 else ''}, "
            f"up to {row['max_actions']} moves in a position and {row['max_length']} in a game, "
            f"state of {row['state_bytes']} bytes"
        )
        for line in (row["about"], sizes, "hooks: " + (" ".join(row["hooks"]) or "none")):
            console.print("  " + line, soft_wrap=True)
    console.print()
    console.print(f"{len(rows)} games. Your own: ponder check my_game.py:MyGame", soft_wrap=True)


def describe(name: str) -> dict[str, Any]:
    """All about the game with its default parameters."""
    from ponder.core.game import hooks_of
    from ponder.core.start import game as game_named

    game: Any = game_named(name)
    spec = game.spec()
    return {
        "name": name,
        "about": (type(game).__doc__ or "").strip().splitlines()[0],
        "parameters": dict(game._asdict()),
        "players": spec.players,
        "max_actions": spec.max_actions,
        "distinct_actions": spec.distinct_actions or spec.max_actions,
        "max_length": spec.max_length,
        "utilities": [spec.lowest, spec.highest],
        "zero_sum": spec.zero_sum,
        "state_bytes": spec.state.itemsize,
        "hooks": list(hooks_of(game)),
    }
