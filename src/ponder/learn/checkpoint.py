"""What a training run keeps on disk, so that it can be ended at any moment.

    config.json       the settings
    codes.json        of a plain Python game: how its states and actions are coded
    games/N.played    the games of round N, written when the round is over
    checkpoint        weights, optimiser and counts after a round; names the rounds it stands on
    log.jsonl         a line for each round
    best.network      the network, to play with

Every file is written whole or not at all, in that order: a run that dies leaves a checkpoint and
all the games that it counts. Random numbers follow from the seed and the number of the round or
game, so nothing else has to be kept, and a round that was not finished is played again as it was.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.array_file import ArrayFile
from ponder.core.game import Spec
from ponder.errors import InputError
from ponder.files import line_of, object_of, read_file, save_file
from ponder.learn.selfplay import PlayedRows

PLAYED = ArrayFile(b"PONDER PLAYED  1", "a file of games", "restore it, or train anew")
CHECKPOINT = ArrayFile(b"PONDER TRAINING1", "a checkpoint", "restore it, or train anew")
LOG = "log.jsonl"


def save_played(folder: Path, number: int, played: PlayedRows) -> None:
    """Keep the games of a round."""
    arrays = played._asdict()
    arrays["states"] = played.states.view(np.uint8).reshape(len(played.games), -1)
    PLAYED.write(round_file(folder, number), {"round": number}, arrays)


def load_played(folder: Path, number: int, spec: Spec) -> PlayedRows | None:
    """The games of a round; None if they are not there. Kernels may follow their positions only
    after `ponder.learn.played_check`."""
    path = round_file(folder, number)
    if not path.exists():
        return None
    header, arrays = PLAYED.read(path)
    made = {name: np.array(arrays[name]) for name in PlayedRows._fields if name in arrays}
    if header.get("round") != number or len(made) != len(PlayedRows._fields):
        raise InputError(f"{path} is not the file of round {number}: {PLAYED.advice}")
    rows = made["states"]
    if rows.ndim != 2 or rows.shape[1] != spec.state.itemsize:
        raise InputError(f"{path} was made when the game had other records: train anew")
    if rows.dtype != np.uint8:
        raise InputError(f"{path} is damaged: its positions are no records: {PLAYED.advice}")
    made["states"] = rows.reshape(-1).view(spec.state).view(np.recarray)
    played = PlayedRows(**made)
    check_numbers(path, played, spec)
    return played


def check_numbers(path: Path, played: PlayedRows, spec: Spec) -> None:
    """InputError unless arrays and totals fit each other, and all numbers are what they mean."""
    n = len(played.states)
    shapes = {
        "policy": (np.float32, (n, spec.max_actions)),
        "results": (np.float32, (n, spec.players)),
        "values": (np.float32, (n, spec.players)),
        "games": (np.int64, (n,)),
        "count": (np.int64, (3,)),
    }
    arrays = played._asdict()
    for name, (kind, shape) in shapes.items():
        PLAYED.check_array(path, arrays, name, kind, shape)
    few = 1e-3 * (1 + abs(spec.lowest) + abs(spec.highest))  # they are 32-bit numbers
    rows, _, moves = played.count.tolist()
    sound = (
        rows == n
        and n <= moves < 1 << 62
        and (played.games >= 0).all()
        and (np.diff(played.games) >= 0).all()
        and (played.policy >= 0).all()
        and (np.abs(played.policy.sum(1, dtype=np.float64) - 1) < 1e-3).all()
        and all(
            ((numbers >= spec.lowest - few) & (numbers <= spec.highest + few)).all()
            for numbers in (played.results, played.values)
        )
    )
    if not sound:
        raise InputError(f"{path} is damaged: its numbers are not of games: {PLAYED.advice}")


def round_file(folder: Path, number: int) -> Path:
    return folder / "games" / f"{number:06d}.played"


def rounds_kept(folder: Path) -> list[int]:
    """The rounds whose games are kept, in their order; files of other names are somebody else's."""
    stems = (path.stem for path in (folder / "games").glob("*.played"))
    return sorted(int(stem) for stem in stems if re.fullmatch("[0-9]{6,18}", stem))


def forget_rounds(folder: Path, before: int) -> None:
    """Remove the games that are no longer learned from."""
    for number in rounds_kept(folder):
        with contextlib.suppress(OSError):
            if number < before:
                round_file(folder, number).unlink()


def save_log(folder: Path, lines: list[dict[str, Any]]) -> None:
    save_file(folder / LOG, b"".join(map(line_of, lines)))


COUNTS = ("rounds", "games", "positions", "steps", "simulations")
LOSSES = ("policy_loss", "value_loss")
"""None in the first round, before anything is learned."""
OTHER_NUMBERS = (
    *("seconds_wanted", "learning_rate", "window", "score", "rating", "rating_games"),
    *("rating_seconds", "solved", "policy_mistakes", "search_mistakes"),
)
"""None, or absent: where nobody wanted them, or in rounds after which nobody played opponents."""


def check_line(line: dict[str, Any]) -> None:
    """ValueError or KeyError unless a line of the log has what those who read logs rely on."""
    sound = (
        all(type(line[name]) is int and line[name] >= 0 for name in COUNTS)
        and type(line["seconds"]) in (int, float)
        and all(type(line[name]) in (int, float, type(None)) for name in LOSSES)
        and all(type(line.get(name)) in (int, float, type(None)) for name in OTHER_NUMBERS)
        and isinstance(line.get("opponent", ""), str)
        and ("rung" not in line or (type(line["rung"]) is int and 0 <= line["rung"] < 1000))
        and ("opponent" in line) == ("score" in line) == ("rung" in line)
        and ("solved" in line) == ("search_mistakes" in line) == ("policy_mistakes" in line)
    )
    if not sound:
        raise ValueError("a line is none of a log")


def read_log(folder: Path) -> list[dict[str, Any]]:
    """What every finished round said of itself; nothing where there is none."""
    path = folder / LOG
    if not path.exists():
        return []
    lines = read_file(path).split(b"\n")[:-1]
    try:
        found = [object_of(line) for line in lines]
        if [line["rounds"] for line in found] != list(range(1, len(found) + 1)):
            raise ValueError("a round is missing, or there twice")
        for line in found:
            check_line(line)
        return found
    except (ValueError, KeyError):
        raise InputError(f"{path} is damaged: {CHECKPOINT.advice}") from None
