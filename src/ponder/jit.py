"""The only module that knows Numba: plain Python functions and methods become machine code.

A *part* is a small ``NamedTuple`` (a game, a selection rule, a rollout policy ...). Its **type**
selects the code, its **fields** are the parameters. A *kernel* is a function generic in its
parts; it calls ``part.method(...)`` and Numba specialises it for each combination of types.

Begin reading at `kernel`, then `register_part`, then `KernelCache`.

    >>> from ponder.jit import kernel
    >>> @kernel
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42

With ``NUMBA_DISABLE_JIT=1`` (*plain mode*) everything here is ordinary Python and gives the same
results, only slowly: that is how the compiled code is checked.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import sys
import tempfile
import threading
import types as python_types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import compiler, errors, event
from numba.core.serialize import dumps
from numba.extending import intrinsic, overload, overload_method

from ponder.errors import CompileError

COMPILED = not numba.config.DISABLE_JIT
"""False in plain mode."""

# nogil: other threads (a stop button, a second search) run meanwhile.
# error_model numpy: no hidden branch and exception at every division.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

# Numba 0.68 asks `if signature.recvr:` where it means `is not None`: the type of a part without
# fields has length 0 and would lose its `self`. Types are values, never empty.
types.BaseNamedTuple.__bool__ = lambda self: True

U = np.uint64
"""Unsigned 64-bit: write ``x & (x - U(1))``, never ``x - 1`` (that would turn signed)."""


# ------------------------------------------------------------------ kernels and parts


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use for each combination of argument types; cache on disk."""
    if not COMPILED:
        return function
    dispatcher = numba.njit(**OPTIONS)(function)
    dispatcher._cache = KernelCache(function)
    return dispatcher


_bodies: dict[Callable[..., Any], Any] = {}
_operations: set[tuple[str, int]] = set()
_tuple_api = set(dir(tuple)) | {"_make", "_replace", "_asdict"}


def _operation(name: str, arity: int) -> None:
    """Let kernels call ``part.name(...)`` on any NamedTuple whose class defines it so."""
    _operations.add((name, arity))

    def body_of(part: Any) -> Any:
        method = getattr(getattr(part, "instance_class", None), name, None)
        if not isinstance(method, python_types.FunctionType):
            return None
        if method.__code__.co_argcount != arity:
            return None
        if method not in _bodies:
            _bodies[method] = kernel(method)
        return _bodies[method]

    # Spelt out for each number of arguments: forwarding *args compiles more slowly.
    names = ", ".join(["self", *(f"a{i}" for i in range(1, arity))])
    source = f"""
def resolve({names}):
    body = body_of(self)
    return None if body is None else lambda {names}: body({names})
"""
    scope: dict[str, Any] = {"body_of": body_of}
    exec(source, scope)
    overload_method(types.BaseNamedTuple, name)(scope["resolve"])


def register_part(cls: type) -> None:
    """Make every method of the NamedTuple class `cls` callable from kernels. Cheap to repeat."""
    if not COMPILED:
        return
    for name, method in methods_of(cls).items():
        arity = method.__code__.co_argcount
        if (name, arity) not in _operations:
            _operation(name, arity)


def methods_of(cls: type) -> dict[str, Callable[..., Any]]:
    """The functions written in the class, without what every NamedTuple has."""
    return {
        name: value
        for name, value in vars(cls).items()
        if isinstance(value, python_types.FunctionType)
        and name not in _tuple_api
        and not name.startswith("__")
    }


# ------------------------------------------------------------------ the disk cache


def cache_directory() -> Path:
    """``$NUMBA_CACHE_DIR``, else ``$XDG_CACHE_HOME/ponder``, else ``~/.cache/ponder``."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / "ponder"
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "ponder"


class KernelCache:
    """Machine code on disk, one file a specialisation, named by everything it was made from.

    Numba's own cache looks only at the file a kernel stands in: after an edit to a game or a
    rule elsewhere it silently runs the OLD code. Here the file name is a hash over the code of
    the kernel, of every function, class and constant it reaches, of every class in the
    signature, and of the versions of Numba, Python and the processor. An edit anywhere gives
    another name, so stale code is never found; nothing depends on paths or time stamps.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._code: Fingerprint | None = None

    # the interface that Numba's dispatcher expects of a cache

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            data = path.read_bytes()
        except OSError:
            return None
        checksum, payload = data[:32], data[32:]
        if hashlib.sha256(payload).digest() != checksum:
            return None  # truncated or damaged: compile again and overwrite
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, compiled: Any) -> None:
        if compiled.library.has_dynamic_globals:
            return
        payload = dumps(compiled._reduce())
        path = self._path(sig, compiled.codegen)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            _warn_once(
                f"cannot keep compiled code in {path.parent} ({error.strerror or error}); "
                "the search works, but compiles again next time. "
                "Set XDG_CACHE_HOME to a writable folder."
            )

    def flush(self) -> None:
        """Part of the interface; there is no index to flush."""

    enable = disable = flush

    def _path(self, sig: Any, codegen: Any) -> Path:
        if self._code is None:
            self._code = Fingerprint()
            self._code.add_function(self.function)
        whole = self._code.copy()
        for cls in sorted(_classes_in(sig), key=lambda c: (c.__module__, c.__qualname__)):
            whole.add_class(cls)
        whole.text(f"{sig} {codegen.magic_tuple()} {numba.__version__} {sys.version_info[:3]}")
        name = re.sub(r"[^\w.]", "", self.function.__qualname__)
        return cache_directory() / f"{name}-{whole.hexdigest()}.nbc"


_JIT_SOURCE = Path(__file__).read_bytes()
_FOREIGN = {"numpy", "numba", "llvmlite", "math", "builtins", "typing", "collections"}


class Fingerprint:
    """A hash over code as it is in memory: bytecode, constants and all that it refers to."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256(_JIT_SOURCE)
        self._seen: set[Any] = set()

    def copy(self) -> Fingerprint:
        twin = Fingerprint.__new__(Fingerprint)
        twin._hash, twin._seen = self._hash.copy(), set(self._seen)
        return twin

    def hexdigest(self) -> str:
        return self._hash.hexdigest()[:32]

    def text(self, text: str) -> None:
        self._hash.update(text.encode() + b"\0")

    def add_function(self, function: Callable[..., Any]) -> None:
        function = getattr(function, "py_func", function)
        if function in self._seen:
            return
        self._seen.add(function)
        self.text(f"function {function.__module__}.{function.__qualname__}")
        self._add_code(function.__code__, function.__globals__)
        for default in function.__defaults__ or ():
            self.text(repr(default))
        for cell in function.__closure__ or ():
            self._add_value("cell", cell.cell_contents, ())

    def add_class(self, cls: type) -> None:
        if cls in self._seen:
            return
        self._seen.add(cls)
        self.text(f"class {cls.__module__}.{cls.__qualname__}")
        for name, method in sorted(methods_of(cls).items()):
            self.text(name)
            self.add_function(method)

    def _add_code(self, code: python_types.CodeType, scope: dict[str, Any]) -> None:
        self._hash.update(code.co_code)
        self.text(repr((code.co_names, code.co_varnames, code.co_freevars)))
        for constant in code.co_consts:
            if isinstance(constant, python_types.CodeType):
                self._add_code(constant, scope)
            elif isinstance(constant, frozenset):
                self.text(repr(sorted(constant, key=repr)))
            else:
                self.text(repr(constant))
        for name in code.co_names:
            if name in scope:
                self._add_value(name, scope[name], code.co_names)

    def _add_value(self, name: str, value: Any, attributes: tuple[str, ...]) -> None:
        module = (getattr(value, "__module__", None) or "").partition(".")[0]
        if isinstance(value, python_types.ModuleType):
            self.text(f"module {value.__name__}")
            if value.__name__.partition(".")[0] not in _FOREIGN and value not in self._seen:
                self._seen.add(value)
                for attribute in attributes:  # `bits.popcount` reads bits, then popcount
                    if attribute in vars(value):
                        self._add_value(attribute, vars(value)[attribute], ())
        elif isinstance(value, np.ndarray):
            self.text(f"{name} {value.dtype} {value.shape}")
            self._hash.update(np.ascontiguousarray(value).tobytes())
        elif module in _FOREIGN:
            self.text(f"{name} {module} {getattr(value, '__qualname__', value)}")
        elif hasattr(value, "py_func") or isinstance(value, python_types.FunctionType):
            self.add_function(value)
        elif isinstance(value, type):
            self.add_class(value)
        else:
            self.text(f"{name} {value!r}")
            if isinstance(value, tuple) and type(value) is not tuple:
                self.add_class(type(value))


def _classes_in(sig: Any) -> set[type]:
    """The NamedTuple classes among the argument types, however deeply nested."""
    found: set[type] = set()
    waiting = list(sig) if isinstance(sig, tuple) else list(sig.args)
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, types.BaseNamedTuple):
            found.add(kind.instance_class)
        if isinstance(kind, types.BaseTuple):
            waiting.extend(kind)
    return found


def write_atomically(path: Path, data: bytes) -> None:
    """Write the whole file or nothing: readers never see half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


_warned: set[str] = set()


def _warn_once(message: str) -> None:
    kind = message[:40]
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, RuntimeWarning, stacklevel=2)


# ------------------------------------------------------------------ errors and notices for people


@contextlib.contextmanager
def explained(what: str) -> Iterator[None]:
    """Turn a page of Numba into one line that names the part, the place and the fault."""
    try:
        yield
    except errors.NumbaError as error:
        raise CompileError(f"{what} does not compile: {summary(str(error))}") from None


_FAULT = re.compile(
    r"^(?:\w*Error: )?(Unknown attribute .*|NameError: .*|Cannot unify .*|Untyped global name .*|"
    r"Unsupported .*|Use of unsupported .*|No implementation of function Function\(<built-in .*|"
    r"cannot .*|.*not supported.*|Cannot .*|Undefined variable .*|.* is not .*)$"
)


def summary(message: str) -> str:
    """The innermost complaint of a Numba message and the source line it is about.

    Numba tells the innermost fault first and then the chain of callers.
    """
    message = re.sub(r"\x1b\[[\d;]*m", "", message)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    faults = [found[1] for line in lines if (found := _FAULT.match(line))]
    shown = [i for i, line in enumerate(lines) if line.startswith(">>> ")]
    fault = faults[0] if faults else next(
        (line for line in lines if not line.startswith("Failed in")), "unsupported Python"
    )
    if fault.startswith("No implementation") and shown:
        fault = "no such operation: " + lines[shown[-1] if not faults else shown[0]][4:]
        for i in shown:  # the operation of that very fault stands right below it
            if lines[i - 1].startswith("No implementation of function Function(<built-in"):
                fault = "no such operation: " + lines[i][4:]
                break
    places = re.findall(r'File "([^"]+)", line (\d+)', message)
    own = [p for p in places if p[0] != "<string>" and f"{os.sep}numba{os.sep}" not in p[0]]
    where = f" ({os.path.basename(own[0][0])}, line {own[0][1]})" if own else ""
    return fault.rstrip(":. ")[:300] + where


class _CompileWatch(event.Listener):
    """Calls `notice` once when compiling has taken longer than `patience` seconds."""

    def __init__(self, notice: Callable[[], None], patience: float) -> None:
        self.notice, self.patience = notice, patience
        self.depth = 0
        self.timer: threading.Timer | None = None
        self.told = False

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1 and not self.told:
            self.timer = threading.Timer(self.patience, self._tell)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def _tell(self) -> None:
        if not self.told:
            self.told = True
            self.notice()


@contextlib.contextmanager
def compile_notice(notice: Callable[[], None], patience: float = 0.5) -> Iterator[None]:
    """Inside this block, call `notice()` if the compiler is at work for more than `patience` s."""
    watch = _CompileWatch(notice, patience)
    event.register("numba:compile", watch)
    try:
        yield
    finally:
        event.unregister("numba:compile", watch)
        if watch.timer is not None:
            watch.timer.cancel()


# ------------------------------------------------------------------ operations Python lacks
#
# Each is an ordinary function (plain mode runs it) with a compiled twin of one instruction.

_MASK = (1 << 64) - 1


def popcount(x: Any) -> int:
    """Number of set bits of an unsigned 64-bit value."""
    return int(x).bit_count()


def lowest_bit(x: Any) -> int:
    """Index of the lowest set bit of an unsigned 64-bit value; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if int(x) else 64


def highest_bit(x: Any) -> int:
    """Index of the highest set bit of an unsigned 64-bit value; -1 for 0."""
    return int(x).bit_length() - 1


def wrap_add(a: Any, b: Any) -> Any:
    """a + b modulo 2**64 (NumPy would warn of the overflow that is meant here)."""
    return U((int(a) + int(b)) & _MASK)


def wrap_subtract(a: Any, b: Any) -> Any:
    """a - b modulo 2**64."""
    return U((int(a) - int(b)) & _MASK)


def wrap_multiply(a: Any, b: Any) -> Any:
    """a * b modulo 2**64."""
    return U((int(a) * int(b)) & _MASK)


def prefetch(array: Any, index: Any) -> None:
    """Ask the processor to fetch the cache line of ``array[index]``. A hint: changes nothing."""


if COMPILED:

    @intrinsic
    def _popcount(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def _trailing_zeros(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    @intrinsic
    def _leading_zeros(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    @intrinsic
    def _prefetch(typing_context, array, index):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            array_type = signature.args[0]
            struct = context.make_array(array_type)(context, builder, args[0])
            size = context.get_constant(types.intp, array_type.dtype.bitwidth // 8)
            base = builder.ptrtoint(struct.data, ir.IntType(64))
            address = builder.inttoptr(
                builder.add(base, builder.mul(args[1], size)), ir.IntType(8).as_pointer()
            )
            number = ir.IntType(32)
            function = builder.module.declare_intrinsic(
                "llvm.prefetch",
                [ir.IntType(8).as_pointer()],
                ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), number, number, number]),
            )
            # read, keep in all caches, data cache
            builder.call(function, [address, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, types.intp), generate

    @overload(popcount)
    def _popcount_overload(x):  # type: ignore[no-untyped-def]
        return lambda x: _popcount(x)

    @overload(lowest_bit)
    def _lowest_bit_overload(x):  # type: ignore[no-untyped-def]
        return lambda x: _trailing_zeros(x)

    @overload(highest_bit)
    def _highest_bit_overload(x):  # type: ignore[no-untyped-def]
        return lambda x: 63 - _leading_zeros(x)

    @overload(wrap_add)
    def _wrap_add_overload(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: U(a) + U(b)

    @overload(wrap_subtract)
    def _wrap_subtract_overload(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: U(a) - U(b)

    @overload(wrap_multiply)
    def _wrap_multiply_overload(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: U(a) * U(b)

    @overload(prefetch)
    def _prefetch_overload(array, index):  # type: ignore[no-untyped-def]
        return lambda array, index: _prefetch(array, index)
