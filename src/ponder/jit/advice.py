"""What is wrong with a function that does not compile, and what to write instead.

Python that never compiles is told from the source, whatever the compiler says; the rest from the
innermost sentence of the compiler, which is about types.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from numba import types

from ponder.jit.failures import Failure
from ponder.jit.methods import methods_of

OWN_ARRAYS = "use out, the fields of the state, or arrays in fields of what rules() returns"
NUMBERS = "use numbers: texts belong to action_name and board_text"
CONTRACT = "what each method takes and returns: docs/your-own-game.md, docs/your-own-rule.md"
WHOLE = "divide with //, and convert with np.int64(x) or U(x)"
ONE_OR_NONE = "returns a value in one place and None in another"


class Advice(NamedTuple):
    fault: str
    instead: str
    line: int | None = None
    """Where the source shows it better than the compiler."""


def advice(failure: Failure) -> Advice:
    """The fault behind a failure."""
    return unsupported(failure) or spoken(failure) or untold(failure)


# ------------------------------------------------------------ Python that never compiles

_NODES: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("makes a list", OWN_ARRAYS),
    ast.ListComp: ("makes a list", f"write a loop, and {OWN_ARRAYS}"),
    ast.Set: ("makes a set", "use the bits of a number, or an array with a place for each element"),
    ast.SetComp: ("makes a set", "use the bits of a number, or an array"),
    ast.Dict: ("makes a dict", "use an array indexed by the key"),
    ast.DictComp: ("makes a dict", "use an array indexed by the key"),
    ast.GeneratorExp: ("has a generator expression", "write a loop"),
    ast.JoinedStr: ("makes a string", NUMBERS),
    ast.Yield: ("is a generator (yield)", "write into out and return how many there are"),
    ast.YieldFrom: ("is a generator (yield)", "write into out and return how many there are"),
    ast.ExceptHandler: ("catches an exception", "test with if before, nothing is raised"),
    ast.With: ("has a with block", "files and locks belong outside the rules"),
    ast.ClassDef: ("defines a class", "define it at the top of the file"),
    ast.Import: ("imports", "import at the top of the file"),
    ast.ImportFrom: ("imports", "import at the top of the file"),
    ast.Global: ("writes a global name", "keep what changes in the state"),
    ast.Nonlocal: ("writes a name of another function", "keep what changes in the state"),
    ast.Delete: ("has a del statement", "leave it out"),
}
_ARRAY_MAKERS = {
    *("arange", "argsort", "array", "concatenate", "copy", "empty", "empty_like", "full"),
    *("full_like", "linspace", "nonzero", "ones", "ones_like", "where", "zeros", "zeros_like"),
}
_CALLS = {
    "str": ("makes a string", NUMBERS),
    "list": ("makes a list", OWN_ARRAYS),
    "sorted": ("makes a list", "sort in place, with a loop"),
    "dict": ("makes a dict", "use an array indexed by the key"),
    "set": ("makes a set", "use the bits of a number, or an array"),
}


def unsupported(failure: Failure) -> Advice | None:
    """Python that the compiler stumbled over: in the line it names, else anywhere."""
    found = list(_never_compiled(function_source(failure.function)))
    for advice in found:
        if advice.line == failure.line:
            return advice
    said_nowhere = failure.line in (None, failure.function.__code__.co_firstlineno)
    return found[0] if found and (said_nowhere or "NRT required" in str(failure.error)) else None


def _never_compiled(source: ast.AST) -> Iterator[Advice]:
    for node in ast.walk(source):
        line = getattr(node, "lineno", None)
        if type(node) in _NODES:
            yield Advice(*_NODES[type(node)], line)
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Attribute) and called.attr in _ARRAY_MAKERS:
                yield Advice(f"makes an array ({ast.unparse(called)})", OWN_ARRAYS, line)
            elif isinstance(called, ast.Name) and called.id in _CALLS:
                yield Advice(*_CALLS[called.id], line)


# ------------------------------------------------------------ what the compiler says


def spoken(failure: Failure) -> Advice | None:
    """The compiler's innermost sentence in our words."""
    message = plain_text(failure.error)
    if isinstance(failure.error, KeyError):  # how Numba says that a record lacks a field
        return _no_record_field(str(failure.error.args[0]), failure)
    for pattern, told in _SENTENCES:
        found = re.search(pattern, message)
        if found:
            return told(found, failure)
    return None


def untold(failure: Failure) -> Advice:
    """The compiler's own first sentence."""
    for line in plain_text(failure.error).splitlines():
        text = line.strip().removeprefix("- ")
        if text and not text.startswith(("Failed in", "Resolution failure")):
            return Advice(text.rstrip(".: ")[:200], "write it with numbers, arrays and loops")
    return Advice("unsupported Python", "write it with numbers, arrays and loops")


def plain_text(error: Exception) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", str(error))


def _no_record_field(name: str, failure: Failure) -> Advice:
    records = [kind for kind in failure.args if isinstance(kind, types.Record)]
    what = "state" if records else "record"
    waiting = [] if records else list(failure.args)
    while waiting:  # arrays of records, however deep in the parts
        kind = waiting.pop()
        if isinstance(kind, types.BaseTuple):
            waiting.extend(kind)
        elif isinstance(getattr(kind, "dtype", None), types.Record):
            records.append(kind.dtype)
    fields = [field for record in records for field in record.fields if field.isidentifier()]
    return Advice(f"the {what} has no field {name!r}", _did_you_mean(name, fields))


def _no_attribute(found: re.Match[str], failure: Failure) -> Advice:
    name, kind = found.groups()
    for part in failure.args:
        if isinstance(part, types.BaseNamedTuple) and str(part) == kind.strip():
            known = [*part.fields, *methods_of(part.instance_class)]
            owner = part.instance_class.__name__.partition(" of ")[0]  # see `distinguish`
            return Advice(f"{owner} has no field or method {name!r}", _did_you_mean(name, known))
    return Advice(
        f"{in_words(kind)} has no {name!r} in compiled code", "write it with numbers and loops"
    )


def _no_name(found: re.Match[str], failure: Failure) -> Advice:
    name, function = found[1], failure.function
    known = [*function.__code__.co_varnames, *function.__globals__, *vars(builtins)]
    return Advice(f"the name {name!r} is not defined", _did_you_mean(name, known, few=0))


def _no_module_name(found: re.Match[str], failure: Failure) -> Advice:
    module, name = found.groups()
    held = failure.function.__globals__.values()
    known = next((dir(value) for value in held if getattr(value, "__name__", "") == module), [])
    return Advice(f"{module} has no {name!r}", _did_you_mean(name, known, few=0))


def _untyped(found: re.Match[str], failure: Failure) -> Advice:
    name, kind = found.groups()
    if kind == "function":
        return Advice(
            f"{name} is a plain Python function",
            "write @kernel above its def (from ponder.rules import kernel), or make it a method",
        )
    if kind == "builtin_function_or_method":
        return Advice(f"{name} does not compile", "write it with numbers, arrays and loops")
    return Advice(
        f"the global {name} is a {kind}",
        "use numbers and tuples of numbers; arrays as fields of what rules() returns",
    )


def _two_kinds(found: re.Match[str], failure: Failure) -> Advice:
    one, two, name = in_words(found[1]), in_words(found[2]), found[3].partition(".")[0]
    fault = f"{name} is {one} in one place and {two} in another"
    if "None" in (one, two):
        return Advice(fault, "begin with a number that means nothing, such as -1")
    return Advice(fault, "give the two different names")


def _two_returns(found: re.Match[str], failure: Failure) -> Advice:
    kinds = list(dict.fromkeys(in_words(kind) for kind in split_types(found[1])))
    return Advice(f"returns {' or '.join(kinds)}", "return the same kind of value everywhere")


def _wrong_call(found: re.Match[str], failure: Failure) -> Advice:
    callee = re.search(r"<function ([\w.<>]+) at", plain_text(failure.error))
    name = callee[1].rpartition(".")[2] if callee else "the function"
    return Advice(f"wrong arguments for {name}{found[1]}: {found[2]}", "call it as it is defined")


def _one_or_none(found: re.Match[str], failure: Failure) -> Advice:
    return Advice(f"{found[1]} {ONE_OR_NONE}", "end every path of it with return and a value")


def _no_field_set(found: re.Match[str], failure: Failure) -> Advice:
    return Advice(f"sets the field {found[1]!r} of a part", "keep what changes in the state")


_SYMBOLS = {
    **{"and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "invert": "~"},
    **{"iand": "&=", "ior": "|=", "ixor": "^=", "ilshift": "<<=", "irshift": ">>="},
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"},
    **{"iadd": "+=", "isub": "-=", "imul": "*=", "pow": "**", "neg": "-", "not_": "not"},
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in"},
}
_BITS = {"&", "|", "^", "<<", ">>", "~", "&=", "|=", "^=", "<<=", ">>="}


def _no_operation(found: re.Match[str], failure: Failure) -> Advice:
    name, kinds = found[1], [in_words(kind) for kind in split_types(found[2])]
    symbol = _SYMBOLS.get(name)
    if name in ("getitem", "setitem"):
        if kinds[1:2] == ["a float"]:
            return Advice("a float is used as an index", WHOLE)
        if kinds[0] == "a tuple":
            return Advice("a tuple of different kinds is indexed with a variable", OWN_ARRAYS)
        return Advice(
            f"{kinds[0]} cannot be indexed with {kinds[1]}", "index arrays with whole numbers"
        )
    if symbol is None:
        return Advice(f"{name} cannot take {', '.join(kinds)}", "write it with numbers and loops")
    fault = f"{symbol} of {' and '.join(kinds)}"
    if "None" in kinds:
        return Advice(fault, "begin with a number that means nothing, such as -1")
    if "a string" in kinds:
        return Advice(fault, NUMBERS)
    if symbol in _BITS and "a float" in kinds:
        return Advice(fault, WHOLE)
    return Advice(fault, "convert one of them: np.int64(x), U(x) or float(x)")


_SENTENCES: tuple[tuple[str, Callable[[re.Match[str], Failure], Advice]], ...] = (
    (r"Unknown attribute '(\w+)' of type (.*)", _no_attribute),
    (rf"(\S+) {ONE_OR_NONE}", _one_or_none),
    (r"Cannot bind .* to signature '(\(.*\))' due to \"TypeError: (.*)\"", _wrong_call),
    (r"name '(\w+)' is not defined", _no_name),
    (r"module '(\w+)' has no attribute '(\w+)'", _no_module_name),
    (r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>", _untyped),
    (r"Cannot unify (.*) and (.*) for '([^']+)'", _two_kinds),
    (r"Can't unify return type from the following types: (.*)", _two_returns),
    (r"No definition for lowering .*\.(\w+) = ", _no_field_set),
    (r">>> (\w+)\((.*)\)", _no_operation),
    (
        r"NRT required|Only accept returning of array",
        lambda found, failure: Advice("makes an array, list or string", OWN_ARRAYS),
    ),
)


def advice_to_callee(failure: Failure, method: Callable[..., Any]) -> Advice:
    """The fault of a method that compiles, but does not fit the place in Ponder that calls it."""
    message = plain_text(failure.error)
    bound = re.search(r"Cannot bind 'args=\((.*?)\) kws=", message)
    if bound:
        takes = ", ".join(inspect.signature(method).parameters)
        given = len(split_types(bound[1])) - 1
        return Advice(f"takes ({takes}), but is given self and {given} more", CONTRACT)
    if ONE_OR_NONE in message:
        line = _line_of_none(function_source(method))
        return Advice(ONE_OR_NONE, "end every path with return and a value", line)
    shown = re.search(r">>> \w+\((.*)\)", message)
    if shown is None:
        return Advice(f"what it returns does not fit ({untold(failure).fault})", CONTRACT)
    kinds = [in_words(kind) for kind in split_types(shown[1])]
    if kinds == ["a generator"]:
        return Advice(*_NODES[ast.Yield])
    return Advice(f"returns {' or '.join(kinds)}, which does not fit", CONTRACT)


def _line_of_none(source: ast.AST) -> int | None:
    for node in ast.walk(source):
        if isinstance(node, ast.Return) and ast.unparse(node) in ("return", "return None"):
            return node.lineno
    return None


# ------------------------------------------------------------ words


def _did_you_mean(name: str, known: list[str], few: int = 12) -> str:
    """The most similar name, or all of them if they are few."""
    close = get_close_matches(name, known, 1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"there are {', '.join(known)}" if 0 < len(known) <= few else "define it"


_WORDS = (
    (r".*generator\(func=", "a generator"),
    (r"Literal\[int\]|int\d+", "a whole number"),
    (r"uint\d+", "an unsigned number"),
    (r"float\d+", "a float"),
    (r"Literal\[bool\]|bool", "a bool"),
    (r"none|Literal\[None\]", "None"),
    (r"OptionalType", "a number or None"),
    (r"array|nestedarray|readonly array|Array", "an array"),
    (r"Record", "a state"),
    (r"unicode_type|Literal\[str\]", "a string"),
    (r"UniTuple|Tuple", "a tuple"),
    (r"reflected list|list", "a list"),
    (r"Function|type\(CPUDispatcher|BoundFunction", "a function"),
)


def in_words(kind: str) -> str:
    """What people call Numba's type."""
    for pattern, word in _WORDS:
        if re.match(pattern, kind.strip()):
            return word
    return kind.strip().partition("(")[0][:40]


def split_types(text: str) -> list[str]:
    """The types of a list, which have commas of their own."""
    found, depth, last = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            found.append(text[last:i].strip())
            last = i + 1
    return [*found, text[last:].strip()]


def function_source(function: Callable[..., Any]) -> ast.AST:
    """The definition of a function, with the line numbers of its file; empty without a source."""
    code = function.__code__
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return ast.Pass()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            if first == code.co_firstlineno and node.name == code.co_name:
                return node
    return ast.Pass()
