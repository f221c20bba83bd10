"""Parts as values and as text: checked, coerced, written as calls and read back.

    ucb1(c=1.4)      mcts(select=ucb1(c=1.4), simulations=1000)      connect4(columns=5)

A part is a NamedTuple; its annotations say what each field accepts. `canonical` coerces the
fields (2 becomes 2.0 where a float is meant: another type would compile a second time).
"""

from __future__ import annotations

import ast
import contextlib
import json
import math
import numbers
import re
import types
import typing
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from ponder.errors import InputError, quoted

LEAST_WHOLE, MOST_WHOLE = -(2**63), 2**63 - 1
"""What compiled code can count with."""


class Call(NamedTuple):
    """A parsed ``name(positional..., keyword=...)``; arguments are constants, tuples, dicts or
    Calls."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


FILE_NAME = re.compile(r"(?P<path>.+\.py):(?P<name>[A-Za-z_]\w*)", re.DOTALL)
# to the end of the text where the quote is not closed, so that no letter is looked at twice
_QUOTED = r"'(?:\\[\s\S]|[^'\\])*+(?:'|\\?\Z)|\"(?:\\[\s\S]|[^\"\\])*+(?:\"|\\?\Z)"
_BARE_FILE = re.compile(
    rf"{_QUOTED}|(?<![^\s'\"()\[\],=])(?P<file>[^\s'\"()\[\],=]+\.py:[A-Za-z_]\w*)(?![\w.:])(?P<call>\s*\()?"
)


def is_file_name(name: str) -> bool:
    """Is the name of a call that of an object in a Python file, ``path/to/file.py:Name``?"""
    return FILE_NAME.fullmatch(name) is not None


def file_name(path: str, name: str) -> str:
    """How a call names an object in a Python file: in quotes, where the path has odd characters."""
    text = f"{path}:{name}"
    found = _BARE_FILE.fullmatch(text)
    return text if found and found["file"] else repr(text)


def _quote_files(text: str) -> str:
    """The text with every ``path/to/file.py:Name`` outside quotes as a call of a quoted text,
    which Python's grammar knows."""

    def quote(found: re.Match[str]) -> str:
        file, call = found["file"], found["call"]
        return f"{file!r}{call or '()'}" if file else found[0]

    return _BARE_FILE.sub(quote, text)


def _quote_one_file(text: str) -> str:
    """The same for a text that is one file, whose path has blanks or brackets and no quotes."""
    whole = re.match(rf"{FILE_NAME.pattern}\s*(\(.*)?$", text, re.DOTALL)
    return f"{(whole['path'] + ':' + whole['name'])!r}{whole[3] or '()'}" if whole else text


def parse_call(text: str) -> Call:
    """Read a name with optional arguments in Python's call syntax.

    A name may be that of an object in a Python file: ``path/to/file.py:Name``, in quotes where the
    path has blanks, quotes, brackets, commas or equals signs.
    """
    try:
        return _parsed(_quote_files(text.strip()), text)
    except InputError as error:
        one_file = _quote_one_file(text.strip())
        with contextlib.suppress(InputError):
            return _parsed(one_file, text)
        raise error


def _parsed(quoted_text: str, text: str) -> Call:
    try:
        tree = ast.parse(quoted_text, mode="eval").body
        call = _read(tree, text)
    except InputError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            f"cannot read {quoted(text)}: expected a name or a call such as name(parameter=value)"
        ) from None
    if isinstance(call, str) and is_file_name(call):
        return Call(call, (), {})
    if not isinstance(call, Call):
        raise InputError(f"cannot read {quoted(text)}: expected a name or a call, not a value")
    return call


def _read(node: ast.AST, text: str) -> Any:
    if isinstance(node, ast.Name):
        return Call(node.id, (), {})
    if isinstance(node, ast.Call) and (name := _called(node.func)):
        kwargs = {k.arg: _read(k.value, text) for k in node.keywords if k.arg is not None}
        if len(kwargs) == len(node.keywords):
            return Call(name, tuple(_read(a, text) for a in node.args), kwargs)
    if isinstance(node, ast.Constant) and isinstance(
        node.value, int | float | str | bool | types.NoneType
    ):
        return node.value
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_read(item, text) for item in node.elts)
    if isinstance(node, ast.Dict) and all(
        isinstance(key, ast.Constant) and isinstance(key.value, str) for key in node.keys
    ):
        names = [key.value for key in node.keys if isinstance(key, ast.Constant)]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"cannot read {quoted(text)}: {quoted(twice)} stands twice in it")
        return dict(zip(names, (_read(value, text) for value in node.values), strict=True))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _read(node.operand, text)
        if isinstance(value, int | float):
            return -value
    raise InputError(
        f"cannot read {quoted(ast.unparse(node))} in {quoted(text)}: "
        "accepted: names, calls, numbers, strings, True, False, None, tuples and dicts with names"
    )


def _called(node: ast.expr) -> str | None:
    """The name that is called: a plain one, or that of an object in a Python file."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if is_file_name(node.value) else None
    return None


def value_text(value: Any) -> str:
    """A field's value as it is written in a call."""
    if isinstance(value, Call):
        return call_text(value)
    if isinstance(value, tuple) and type(value) is tuple:
        inner = ", ".join(value_text(v) for v in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {value_text(v)}' for key, v in value.items())}}}"
    if callable(value):  # a function has a name for people; it cannot be read back
        return str(getattr(value, "__qualname__", type(value).__name__))
    return repr(value)


def call_text(call: Call) -> str:
    """A call as it is written: the inverse of `parse_call`."""
    shown = [value_text(value) for value in call.args]
    shown += [f"{name}={value_text(value)}" for name, value in call.kwargs.items()]
    name = file_name(*call.name.rsplit(":", 1)) if is_file_name(call.name) else call.name
    return f"{name}({', '.join(shown)})" if shown else name


@lru_cache(maxsize=256)
def field_types(cls: Any) -> dict[str, Any]:
    """The field annotations, resolved. A class without them accepts anything."""
    try:
        return typing.get_type_hints(cls)
    except Exception:
        return {}


def is_ours(cls: type) -> bool:
    """Is the class of this package? What users write nobody may have checked."""
    return cls.__module__.startswith("ponder.")


def identical(a: Any, b: Any) -> bool:
    """Equal and of the same class, all the way down.

    ``==`` is not enough: tuples of two classes with equal fields are equal.
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    return bool(a == b)


_named: dict[str, type] = {}


def distinguish(cls: type) -> None:
    """Give the class a name of its own among the classes of parts.

    Numba tells the classes of named tuples apart by their name and the types of their fields
    alone: of two parts called UCB1, one in your own file, the second would silently run the code
    of the first.
    """
    if _named.setdefault(cls.__name__, cls) is cls:
        return
    base = f"{cls.__name__} of {cls.__module__}"
    name, twins = base, 1
    while _named.setdefault(name, cls) is not cls:
        twins += 1
        name = f"{base} ({twins})"
    cls.__name__ = name


def canonical(part: Any) -> Any:
    """The same part with every field of its annotated type; raises InputError where impossible.

    A part may have a method ``problem(self)`` that returns a sentence when its parameters do not
    fit together, and the class attributes ``WORDS``, {field: {word: number}}, words that stand for
    numbers, and ``NESTED``, text fields for which nested values may be given as they are.
    """
    cls: Any = type(part)
    hints = field_types(cls)
    values = [
        _coerce(_word(value, cls, name), hints.get(name, Any), name, cls.__name__)
        for name, value in zip(part._fields, part, strict=True)
    ]
    made = cls(*values)
    problem = getattr(made, "problem", None)
    if problem is not None:
        sentence = problem()
        if sentence:
            raise InputError(sentence)
    return made


def _coerce(value: Any, hint: Any, field: str, owner: str) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return canonical(value)
    if isinstance(value, type) and hasattr(value, "_fields"):
        name = value.__name__
        raise InputError(f"{field} of {owner} must be a part, {name}(), not the class {name}")
    if hint is float and _is_number(value):
        return _finite(value, field, owner)
    if hint is int and _is_number(value) and _is_whole(value):
        if not LEAST_WHOLE <= value <= MOST_WHOLE:
            raise InputError(
                f"{field} of {owner} is out of range: whole numbers go from {LEAST_WHOLE} "
                f"to {MOST_WHOLE}"
            )
        return int(value)
    if hint is bool and (isinstance(value, bool) or (_is_number(value) and value in (0, 1))):
        return bool(value)
    if hint is str and isinstance(value, str):
        return value
    if typing.get_origin(hint) is tuple and isinstance(value, tuple | list):
        inner = typing.get_args(hint)[0]
        return tuple(_coerce(v, inner, field, owner) for v in value)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        options = typing.get_args(hint)
        if value is None and types.NoneType in options:
            return None
        return _coerce(value, next(o for o in options if o is not types.NoneType), field, owner)
    if hint in (int, float, bool, str) or typing.get_origin(hint) is tuple:
        kind = getattr(hint, "__name__", "tuple") if hint in (int, float, bool, str) else "tuple"
        words = {
            "int": "a whole number",
            "float": "a number",
            "bool": "True or False",
            "str": "a text",
            "tuple": "a tuple of numbers",
        }
        raise InputError(f"{field} of {owner} must be {words[kind]}, not {quoted(value)}")
    if isinstance(value, list | dict | set):
        raise InputError(
            f"{field} of {owner} must be something that cannot be changed, a tuple say, "
            f"not the {type(value).__name__} {quoted(value)}"
        )
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) or (math.isfinite(value) and int(value) == value)


def _finite(value: Any, field: str, owner: str) -> float:
    """The number as a float; infinity would make sums nan, and could not be typed again."""
    try:
        made = float(value)
    except OverflowError:  # a whole number above all floats
        made = math.inf if value > 0 else -math.inf
    if math.isnan(made):
        raise InputError(f"{field} of {owner} is not a number (nan)")
    if math.isinf(made):
        raise InputError(f"{field} of {owner} must be a finite number, not {made}")
    return made


def _word(value: Any, cls: Any, field: str) -> Any:
    """The number that a word stands for in this field (``WORDS``), the text of nested values
    (``NESTED``), else the value itself."""
    words = getattr(cls, "WORDS", {}).get(field, {})
    if field in getattr(cls, "NESTED", ()) and not isinstance(value, str):
        return nested_text(value)
    return words.get(value, value) if isinstance(value, str) else value


def nested_text(value: Any) -> str:
    """Nested lists, tuples, dicts and numbers as JSON."""
    if isinstance(value, Call):
        return call_text(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(nested_text, value))}]"
    if isinstance(value, dict):
        inner = (f"{json.dumps(name)}: {nested_text(v)}" for name, v in value.items())
        return f"{{{', '.join(inner)}}}"
    return json.dumps(value) if isinstance(value, int | float | str | None) else repr(value)


def bare_word(value: Any, cls: Any, field: str) -> Any:
    """A name without quotes as the text it is, where one is meant: parallel=root, threads=auto."""
    if not isinstance(value, Call) or value.args or value.kwargs:
        return value
    known = value.name in getattr(cls, "WORDS", {}).get(field, {})
    return value.name if known or field_types(cls).get(field) is str else value


def build(call: Call, cls: Any, child: Any) -> Any:
    """Make the part that `call` describes; `child(field, call)` makes the nested ones."""
    problem = arguments_problem(call.name, cls, call.args, call.kwargs)
    if problem:
        raise InputError(problem)
    given = {**dict(zip(cls._fields, call.args, strict=False)), **call.kwargs}
    plain = {name: bare_word(value, cls, name) for name, value in given.items()}
    made = {
        name: child(name, value) if isinstance(value, Call) else value
        for name, value in plain.items()
    }
    return canonical(cls(**made))


def arguments_problem(
    name: str, cls: Any, args: tuple[Any, ...], given: dict[str, Any]
) -> str | None:
    """A sentence if these are not arguments for the class of parts called `name`."""
    fields = cls._fields
    if args and not fields:
        return f"{name} has no parameters"
    if len(args) > len(fields):
        most = f"{len(fields)} parameter{'s' if len(fields) > 1 else ''}"
        return f"{name} takes at most {most} ({', '.join(fields)}), not {len(args)}"
    for key in given:
        if key not in fields:
            return no_parameter(name, key, fields)
        if key in fields[: len(args)]:
            return f"{name} got {quoted(key)} twice"
    here = {*given, *fields[: len(args)], *cls._field_defaults}
    missing = [field for field in fields if field not in here]
    return f"{name} needs {', '.join(missing)}" if missing else None


def no_parameter(name: str, wrong: str, accepted: Sequence[str]) -> str:
    """A sentence about a parameter that there is not, with the nearest that there is."""
    close = get_close_matches(wrong, accepted, 1, cutoff=0.5)
    hint = f"did you mean {close[0]}? " if close else ""
    known = ", ".join(accepted) or "none"
    return f"{name} has no parameter {quoted(wrong)}; {hint}accepted: {known}"
