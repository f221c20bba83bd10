"""`ponder cache`: the compiled code that is kept on disk: what it is for, how large, cleared."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ponder.cli import ahead, options
from ponder.cli.console import say
from ponder.errors import InputError

if TYPE_CHECKING:
    from ponder.jit.kernel_files import KernelFile


def command(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="With --fill: these games; else all there are."),
    ] = None,
    fill: Annotated[
        bool, typer.Option("--fill", help="Compile the games ahead, with the usual engines.")
    ] = False,
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove the compiled code; nothing else.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Show the compiled code that is kept on disk, make it ahead, or remove it.

    Whatever is removed is compiled again when it is needed. To fill the cache with all games that
    come with Ponder takes minutes, at low priority; Ctrl-C ends it, and the same command goes on.
    """
    if fill and clear:
        raise InputError("--fill and --clear: one of them at a time")
    if games and not fill:
        raise InputError(f"GAME goes with --fill: ponder cache --fill {' '.join(games)}")
    from ponder.cache_folder import cache_place, folder_fault
    from ponder.jit.kernel_files import LIMIT, kernel_files
    from ponder.jit.kernel_files import clear as clear_folder

    folder = cache_place()
    if fault := folder_fault(folder):
        raise InputError(f"no compiled code is kept in {folder}: {fault}")
    data: dict[str, Any] = {"folder": str(folder), "limit": LIMIT}
    if fill:
        data["searches"] = made = ahead.fill(games or ahead.shipped(), say)
    if clear:
        files, size = clear_folder(folder)
        data |= {"removed": {"files": files, "bytes": size}}
    kept = kernel_files(folder)
    data |= {"files": len(kept), "bytes": sum(file.bytes for file in kept)}
    data["kept"] = rows(kept)
    if as_json:
        print(json.dumps(data))
        return
    if fill:
        print(
            f"compiled {made['compiled']} kinds of searches; {made['there']} were there, "
            f"{made['left_out']} left out"
        )
    if clear:
        print(f"removed {counted(files)}, {megabytes(size)} MB")
    total, limit = megabytes(data["bytes"]), megabytes(LIMIT)
    print(f"{folder}: {counted(len(kept))}, {total} of at most {limit} MB")
    if kept:
        print("\n" + table(data["kept"]))


def rows(files: Iterable[KernelFile]) -> list[dict[str, Any]]:
    """What the files are for: of each game, and of each kind of code for it, a row."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for file in files:
        game, code = purpose(file.label())
        empty = {"game": game, "code": code, "files": 0, "bytes": 0, "used": 0.0}
        row = found.setdefault((game, code), empty)
        row["files"] += 1
        row["bytes"] += file.bytes
        row["used"] = max(row["used"], file.used)
    return [found[key] for key in sorted(found)]


def purpose(label: dict[str, Any]) -> tuple[str, str]:
    """The game and the code for it, as far as the label says; empty where it does not."""
    from ponder.core.registry import GAMES, PARTS

    games = {target.partition(":")[0].split(".")[2]: name for name, target in GAMES.items()}
    parts = {target: name for table in PARTS.values() for name, target in table.items()}
    game, used = "", []
    for name in label.get("classes", ()):
        module, _, class_name = str(name).partition(":")
        steps = module.split(".")
        if steps[0] != "ponder":
            game = game or class_name
        elif steps[1] == "games" and len(steps) > 2:
            game = games.get(steps[2], game)
        elif name in parts:
            used.append(parts[name])
    own, _, rest = str(label.get("module", "")).partition(".")
    layer = rest.partition(".")[0] if own == "ponder" else own
    return game, ": ".join(filter(None, (layer, " ".join(sorted(used)))))


def table(kept: list[dict[str, Any]]) -> str:
    lines = [("game", "code", "files", "MB", "used")]
    lines += [
        (
            row["game"] or "any",
            row["code"] or "unknown",
            f"{row['files']}",
            megabytes(row["bytes"]),
            time.strftime("%Y-%m-%d", time.localtime(row["used"])),
        )
        for row in kept
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        f"{game:{widths[0]}}  {code:{widths[1]}}  {files:>{widths[2]}}  {size:>{widths[3]}}  {used}"
        for game, code, files, size, used in lines
    )


def counted(files: int) -> str:
    return f"{files:,} file{'' if files == 1 else 's'}"


def megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f}"
