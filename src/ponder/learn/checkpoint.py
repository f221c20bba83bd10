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
    """The games of a round; None if they are not there."""
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
    made["states"] = rows.reshape(-1).view(spec.state).view(np.recarray)
    return PlayedRows(**made)


def round_file(folder: Path, number: int) -> Path:
    return folder / "games" / f"{number:06d}.played"


def forget_rounds(folder: Path, before: int) -> None:
    """Remove the games that are no longer learned from."""
    for path in (folder / "games").glob("*.played"):
        with contextlib.suppress(OSError, ValueError):
            if int(path.stem) < before:
                path.unlink()


def save_log(folder: Path, lines: list[dict[str, Any]]) -> None:
    save_file(folder / LOG, b"".join(map(line_of, lines)))


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
        return found
    except (ValueError, KeyError):
        raise InputError(f"{path} is damaged: {CHECKPOINT.advice}") from None
