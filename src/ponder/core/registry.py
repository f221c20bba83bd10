"""Names for games and parts, and the text syntax that the command line and files use.

    connect4    go(size=9, komi=7.5)    my_game.py:MyGame    my_game.py:MyGame(size=3)
    mcts(select=ucb1(c=1.4), evaluate=rollout(), simulations=10000)
    mcts(select=my_rules.py:MyRule(c=0.5))

Names map to ``module:Class`` texts, so that looking one up imports only what it needs; each layer
lists its own in a file ``names.py``. Everything parses and prints back to itself. A file of the
user's is named by its path, from the working directory on, and printed with its whole path, so
that the text means the same elsewhere.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import re
import sys
import weakref
import zlib
from collections.abc import Iterator
from contextvars import ContextVar
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

from ponder.core.parts import (
    Call,
    bare_word,
    build,
    call_text,
    canonical,
    file_name,
    identical,
    is_file_name,
    is_ours,
    parse_call,
    value_text,
)
from ponder.errors import InputError, PonderError, UnnamedFile, quoted

GAMES: dict[str, str] = {}
ADAPTERS: dict[str, str] = {}
"""Games of other programs, by the adapter that brings them: ``openspiel("connect_four")``."""
ENGINES: dict[str, str] = {}
PRESETS: dict[str, str] = {}
"""Functions that make an engine: ready-made settings under their names in the literature."""
WORKS: dict[str, str] = {}
"""What is no engine, since it plays no moves, but has sessions that are saved: solving."""
PARTS: dict[str, dict[str, str]] = {}
"""The parts of an engine, by the field they fit in."""
ELSEWHERE: dict[tuple[str, str], str] = {}
"""(field, name) of what is looked for in the wrong place, and what to write instead."""
EXAMINERS: dict[str, str] = {}
"""Functions that look at a compiled game of the user's before anything of it is run, by name."""
STRONG: dict[str, str] = {}
"""Engines that `strong()` takes for one game, where a layer above its own has a stronger one: SPEC
texts by `whole_text`."""
DRAWERS: dict[str, str] = {}
"""Functions that draw a "session" or a "result" as SVG."""


def _collect() -> None:
    """Fill the tables with what each folder of the package says in its ``names.py``.

    So a layer brings its own names, and nothing here knows which layers there are.
    """
    tables = {key: value for key, value in globals().items() if key.isupper()}
    for file in sorted(Path(__file__).parents[1].glob("*/names.py")):
        module = importlib.import_module(f"ponder.{file.parent.name}.names")
        for key, table in vars(module).items():
            if key == "PARTS":  # several layers may bring parts of one kind
                for kind, parts in table.items():
                    PARTS.setdefault(kind, {}).update(parts)
            elif key.isupper():
                tables[key].update(table)
    for table in (GAMES, ENGINES, PRESETS, *PARTS.values()):
        for name in sorted(table):
            table[name] = table.pop(name)  # in alphabetical order, whoever brought it
    PARTS["engine"] = ENGINES


_collect()


@lru_cache(maxsize=256)
def load(target: str) -> Any:
    """What a ``module:Name`` text of these tables stands for."""
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)


@lru_cache(maxsize=256)
def _registered_name(cls: Any) -> str | None:
    """The name under which the class (or its package) is registered."""
    for table in (GAMES, ADAPTERS, ENGINES, WORKS, *PARTS.values()):
        for name, target in table.items():
            module, _, wanted = target.partition(":")
            if cls.__qualname__ == wanted and f"{cls.__module__}.".startswith(f"{module}."):
                return name
    return None


def _lookup(table: dict[str, str], name: str, kind: str) -> Any:
    """What a name stands for, in the table of its kind or in a file of the user's."""
    if is_file_name(name):
        return load_from_file(*name.rsplit(":", 1))
    if name not in table:
        close = get_close_matches(name, table, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InputError(
            f"unknown {kind} {quoted(name)}{hint} "
            f"(available: {', '.join(table)}, or path/to/file.py:Name)"
        )
    return load(table[name])


def a_rule(kind: str) -> str:
    """The kind in words: a select rule, an expand rule."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} rule"


def misplaced(kind: str, part: Any) -> str:
    """A sentence about a part that does not fit in the field `kind`, and what would."""
    shown = part_text(part) if hasattr(type(part), "_fields") else quoted(part)
    return f"{shown} is not {a_rule(kind)} (available: {', '.join(PARTS[kind])})"


# ------------------------------------------------------------------ text -> value

FILE_PREFIX = "ponder_file_"
"""How the modules made from users' files are called."""


def parse_game(text: str) -> Any:
    """The game that a GAME text names."""
    if not isinstance(text, str):
        raise InputError(f"expected the text of a game such as 'connect4', not {quoted(text)}")
    if text.strip().endswith(".py"):
        raise InputError(f"{quoted(text)} names a file; say which game in it: {text.strip()}:Name")
    call = parse_call(text)
    return make_game(_lookup(GAMES | ADAPTERS, call.name, "game"), call)


def parse_game_or_rule(text: str) -> tuple[Any, bool]:
    """The game, or else the rule of a search, that the text names; is it a rule?

    A NamedTuple in a file that has none of a game's methods is a rule, and a name that no game has
    may be one.
    """
    if text.strip().endswith(".py"):
        return parse_game(text), False
    call = parse_call(text)
    if is_file_name(call.name):
        cls = load_from_file(*call.name.rsplit(":", 1))
        game = any(hasattr(cls, name) for name in ("spec", "legal_actions", "apply_action"))
        if hasattr(cls, "_fields") and not game:
            return build(call, cls, _part), True
    elif call.name not in GAMES | ADAPTERS:
        for field, table in PARTS.items():
            if field != "engine" and call.name in table:
                return _part(field, call), True
    return parse_game(text), False


def make_game(cls: Any, call: Call) -> Any:
    """An instance of a game class, compiled (NamedTuple) or plain, with the call's arguments."""
    if not isinstance(cls, type):  # a ready-made game object
        _note_call(cls, call)
        return cls
    if hasattr(cls, "_fields"):
        return build(call, cls, lambda field, value: _no_part(call.name, field))
    # such a class says nothing of its parameters: openspiel(hex(board_size=5)) means the text
    call = Call(call.name, *(_texts(given) for given in (call.args, call.kwargs)))
    try:
        made = cls(*call.args, **call.kwargs)
    except PonderError:
        raise
    except Exception as error:
        raise InputError(f"{call.name} cannot be made: {type(error).__name__}: {error}") from None
    _note_call(made, call)
    return made


_plain_calls: dict[int, Call] = {}
"""What plain games were made from, by `id`: unlike a NamedTuple they cannot be asked."""


def _note_call(game: Any, call: Call) -> None:
    if hasattr(type(game), "_fields"):
        return
    if is_file_name(call.name):
        path, _, name = call.name.rpartition(":")
        call = call._replace(name=f"{Path(path).resolve()}:{name}")
    with contextlib.suppress(TypeError):  # an object without weak references has no text
        weakref.finalize(game, _plain_calls.pop, id(game), None).atexit = False
        _plain_calls[id(game)] = call


def _texts(given: Any) -> Any:
    """The arguments with names and calls as the texts they were written as."""
    if isinstance(given, dict):
        return {name: _texts(value) for name, value in given.items()}
    if isinstance(given, Call):
        return call_text(given)
    return tuple(map(_texts, given)) if isinstance(given, tuple) else given


def _no_part(owner: str, field: str) -> Any:
    raise InputError(f"{field} of {owner} must be a plain value")


def parse_engine(text: str) -> Any:
    """The engine that a SPEC text names."""
    if not isinstance(text, str):
        raise InputError(f"expected the text of an engine such as 'mcts()', not {quoted(text)}")
    return _engine(parse_call(text))


def _engine(call: Call) -> Any:
    made_by = _lookup({**ENGINES, **PRESETS}, call.name, "engine")
    return build(call, made_by, _part) if hasattr(made_by, "_fields") else _preset(call, made_by)


def _preset(call: Call, function: Any) -> Any:
    """The engine that a preset makes."""
    if not inspect.isfunction(function):
        raise InputError(f"{call.name} is not an engine: neither a NamedTuple nor a function")
    parameters = inspect.signature(function).parameters.values()
    own = [p.name for p in parameters if p.kind != p.VAR_KEYWORD]
    if len(call.args) > len(own):
        raise InputError(f"{call.name} takes at most {len(own)} values without a name")
    given = {**dict(zip(own, call.args, strict=False)), **call.kwargs}
    needed = [p.name for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD]
    if any(name not in given for name in needed):
        raise InputError(f"{call.name} needs {', '.join(needed)}")
    engine = get_type_hints(function).get("return")  # what the other options are options of
    plain = {k: bare_word(v, function if k in own else engine, k) for k, v in given.items()}
    made = {k: _part(k, v) if isinstance(v, Call) else v for k, v in plain.items()}
    try:
        return canonical(function(**made))
    except TypeError:
        fields = getattr(engine, "_fields", ())
        accepted = ", ".join(dict.fromkeys([*own, *fields]))
        wrong = next((k for k in made if k not in own and k not in fields), None)
        if wrong is None:  # an error in the function itself
            raise
        message = f"{call.name} has no parameter {quoted(wrong)}; accepted: {accepted}"
        raise InputError(message) from None


def _part(field: str, call: Call) -> Any:
    if field == "engine":
        return _engine(call)
    if (field, call.name) in ELSEWHERE:
        raise InputError(ELSEWHERE[field, call.name])
    if field not in PARTS and not is_file_name(call.name):
        raise InputError(f"{field} takes a plain value, not {call_text(call)}")
    made_by = _lookup(PARTS.get(field, {}), call.name, f"{field} rule")
    if not hasattr(made_by, "_fields"):
        if field not in PARTS and not (call.args or call.kwargs):
            return call.name  # a function, say: who uses it reads the text
        raise InputError(f"{call.name} is not {a_rule(field)}: a rule is a NamedTuple")
    return build(call, made_by, _part)


def saved_game(text: str) -> Any:
    """The game that a text in a data file names. Reading data runs no code: `reading_data`."""
    with reading_data():
        return parse_game(text)


def saved_engine(text: str) -> Any:
    """The engine (or other work) that a text in a data file names, likewise."""
    with reading_data():
        call = parse_call(text)
        return build(call, load(WORKS[call.name]), _part) if call.name in WORKS else _engine(call)


_reading_data = ContextVar("reading_data", default=False)


@contextlib.contextmanager
def reading_data() -> Iterator[None]:
    """In this block texts come from a data file, which may be anybody's.

    A Python file that they name must be loaded already, because the user has named it (in a GAME
    or SPEC text); it is never run for the data's sake. Of such a file only its own classes and
    functions count: what it imports from elsewhere might do anything.
    """
    before = _reading_data.set(True)
    try:
        yield
    finally:
        _reading_data.reset(before)


def load_from_file(path: str, name: str) -> Any:
    """The object `name` of a Python file, which is run once per process."""
    file = Path(path).resolve()
    if not file.is_file():
        raise InputError(f"no such file: {path}")
    module = load_file(file)
    own = {
        key: value
        for key, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
    }
    if _module_name(file) not in sys.modules:  # imported, perhaps not for its rules
        own = {key: value for key, value in own.items() if _is_named_tuple(value)}
    if not hasattr(module, name) or (_reading_data.get() and name not in own):
        found = ", ".join(key for key, value in own.items() if isinstance(value, type))
        raise InputError(f"{path} has no {quoted(name)} (it has: {found or 'no class'})")
    return getattr(module, name)


def _is_named_tuple(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def load_file(file: Path) -> Any:
    """The module in a Python file (a whole path), which is run once per process: not again, where
    the user's program is that file or has imported it."""
    module_name = _module_name(file)
    module = _imported_from(file)  # the classes that the program holds, where it came later too
    if module is not None:
        if module_name in sys.modules or not _reading_data.get():  # the user has named it
            sys.modules[module_name] = module
        return module
    if module_name in sys.modules:
        return sys.modules[module_name]
    if _reading_data.get():
        raise UnnamedFile(
            f"the data name {file}, and reading data runs no code: "
            "name that file yourself too (as GAME, in --engine, or by "
            "ponder replay --with FILE.py; in Python by game(...) or engine(...))",
            file,
        )
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))  # the file may import its neighbours
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_name]
        raise InputError(
            f"{file.name} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return module


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


# ------------------------------------------------------------------ value -> text


def part_text(part: Any) -> str:
    """A part as a call with its non-default fields: parses back to the same part (`reads_back`)."""
    cls: Any = type(part)
    name = _registered_name(cls) or _file_name(cls) or cls.__qualname__
    shown = []
    for field, value in zip(part._fields, part, strict=True):
        if field in cls._field_defaults and identical(cls._field_defaults[field], value):
            continue
        nested = isinstance(value, tuple) and hasattr(value, "_fields")
        shown.append(f"{field}={part_text(value) if nested else value_text(value)}")
    return f"{name}({', '.join(shown)})"


def game_text(game: Any) -> str:
    """A GAME text for the game. Of a plain one that a program has made, not a text, it is only a
    name for people: see `reads_back`."""
    cls: Any = type(game)
    if hasattr(cls, "_fields"):
        return part_text(canonical(game))
    call = _plain_calls.get(id(game))
    return call_text(call) if call else _registered_name(cls) or cls.__qualname__


def reads_back(part: Any) -> bool:
    """Does the text of a part or game say all of it? Not where it holds a function, or a class that
    stands in no file (a notebook's, a function's own), nor of plain games made by a program."""
    cls: Any = type(part)
    if hasattr(cls, "_fields"):
        named = _registered_name(cls) or _file_name(cls)
        return named is not None and all(map(reads_back, part))
    if cls is tuple:
        return all(map(reads_back, part))
    return part is None or isinstance(part, int | float | str) or id(part) in _plain_calls


def whole_text(game: Any) -> str:
    """The game with every parameter, and of a user's file only the name.

    It tells whether a file made long ago, perhaps elsewhere, is about this game: defaults may
    change, and files move.
    """
    cls: Any = type(game)
    name = _registered_name(cls)
    if not hasattr(cls, "_fields"):
        call = _plain_calls.get(id(game), Call(name or cls.__qualname__, (), {}))
        return Path(call.name).name + call_text(call._replace(name=""))
    if name is None:
        file = _file_of(cls)
        name = f"{file.name}:{cls.__qualname__}" if file else cls.__qualname__
    fields = zip(game._fields, canonical(game), strict=True)
    return f"{name}({', '.join(f'{field}={value_text(value)}' for field, value in fields)})"


def _file_name(cls: Any) -> str | None:
    """How a text names a class of the user's; None where no file has it under its name."""
    file = _file_of(cls)
    return file_name(str(file), cls.__qualname__) if file else None


def _file_of(cls: Any) -> Path | None:
    """The Python file that has this class of the user's at its top level; None: there is none."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None) or ""
    at_top = getattr(module, cls.__qualname__, None)
    if is_ours(cls) or not file.endswith(".py") or not isinstance(at_top, type):
        return None
    # a part that was completed is of a class below the one in the file
    return Path(file).resolve() if issubclass(cls, at_top) else None
