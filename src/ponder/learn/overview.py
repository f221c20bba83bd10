"""How a training run has gone: what `ponder train --show` prints and the explorer shows."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ponder.core.position import Position
from ponder.learn.checkpoint import LOG, read_log
from ponder.learn.config import Training, read_config
from ponder.learn.sample_games import sample_games

ROWS = 16
"""Rounds of the table, apart from those in which opponents were played."""
PATIENCE = 3.0
"""A run that has not finished a round for so many times the length of the last has ended."""
LEAST_PATIENCE = 30.0

COLUMNS = (
    *("minutes", "games", "positions", "policy", "value", "against", "score"),
    *("mistakes", "of the policy"),
)


def overview(folder: Path) -> dict[str, Any]:
    """All that the folder of a run says, apart from its games: no code of a game is run."""
    config, rounds = read_config(folder), read_log(folder)
    return {
        "game": str(config.get("game", "")),
        "config": config,
        "changed": changed(config),
        "rounds": rounds,
        "line": progress_line(rounds[-1]) if rounds else "no round is finished yet",
        "left": seconds_left(rounds[-1]) if rounds else None,
        "going": is_going(folder, rounds),
        "columns": list(COLUMNS),
        "table": [table_row(line) for line in chosen(rounds)],
    }


def games_of(folder: Path, start: Position) -> list[dict[str, Any]]:
    """Games of the newest round."""
    return [game._asdict() for game in sample_games(folder, start)]


def changed(config: dict[str, Any]) -> dict[str, Any]:
    """The settings that are not the usual ones."""
    usual = Training._field_defaults
    return {k: v for k, v in config.items() if k != "game" and v != usual.get(k)}


def seconds_left(line: dict[str, Any]) -> float | None:
    """Of the time that the run was begun with; None where it had no end."""
    wanted = line.get("seconds_wanted")
    return None if wanted is None else max(0.0, wanted - line["seconds"])


def is_going(folder: Path, rounds: list[dict[str, Any]]) -> bool:
    """Does somebody train there? Rounds follow each other, as long as there is time."""
    try:
        age = time.time() - (folder / LOG).stat().st_mtime
    except OSError:
        return False
    if not rounds or seconds_left(rounds[-1]) == 0.0:
        return False
    before = rounds[-2]["seconds"] if len(rounds) > 1 else 0.0
    usual: float = rounds[-1]["seconds"] - before
    return age < max(LEAST_PATIENCE, PATIENCE * usual)


def progress_line(line: dict[str, Any]) -> str:
    """Games, positions, losses, rating and the time left, in one line."""
    words = [f"{line['games']:,} games  {line['positions']:,} positions"]
    if line["policy_loss"] is not None:
        words.append(f"loss {line['policy_loss']:.3f} policy {line['value_loss']:.3f} value")
    if "opponent" in line:
        words.append(f"{line['score']:.0%} against {line['opponent']}")
    if "solved" in line:
        words.append(f"{line['search_mistakes']:.0%} mistakes")
    left = seconds_left(line)
    words.append(
        f"{line['seconds'] / 60:.1f} min" + ("" if left is None else f", {left / 60:.1f} left")
    )
    return "  ".join(words)


def chosen(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some rounds from the first to the last, and all in which opponents were played."""
    step = max(1, len(lines) // ROWS)
    return [
        line
        for i, line in enumerate(lines)
        if i % step == 0 or i == len(lines) - 1 or "opponent" in line
    ]


def table_row(line: dict[str, Any]) -> list[str]:
    """A round as texts, under COLUMNS."""

    def shown(name: str, form: str) -> str:
        return "" if line.get(name) is None else format(line[name], form)

    return [
        f"{line['seconds'] / 60:.1f}",
        f"{line['games']:,}",
        f"{line['positions']:,}",
        shown("policy_loss", ".3f"),
        shown("value_loss", ".3f"),
        line.get("opponent", ""),
        shown("score", ".0%"),
        shown("search_mistakes", ".0%"),
        shown("policy_mistakes", ".0%"),
    ]
