"""Files of every format with wrong contents under a checksum that agrees.

    NUMBA_DISABLE_JIT=1 python benchmarks/stress/mutate_contents.py [--count 4800] [--seed 1]
                                                                  [FORMAT ...]

A small valid file of each format of the registry is taken apart (`file_contents.py`), one to three
things in it are changed (values replaced by extreme ones, exchanged, left out, doubled, nested
deeply; arrays of other shapes, types, lengths and numbers; texts that name a Python file), and it
is put together again. Allowed are an error for people (PonderError, one line) and an object that is
just what the file says, and can be used. Anything else is printed, and the status is 1: another
exception, an object that says something else than the file, a Python file that was run, `LONGEST`
seconds of work. A crash of the process speaks for itself: `--seed` and the last line printed tell
which file it was. Readers are the same in plain mode, and quicker for small files.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from file_contents import CONTENTS, DEEP, LONG, Contents, Kind
from mutate_files import IN_MEMORY, LONGEST, too_long

from ponder.core.registry import FORMATS, game_text, parse_engine, parse_game, part_text
from ponder.errors import PonderError

# ------------------------------------------------------------------ changes of values

EXTREME: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 3, 7, 0.5, -0.5, 1e308, -1e308, float("nan"), float("inf")),
    *(2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**15, LONG, DEEP),
    *("", "x", "\0", "\n", "\ud800", "a" * 100_000, "../../../etc/passwd", "NaN", "b2", "start"),
    *([], {}, [[]], [0] * 10_000, [None], {"": 0}),
)


def places(values: Any) -> Iterator[tuple[Any, Any]]:
    """Every (holder, key) of values in values."""
    waiting = [values]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            for key in keys:
                yield holder, key
                waiting.append(holder[key])


def changed_values(values: Any, rng: random.Random, texts: list[str]) -> Any:
    """The values with one thing changed."""
    held = {"": values}
    everywhere = list(places(held))
    holder, key = rng.choice(everywhere)
    value, kind = holder[key], rng.randrange(11)
    if kind <= 1:
        holder[key] = copy.deepcopy(rng.choice(EXTREME))
    elif kind == 2:
        holder[key] = rng.choice(texts)
    elif kind == 3 and (written := [(h, k) for h, k in everywhere if isinstance(h[k], str)]):
        holder, key = rng.choice(written)  # where a text is expected
        holder[key] = rng.choice(texts)
    elif kind == 10:  # exchange two values
        other, name = rng.choice(everywhere)
        if not {id(value), id(other[name])} & {id(one) for one, _ in everywhere}:
            holder[key], other[name] = other[name], value
    elif kind == 4 and isinstance(holder, dict) and key != "":
        del holder[key]
    elif kind == 4 and isinstance(holder, list):
        holder[key : key + rng.choice((0, 1, 1))] = rng.choice(([], [value, value]))
    elif kind == 5:
        holder[key] = rng.choice(([value], {"x": value}, str(value), [value] * 100))
    elif kind == 6 and isinstance(holder, dict) and key != "":
        name = rng.choice([str(key).upper(), "x", "arrays", "count", *map(str, holder)])
        holder[name] = holder.pop(key)
    elif kind == 7 and isinstance(value, list):
        rng.shuffle(value)
    else:
        holder[key] = nearly(value, rng)
    return held[""]


def nearly(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2, 10, -value))
    if isinstance(value, float):
        return value * rng.choice((-1.0, 0.5, 1e300, 1 + 1e-6))
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice(("", "0", "9", "(", ",", "a", "é", "..")) + value[at + 1 :]
    return value


# ------------------------------------------------------------------ changes of arrays

TYPES = "?bBhHiIqQefd"


def changed_arrays(arrays: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The arrays with one of them changed."""
    arrays = dict(arrays)
    name = rng.choice(sorted(arrays))
    array, kind = arrays[name], rng.randrange(9)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        other = rng.choice(sorted(arrays))
        arrays[name], arrays[other] = arrays[other], array
    elif kind == 2:
        with np.errstate(all="ignore"):
            arrays[name] = array.astype(rng.choice(TYPES))
    elif kind == 3:
        arrays[name] = reshaped(array, rng)
    elif kind == 4 and array.ndim:
        arrays[name] = np.random.default_rng(rng.randrange(1 << 30)).permuted(array, axis=0)
    elif kind == 5:
        arrays[rng.choice(["x", "E_scale", "places", name.upper()])] = array
    elif array.size:
        arrays[name] = with_extremes(array, rng, kind == 6)
    return arrays


def reshaped(array: Any, rng: random.Random) -> Any:
    """The same numbers in another shape; or fewer, or more of them."""
    if not array.ndim:
        return array.reshape(1)
    made = (
        array.ravel(),
        array.T,
        array[:0],
        array[:1],
        array[:-1],
        array[..., :1],
        array[..., :0],
        array[None],
        array[..., None],
        np.concatenate([array, array]),
        np.concatenate([array, array[-1:]]),
    )
    return np.ascontiguousarray(rng.choice(made))


def with_extremes(array: Any, rng: random.Random, everywhere: bool) -> Any:
    array = np.array(array)
    if array.dtype.kind == "f":
        found = [np.nan, np.inf, -np.inf, 3e38, -3e38, 1e9, 0.0, -1.0, 0.5, 2.0]
    elif array.dtype.kind == "b":
        found = [False, True]
    else:
        info = np.iinfo(array.dtype)
        found = [info.min, info.max, 0, 1, 2, 3, 10**15, -1, info.max // 2, 64, 100]
        found = [n for n in found if info.min <= n <= info.max]
    with np.errstate(all="ignore"):
        if everywhere:
            array[...] = rng.choice(found)
        else:
            at = rng.randrange(array.size)
            near = array.flat[at] + array.dtype.type(1) if array.dtype.kind != "b" else True
            array.flat[at] = rng.choice([*found, near, array.flat[rng.randrange(array.size)]])
    return array


LAYOUTS: tuple[Any, ...] = (
    *({}, [], None, {"E": {}}, {"x": {"type": "|O", "shape": [1], "at": 0}}),
    {"x": {"type": "<f4", "shape": [0, 2**70], "at": 0}},
    {"x": {"type": "<f4", "shape": [2**62, 4], "at": 0}},
    {"x": {"type": "<f4", "shape": [-1], "at": 0}},
    {"x": {"type": "<f4", "shape": [1] * 70, "at": 0}},
    {"x": {"type": ["<f4"], "shape": "1", "at": -64}},
)
"""Where a header may say that arrays lie."""


def changed(made: Contents, rng: random.Random, texts: list[str]) -> Contents:
    """The contents with one to three changes."""
    values, arrays = copy.deepcopy(made.values), made.arrays
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if arrays and (not values or rng.random() < 0.5):
            arrays = changed_arrays(arrays, rng)
        elif arrays and isinstance(values, dict) and rng.random() < 0.05:
            values["arrays"] = rng.choice(LAYOUTS)
        else:
            values = changed_values(values, rng, texts)
    return Contents(values, arrays)


# ------------------------------------------------------------------ what was understood


def other_than(said: Contents, found: Contents, usual: Contents) -> str:
    """Where a reader has understood something else than the file says; nothing if it has not."""
    for name, array in found.arrays.items():
        given = said.arrays.get(name)
        if given is None or given.shape != array.shape or given.dtype != array.dtype:
            return f"the array {name}"
        if given.tobytes() != np.ascontiguousarray(array).tobytes():
            return f"the numbers of the array {name}"
    return different(said.values, found.values, usual.values)


NOTHING = (None, 0, False, "", [], {})


def different(said: Any, found: Any, usual: Any) -> str:
    """Where values differ. What no file has (`usual`) may be passed over; what is not said may be
    understood as nothing."""
    if isinstance(found, dict) and isinstance(said, dict):
        known = usual if isinstance(usual, dict) else {}
        for name in found:
            if name not in said and found[name] not in NOTHING:
                return f"{name} is not said, and understood as {found[name]!r}"
        for name in said:
            if name in known and name not in found:
                return f"{name} is passed over"
            if name in found and (why := different(said[name], found[name], known.get(name))):
                return f"{name}: {why}"
        return ""
    if isinstance(found, list) and isinstance(said, list) and len(found) == len(said):
        usual = usual if isinstance(usual, list) else []
        usual = [*usual, *[None] * len(said)]
        return next(filter(None, map(different, said, found, usual)), "")
    texts = isinstance(said, str) and isinstance(found, str)
    same = found == said or (found != found and said != said)  # both are NaN
    same = same or (texts and meaning(said) == meaning(found))
    return "" if same else f"{str(said)[:200]!r} is understood as {str(found)[:200]!r}"


def meaning(text: str) -> str:
    """The one form of a text that names a game or an engine, or a rule; of others the text."""
    for read, written in (
        (parse_game, game_text),
        (parse_engine, part_text),
        (lambda one: parse_engine(f"mcts(select={one})"), part_text),
    ):
        try:
            return str(written(read(text)))
        except PonderError:
            continue
    return text.strip()


# ------------------------------------------------------------------ the trial


class Outcome(NamedTuple):
    refused: int
    accepted: int
    faults: list[str]


def trial(name: str, count: int, seed: int, folder: Path) -> Outcome:
    """Read `count` files of a format with changed contents."""
    from entrances import Marker  # of the tests

    form, kind, marker = FORMATS[name], CONTENTS[name](), Marker(folder)
    rng, texts = random.Random(f"{name} {seed}"), marker.texts()
    path = form.write_example(folder)
    whole = kind.apart(path.read_bytes())
    path.write_bytes(kind.together(whole))
    if why := judged(kind, path, whole, whole):
        raise SystemExit(f"the valid {name} is not accepted: {why}")
    refused, accepted, faults = 0, 0, []
    for number in range(count):
        made = changed(whole, rng, texts)
        try:
            data = kind.together(made)
        except (ValueError, TypeError, OverflowError) as error:  # there is no such file
            raise SystemExit(f"{name}, file {number}: cannot be made: {error}") from error
        path.unlink()  # readers remember files as long as they are the same
        path.write_bytes(data)
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            why = judged(kind, path, told(kind, data, made), whole)
            accepted += not why
        except PonderError as error:
            why = "more than one line" if "\n" in str(error) else ""
            refused += not why
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if marker.ran:
            why = "a Python file was run"
            marker.forget()
        if why:
            shown = json.dumps(made.values)[:600]
            shapes = {k: (a.dtype.str, a.shape) for k, a in made.arrays.items()}
            faults.append(f"{name}, file {number} of seed {seed}: {why[:400]}: {shown} {shapes}")
    return Outcome(refused, accepted, faults)


NOT_TAKEN_APART = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError),
    *(RecursionError, OverflowError),
    struct.error,
)


def told(kind: Kind, data: bytes, made: Contents) -> Contents:
    """What the file says: some changes are lost where it is put together."""
    try:
        return kind.apart(data)
    except NOT_TAKEN_APART:
        return made


def judged(kind: Kind, path: Path, made: Contents, usual: Contents) -> str:
    """Read the file and use it: what is wrong, or nothing; PonderError if it is refused."""
    found = kind.understood(path)
    if isinstance(found, str):
        return found
    return other_than(made, found, usual) or kind.use(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("formats", nargs="*", choices=[*CONTENTS, []], metavar="FORMAT")
    parser.add_argument("--count", type=int, default=4800)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.path.append(str(Path(__file__).parents[2] / "tests"))
    signal.signal(signal.SIGPROF, too_long)
    status, every = 0, 0
    print(f"{'format':26}{'files':>9}{'refused':>9}{'accepted':>9}{'faults':>8}{'seconds':>9}")
    for name in given.formats or CONTENTS:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            found = trial(name, given.count, given.seed, Path(folder))
        line = f"{name:26}{given.count:>9,}{found.refused:>9,}{found.accepted:>9,}"
        print(f"{line}{len(found.faults):>8,}{time.perf_counter() - began:>9.1f}", flush=True)
        for fault in found.faults[:12]:
            print(f"  {fault}", file=sys.stderr)
        status |= bool(found.faults)
        every += given.count
    print(f"{every:,} files")
    return status


if __name__ == "__main__":
    sys.exit(main())
