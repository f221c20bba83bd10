"""What compiling and plain Python have taken, remembered beside the compiled code.

One small file, `times.json`. Every kind of work is known by a text, such as ``search connect4
mcts()``. Nothing depends on what stands here but which of two ways to the same result is taken, and
what people are told of the time it takes.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from ponder.cache_folder import cache_directory
from ponder.errors import PonderError
from ponder.files import write_atomically
from ponder.json_text import json_object

FILE = "times.json"
MOST = 300
"""Kinds of work that are remembered: the last ones."""
LONGEST = 300
"""Letters of such a text that are kept."""
PATIENCE = 0.5
"""Seconds of compiling that are not worth a word, nor to be remembered."""
USUAL_COMPILE = 10.0
"""Seconds that compiling is taken for where nothing is remembered."""


class Times(NamedTuple):
    """What is remembered of one kind of work."""

    compile: float | None = None
    """Seconds that the compiler took, the last time it had everything to do."""
    functions: int = 0
    """How many it compiled then."""
    plain: float | None = None
    """Simulations or nodes a second in plain Python."""
    files: tuple[str, ...] = ()
    """Compiled code that was used."""
    stamp: str = ""
    """What the sources were then."""


def kind_of_work(purpose: str, game: str, engine: str = "") -> str:
    """The text by which the times of such work are remembered: ``search connect4 mcts()``."""
    return " ".join(f"{purpose.removeprefix('this ')} {game.removesuffix('()')} {engine}".split())


def times_of(what: str) -> Times:
    """What is remembered of this kind of work."""
    return _read(_all().get(what[:LONGEST]))


def remember(what: str, **new: Any) -> None:
    """Note fields of `Times`; another process that does so at the same time may win."""
    folder = _folder()
    if folder is None:
        return
    every = _all()
    known = _read(every.pop(what[:LONGEST], None))
    every[what[:LONGEST]] = known._replace(**new)._asdict()
    kept = dict(list(every.items())[-MOST:])
    with contextlib.suppress(OSError):
        write_atomically(folder / FILE, json.dumps(kept).encode(), flush=False)


def note(what: str, watch: Any, patience: float = PATIENCE) -> None:
    """Remember what was compiled, and which files it needed (`ponder.jit.CompileWatch`)."""
    known = times_of(what)
    files, now = tuple(watch.files), stamp(what)
    new: dict[str, Any] = {}
    if files and (files, now) != (known.files, known.stamp):
        new |= {"files": files, "stamp": now}
    # what was there already in part, or made by another process, says nothing of the whole
    if (
        watch.functions
        and watch.seconds > patience
        and (known.compile is None or 2 * watch.functions > known.functions)
    ):
        new |= {"compile": round(watch.seconds, 2), "functions": watch.functions}
    if new:
        remember(what, **new)


def is_compiled(what: str) -> bool:
    """Does all the code that this work has used last time lie in the cache still?

    A guess, from the dates of files: whoever takes it waits for the compiler, or does not.
    """
    known, folder = times_of(what), _folder()
    if folder is None or not known.files or known.stamp != stamp(what):
        return False
    return all((folder / name).is_file() for name in known.files)


def usual_compile(what: str) -> float:
    """Seconds that the compiler will take for it: as last time, or else as most often."""
    known = times_of(what).compile
    if known is not None:
        return known
    others = [one.compile for one in map(_read, _all().values()) if one.compile]
    return median(others) if others else USUAL_COMPILE


def can_keep() -> bool:
    """Is there a folder through which one process can give another what it has compiled?"""
    return _folder() is not None


def stamp(what: str) -> str:
    """Another text whenever Ponder, the compiler or a file that is named has changed."""
    own = re.findall(r"(?<![^\s(=,'\"])[^\s(=,'\"]*\.py(?=:)", what)
    return " ".join([_sources(), *(_changed([Path(name)]) for name in own)])


@lru_cache(maxsize=1)
def _sources() -> str:
    compiler = importlib.util.find_spec("numba")
    places = [Path(compiler.origin)] if compiler is not None and compiler.origin else []
    return _changed([*Path(__file__).parent.rglob("*.py"), *places])


def _changed(files: Iterable[Path]) -> str:
    """How many files there are, how large, and the last change among them."""
    count = size = last = 0
    for file in files:
        with contextlib.suppress(OSError, ValueError):  # a zero byte
            about = os.stat(file)
            count, size, last = count + 1, size + about.st_size, max(last, about.st_mtime_ns)
    return f"{count}-{size}-{last}"


def _folder() -> Path | None:
    try:
        return cache_directory()
    except PonderError:  # told where it matters: when something is to be compiled
        return None


def _all() -> dict[str, Any]:
    """What stands in the file; nothing where it is damaged."""
    folder = _folder()
    with contextlib.suppress(OSError, ValueError):
        if folder is not None:
            return dict(json_object((folder / FILE).read_bytes()))
    return {}


def _read(entry: Any) -> Times:
    """An entry of the file, of whatever kind it is."""
    given = entry if isinstance(entry, dict) else {}

    def number(name: str) -> float | None:
        value = given.get(name)
        return float(value) if isinstance(value, int | float) and 0.0 < value < 1e9 else None

    names = given.get("files")
    files = tuple(map(str, names)) if isinstance(names, list) else ()
    return Times(
        number("compile"),
        int(number("functions") or 0),
        number("plain"),
        files if all(re.fullmatch(r"[\w.]+-[0-9a-f]+\.nbc", name) for name in files) else (),
        str(given.get("stamp", "")),
    )
