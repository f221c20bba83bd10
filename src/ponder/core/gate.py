"""The gate: no Python file of the user's is run unless somebody has granted it.

`load_file` is the only function that imports by a path. It asks `_granted`, which is empty at the
start of every process and thread. Three functions fill it for as long as they work:

    name_files   the command line, for what a person has typed; the Python API, for texts in the
                 caller's program. The files that these texts name are run there and then.
    run_trusted  for a file that the reader of data has granted: ``--trust FILE``, ``trust=[FILE]``.
    granting     a process that was started with files: a worker gets those of its parent.

Data (files, messages) grant nothing: what they name must have been run before, or be granted.
Nothing is run later: whoever meets the name of a file in a part finds it here, or is refused.
"""

from __future__ import annotations

import contextlib
import importlib.util
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, ClassVar

from ponder.core.parts import Call, is_file_name, parse_call
from ponder.errors import InputError, UnnamedFile, quoted
from ponder.files import is_confined

PACKAGE = Path(__file__).resolve().parents[1]
FILE_PREFIX = "ponder_file_"
"""How the modules made from users' files are called."""

_granted: ContextVar[frozenset[Path]] = ContextVar("granted", default=frozenset())
"""Files that may be run, and folders whose files may be."""
_named: set[tuple[Path, str]] = set()
"""Files and objects in them that texts of a person's, or of a program's, have named."""


@contextlib.contextmanager
def granting(files: Iterable[str | Path]) -> Iterator[None]:
    """In this block these Python files, and those in these folders, may be run."""
    before = _granted.set(_granted.get() | {whole_path(file) for file in files})
    try:
        yield
    finally:
        _granted.reset(before)


def run_trusted(files: Iterable[str | Path]) -> None:
    """Run these Python files, so that data may name what is in them."""
    if isinstance(files, str | Path):
        raise InputError(f"trust takes a list of Python files, such as [{str(files)!r}]")
    for file in files:
        if Path(file).suffix != ".py":
            raise InputError(f"only Python files can be trusted, and {quoted(str(file))} is none")
        with granting([file]):
            load_file(file)


def name_files(*texts: str) -> None:
    """Run the Python files that these GAME and SPEC texts name: a person has typed them, or a
    program has them. Never for texts that were read from a file or a message."""
    names = [one for text in texts for one in names_in(text)]
    _named.update((whole_path(path), name) for path, name in names)
    for path, _ in names:
        if whole_path(path).is_file():  # else told where the file is needed
            with granting([path]):
                load_file(path)


def names_in(text: str) -> list[tuple[str, str]]:
    """The files, each with an object in it, that a GAME or SPEC text names; none if it is none."""
    try:
        waiting: list[Any] = [parse_call(text)] if isinstance(text, str) else []
    except InputError:
        return []
    found = []
    while waiting:
        one = waiting.pop()
        name = one.name if isinstance(one, Call) else one
        if isinstance(name, str) and is_file_name(name):
            found.append(split_name(name))
        if isinstance(one, Call):
            waiting += [*one.args, *one.kwargs.values()]
        elif isinstance(one, tuple):
            waiting += one
    return found


def split_name(text: str) -> tuple[str, str]:
    """The path and the object of ``FILE.py:NAME``."""
    path, _, name = text.rpartition(":")
    return path, name


def is_named(name: str) -> bool:
    """Has a person or a program named this object of a file, so that it may be called with whatever
    the text says? Of files that were only granted data take what they need: games and parts, and
    functions that the library calls."""
    path, own = split_name(name)
    return (whole_path(path), own) in _named


def whole_name(text: str) -> str:
    """The same text; ``FILE.py:NAME`` with the whole path, for a process elsewhere."""
    if not is_file_name(text):
        return text
    path, name = split_name(text)
    return f"{whole_path(path)}:{name}"


def files_run() -> list[str]:
    """The users' files that were run here: what a worker of this process is granted."""
    modules = [m for name, m in sys.modules.items() if name.startswith(FILE_PREFIX)]
    return [m.__file__ for m in modules if m.__file__]


def whole_path(path: str | Path) -> Path:
    try:
        return Path(path).resolve()
    except (ValueError, OSError, RuntimeError):  # a zero byte; links in a circle
        raise InputError(f"{quoted(str(path))} is not the name of a file") from None


def load_from_file(path: str, name: str) -> Any:
    """The object `name` of a Python file that was run, or may be.

    What a person has named may be anything; for data only the file's own classes and functions
    count: what it imports from elsewhere might do anything.
    """
    file = whole_path(path)
    named = (file, name) in _named
    try:
        module = load_file(file)
    except UnnamedFile:
        if named and not file.is_file():
            raise InputError(f"no such file: {path}") from None
        raise
    own = {
        key: value
        for key, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
    }
    if _module_name(file) not in sys.modules:  # imported, perhaps not for its rules
        own = {key: value for key, value in own.items() if _is_named_tuple(value)}
        theirs = name in own and _may_be_users(file, module)
        if not (named or theirs):  # nor is anybody told what this process has imported
            raise not_named(file)
    if not hasattr(module, name) or not (named or name in own):
        classes = [key for key, value in own.items() if isinstance(value, type)]
        found = classes or [key for key, value in own.items() if callable(value)]
        told = ", ".join(found) or "no class"
        raise InputError(f"{path} has no {quoted(name)} (it has: {told})")
    return getattr(module, name)


def _may_be_users(file: Path, module: Any) -> bool:
    """May an imported module have games and rules of the user's, which data may name?

    Not Ponder's own: what is meant for texts has a name of its own, and the rest is trusted to be
    made with fitting numbers. Nor Python's. Strangers get only the neighbours of granted files:
    where else a class is found would tell them what lies on this machine.
    """
    if PACKAGE in file.parents or module.__name__.partition(".")[0] in sys.stdlib_module_names:
        return False
    near = (one.parent if one.suffix == ".py" else one for one in _granted.get())
    return not is_confined() or any(folder in file.parents for folder in near)


def _is_named_tuple(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def load_file(path: str | Path) -> Any:
    """The module in a Python file, which is run once per process, if it is granted: not again,
    where the user's program is that file or has imported it."""
    file = whole_path(path)
    module_name = _module_name(file)
    allowed = not _granted.get().isdisjoint((file, *file.parents))
    module = _imported_from(file)  # the classes that the program holds, where it came later too
    if module is not None:
        if module_name in sys.modules or allowed:
            sys.modules[module_name] = module
        return module
    if module_name in sys.modules:
        return sys.modules[module_name]
    if not allowed:
        raise not_named(file)
    if not file.is_file():
        raise InputError(f"no such file: {path}")
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    Neighbours.may_be_imported(file.parent)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise InputError(
            f"{file.name} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return module


class Neighbours:
    """What is asked last where a module is looked for: the folders of the files that were run.

    A name of Python's own is never found there: some modules are missing on some systems (nt,
    winreg), and whoever asks for one of these asks for Python's.
    """

    folders: ClassVar[list[str]] = []

    @classmethod
    def may_be_imported(cls, folder: Path) -> None:
        if str(folder) not in cls.folders:
            cls.folders.append(str(folder))
        if cls not in sys.meta_path:
            sys.meta_path.append(cls)

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> Any:
        if path is not None or name in sys.stdlib_module_names:
            return None
        return PathFinder.find_spec(name, cls.folders, target)


def not_named(file: Path) -> UnnamedFile:
    return UnnamedFile(
        f"this needs the code in {file}, and files and messages run no code by themselves: "
        f"grant it with --trust {file}, or name the file as GAME or in --engine (in Python: "
        "trust=[FILE], or game(...) or engine(...) with its name)",
        file,
    )


def _module_name(file: Path) -> str:
    """A name of its own, so that a file called chess.py or random.py shadows nothing."""
    flat = re.sub(r"\W", "_", str(file.with_suffix("")))
    # the checksum tells a/b_c.py from a/b/c.py
    return f"{FILE_PREFIX}{flat}_{zlib.crc32(str(file).encode()):08x}"


def _imported_from(file: Path) -> Any:
    """The module that was imported from the file, or is run as a program; None if there is none."""
    for name, module in tuple(sys.modules.items()):
        found = getattr(module, "__dict__", {}).get("__file__")
        if found == str(file) and not name.startswith(FILE_PREFIX):
            return module
    return None
