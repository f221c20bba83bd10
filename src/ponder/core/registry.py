"""Names for games and parts, and the text syntax that the command line and files use.

    connect4    go(size=9, komi=7.5)    my_game.py:MyGame    my_game.py:MyGame(size=3)
    mcts(select=ucb1(c=1.4), evaluate=rollout(), simulations=10000)
    mcts(select=my_rules.py:MyRule(c=0.5))

Names map to ``module:Class`` texts, so that looking one up imports only what it needs; each layer
lists its own in a file ``names.py``. Everything parses and prints back to itself. A file of the
user's is named by its path, from the working directory on, and printed with its whole path, so
that the text means the same elsewhere. Reading a text runs no such file: `ponder.core.gate` says
who may have it run.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import sys
import weakref
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

from ponder.core.formats import FileFormat, RecordFormat
from ponder.core.gate import is_named, load_from_file, split_name
from ponder.core.hooks import hook_of
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
    no_parameter,
    parse_call,
    value_text,
)
from ponder.errors import InputError, PonderError, quoted

GAMES: dict[str, str] = {}
ADAPTERS: dict[str, str] = {}
"""Games of other programs, by the adapter that brings them: ``openspiel("connect_four")``."""
ENGINES: dict[str, str] = {}
PRESETS: dict[str, str] = {}
"""Functions that make an engine: ready-made settings under their names in the literature."""
SOLVERS: dict[str, str] = {}
"""What is no engine, since it plays no moves, but has sessions that are saved."""
PARTS: dict[str, dict[str, str]] = {}
"""The parts of an engine, by the field they fit in."""
NEEDED: dict[str, tuple[str, ...]] = {}
"""Of each kind of part, the methods of which a part has one at least."""
ELSEWHERE: dict[tuple[str, str], str] = {}
"""(field, name) of what is looked for in the wrong place, and what to write instead."""
EXAMINERS: dict[str, str] = {}
"""Functions that look at a compiled game of the user's before anything of it is run, by name."""
RULE_EXAMINERS: dict[str, str] = {}
"""Functions of an engine with rules of the user's and a position, before it searches, by name."""
STRONG: dict[str, str] = {}
"""Engines that `strong()` takes for one game, where a layer above its own has a stronger one: SPEC
texts by `whole_text`."""
RENDERERS: dict[str, str] = {}
"""Functions that draw: a `session` or a `result` as SVG, a `report` of the lab as plots, which
`plots` makes sure of before an experiment begins."""
TABLEBASES: dict[str, str] = {}
"""Functions over tables of exact values that searches ask: see `ponder.core.tablebase`."""
FORMATS: dict[str, FileFormat] = {}
"""The formats of files that are read, by name."""
RECORD_FORMATS: dict[str, RecordFormat] = {}
"""The texts in which games are written down: see `ponder.core.record_formats`."""


def _collect() -> None:
    """Fill the tables with what each folder of the package says in its ``names.py``.

    So a layer brings its own names, and nothing here knows which layers there are.
    """
    tables = {key: value for key, value in globals().items() if key.isupper()}
    for file in sorted(Path(__file__).parents[1].glob("*/names.py")):
        for key, table in vars(_alone(file)).items():
            if key == "PARTS":  # several layers may bring parts of one kind
                for kind, parts in table.items():
                    PARTS.setdefault(kind, {}).update(parts)
            elif key.isupper():
                tables[key].update(table)
    for table in (GAMES, ENGINES, PRESETS, *PARTS.values()):
        for name in sorted(table):
            table[name] = table.pop(name)  # in alphabetical order, whoever brought it
    PARTS["engine"] = ENGINES


def _alone(file: Path) -> Any:
    """The module of a ``names.py``, without its package, which may import half of the library."""
    spec = importlib.util.spec_from_file_location(f"ponder.{file.parent.name}.names", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_collect()


@lru_cache(maxsize=256)
def load(target: str) -> Any:
    """What a ``module:Name`` text of these tables stands for."""
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)


@lru_cache(maxsize=256)
def _registered_name(cls: Any) -> str | None:
    """The name under which the class (or its package) is registered."""
    for table in (GAMES, ADAPTERS, ENGINES, SOLVERS, *PARTS.values()):
        for name, target in table.items():
            module, _, wanted = target.partition(":")
            if cls.__qualname__ == wanted and f"{cls.__module__}.".startswith(f"{module}."):
                return name
    return None


def _refuse_part(name: str) -> None:
    """InputError if the name, given as that of an engine, is that of a part of mcts()."""
    for field in ("select", "expand", "evaluate", "backup", "decide"):
        if name in PARTS[field]:
            raise InputError(
                f"{name} is no engine but a part of one: mcts({field}={name}()), say; "
                f"ponder engines {name} explains it"
            )


def _lookup(table: dict[str, str], name: str, kind: str) -> Any:
    """What a name stands for, in the table of its kind or in a file of the user's."""
    if is_file_name(name):
        return load_from_file(*split_name(name))
    if name not in table:
        if kind == "engine":
            _refuse_part(name)
        elif kind.endswith(" rule"):
            _refuse_other_kind(kind.removesuffix(" rule"), name)
        close = get_close_matches(name, table, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InputError(
            f"unknown {kind} {quoted(name)}{hint} "
            f"(available: {', '.join(table)}, or path/to/file.py:Name)"
        )
    return load(table[name])


def a_rule(kind: str) -> str:
    """The kind in words: a select rule, an expand rule."""
    return f"{'an' if kind[0] in 'aeiou' or kind == 'fpu' else 'a'} {kind} rule"


def rule_kind(rule: Any) -> str | None:
    """Which kind of rule it is, by its methods; None if it is none."""
    cls = rule if isinstance(rule, type) else type(rule)
    if not hasattr(cls, "_fields") or hasattr(cls, "spec"):
        return None
    for kind, methods in NEEDED.items():
        if any(callable(getattr(cls, name, None)) for name in methods):
            return kind
    return None


def misplaced(kind: str, part: Any) -> str:
    """A sentence about a part that does not fit in the field `kind`, and what would."""
    shown, own = quoted(part), rule_kind(part)
    if hasattr(type(part), "_fields"):
        shown = part_text(part)
        own = a_rule(own) if own else "an engine" if hasattr(part, "search") else None
    return _not_of_kind(kind, shown, own)


def _not_of_kind(kind: str, shown: str, own: str | None) -> str:
    said = f"{own}, not {a_rule(kind)}" if own else f"not {a_rule(kind)}"
    return f"{shown} is {said} (available: {', '.join(PARTS[kind])})"


def _refuse_other_kind(kind: str, name: str) -> None:
    """InputError if a part of this kind is wanted and the name is that of something else."""
    for field, table in PARTS.items():
        if name in table:
            own = "an engine" if field == "engine" else a_rule(field)
            raise InputError(_not_of_kind(kind, name, own))
    for own, others in {"an engine": PRESETS, "a game": GAMES}.items():
        if name in others:
            raise InputError(_not_of_kind(kind, name, own))


# ------------------------------------------------------------------ text -> value


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
        cls = load_from_file(*split_name(call.name))
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
        return build(call, cls, lambda field, value: _no_part(f"{field} of {call.name}", value))
    if is_file_name(call.name) and not (
        is_named(call.name) or hook_of(cls, "legal_actions") is not None
    ):
        raise InputError(f"{call.name} is no game: it has no legal_actions")
    # such a class says nothing of its parameters: openspiel(hex(board_size=5)) means the text
    call = Call(call.name, *(_texts(given) for given in (call.args, call.kwargs)))
    try:
        made = cls(*call.args, **call.kwargs)
    except PonderError:
        raise
    except (Exception, SystemExit) as error:
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


def _no_part(field: str, value: Call) -> Any:
    raise InputError(
        f"{field} takes a plain value (a number, a text in quotes, a tuple ...), "
        f"not {call_text(value)}"
    )


def parse_engine(text: str) -> Any:
    """The engine that a SPEC text names."""
    if not isinstance(text, str):
        raise InputError(f"expected the text of an engine such as 'mcts()', not {quoted(text)}")
    return _engine(parse_call(text))


def _engine(call: Call) -> Any:
    named = call.kwargs.get("evaluate")
    if isinstance(named, str) and is_file_name(named):
        call = call._replace(kwargs={**call.kwargs, "evaluate": Call(named, (), {})})
    made_by = _lookup({**ENGINES, **PRESETS}, call.name, "engine")
    return build(call, made_by, _part) if hasattr(made_by, "_fields") else _preset(call, made_by)


def _preset(call: Call, function: Any) -> Any:
    """The engine that a preset makes."""
    if not inspect.isfunction(function):
        raise InputError(f"{call.name} is not an engine: neither a NamedTuple nor a function")
    if is_file_name(call.name) and not is_named(call.name):
        raise InputError(f"{call.name} is a function: files and messages name what it makes")
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
    more = any(p.kind == p.VAR_KEYWORD for p in parameters)
    accepted = list(dict.fromkeys([*own, *(getattr(engine, "_fields", ()) if more else ())]))
    wrong = next((k for k in made if k not in accepted), None)
    if wrong is not None and (accepted != own or not more):
        raise InputError(no_parameter(call.name, wrong, accepted))
    return canonical(_made_by_file(call.name, function, made))


def _made_by_file(name: str, function: Any, given: dict[str, Any]) -> Any:
    """What the function makes; one of the user's may raise, or make no engine."""
    if not is_file_name(name):
        return function(**given)
    try:
        made = function(**given)
    except PonderError:
        raise
    except Exception as error:
        raise InputError(f"{name} raised {type(error).__name__}: {error}") from error
    if not hasattr(type(made), "_fields"):
        raise InputError(f"{name} made no engine, but {quoted(made)}")
    return made


def _part(field: str, call: Call) -> Any:
    if field == "engine":
        return _engine(call)
    if (field, call.name) in ELSEWHERE:
        raise InputError(ELSEWHERE[field, call.name])
    if field not in PARTS and not is_file_name(call.name):
        _no_part(field, call)
    made_by = _lookup(PARTS.get(field, {}), call.name, f"{field} rule")
    if not hasattr(made_by, "_fields"):
        if field == "evaluate" and inspect.isfunction(made_by) and not (call.args or call.kwargs):
            return _part(field, Call("function", (), {"call": call.name}))
        if field not in PARTS and not (call.args or call.kwargs):
            return call.name  # a function, say: who uses it reads the text
        raise InputError(f"{call.name} is not {a_rule(field)}: a rule is a NamedTuple")
    return build(call, made_by, _part)


def saved_engine(text: str) -> Any:
    """The engine, or other work, that a text in a data file names."""
    call = parse_call(text)
    return build(call, load(SOLVERS[call.name]), _part) if call.name in SOLVERS else _engine(call)


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
    change, and files move. Parameters that a game names in its constant ``ADDED`` came after such
    files: they are left out where they have their default, which never changes.
    """
    cls: Any = type(game)
    name = _registered_name(cls)
    if not hasattr(cls, "_fields"):
        call = _plain_calls.get(id(game), Call(name or cls.__qualname__, (), {}))
        return Path(call.name).name + call_text(call._replace(name=""))
    if name is None:
        file = _file_of(cls)
        name = f"{file.name}:{cls.__qualname__}" if file else cls.__qualname__
    added, usual = getattr(cls, "ADDED", ()), getattr(cls, "_field_defaults", {})
    fields = [
        (field, value)
        for field, value in zip(game._fields, canonical(game), strict=True)
        if field not in added or value != usual[field]
    ]
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
