"""Machine code on disk, found again only when nothing it was made from has changed."""

from __future__ import annotations

import hashlib
import io
import pickle
import re
import sys
import types as python_types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core.serialize import NumbaPickler

from ponder.cache_folder import cache_directory, warn_once
from ponder.files import write_atomically
from ponder.jit.address import Address
from ponder.jit.kernel_files import note_written, packed, read_code
from ponder.jit.methods import constants_of, is_inlined, methods_of
from ponder.jit.one_compiler import take
from ponder.jit.watching import FILES


class KeptCode(NamedTuple):
    """What is on disk: enough to call the machine code. What it calls is inside."""

    machine_code: bytes
    wrapper: str
    """The name of the function in it that Python enters."""
    environment: Any
    """The Python objects that it refers to, and those of every function inside."""
    environments: list[Any]


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

    def load(self, args: Any, codegen: Any) -> KeptCode | None:
        folder = cache_directory()
        if folder is None:
            return None
        path = folder / self._name(args, codegen)
        code = read_code(path)
        if code is None:
            take(path)
            code = read_code(path)  # another process may have made it meanwhile
        if code is None:
            return None
        FILES[path.name] = None
        return KeptCode(*_Unpickler(io.BytesIO(code), classes_in(args)).load())

    def save(self, args: Any, codegen: Any, kept: KeptCode) -> None:
        folder = cache_directory()
        if folder is None:
            return
        buffer = io.BytesIO()
        classes = classes_in(args)
        _Pickler(buffer, classes).dump(tuple(kept))
        label = {
            "module": self.function.__module__,
            "kernel": self.function.__qualname__,
            "classes": sorted(map(_name_of, classes)),
        }
        path = folder / self._name(args, codegen)
        try:  # a file that a failing machine leaves incomplete is told by its checksum
            data = packed(label, buffer.getvalue())
            write_atomically(path, data, flush=False)
            FILES[path.name] = None
            note_written(folder, len(data))
        except OSError as error:
            warn_once(
                f"cannot keep compiled code in {folder} ({error.strerror or error}); the search "
                "works, but compiles again next time"
            )

    def _name(self, sig: Any, codegen: Any) -> str:
        if self._code is None:
            self._code = Fingerprint()
            self._code.add_function(self.function)
        whole = self._code.copy()
        for cls in sorted(classes_in(sig), key=lambda c: (c.__module__, c.__qualname__)):
            whole.add_class(cls)
        whole.text(f"{sig} {codegen.magic_tuple()} {numba.__version__} {sys.version_info[:3]}")
        whole.text(f"bounds checked: {numba.config.BOUNDSCHECK}, level {numba.config.OPT}")
        name = re.sub(r"[^\w.]", "", self.function.__qualname__)
        return f"{name}-{whole.hexdigest()}.nbc"


# The classes of the signature are named, not written: whoever loads the code has them already. A
# class of the running script would come back as a copy, for which no later call fits and whose
# methods are not those of the game.


def _name_of(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


class _Pickler(NumbaPickler):  # type: ignore[misc]
    def __init__(self, buffer: io.BytesIO, classes: set[type]) -> None:
        super().__init__(buffer, protocol=4)
        self.classes = classes

    def persistent_id(self, value: Any) -> str | None:
        return _name_of(value) if isinstance(value, type) and value in self.classes else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, classes: set[type]) -> None:
        super().__init__(buffer)
        self.named = {_name_of(cls): cls for cls in classes}

    def persistent_load(self, name: str) -> type:
        return self.named[name]


# They speak about code, or keep it, and make none.
_WORDS = {"advice.py", "explain.py", "kernel_files.py", "one_compiler.py", "watching.py"}
_OWN_SOURCE = b"".join(
    file.read_bytes()
    for file in sorted(Path(__file__).parent.glob("*.py"))
    if file.name not in _WORDS
)
# Not looked into. In `re`, say, stands a dictionary of what the process has done so far: with it
# no process would find the code of another.
_FOREIGN = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}


class Fingerprint:
    """A hash over code as it is in memory: bytecode, constants and all that it refers to."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256(_OWN_SOURCE)
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
        self.text(f"function {function.__module__}.{function.__qualname__} {is_inlined(function)}")
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
        self.text(repr(sorted(constants_of(cls).items())))
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
                self.text(lasting_text(constant))
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
            said = getattr(value, "__qualname__", None) or lasting_text(value)
            self.text(f"{name} {module} {said}")
        elif hasattr(value, "py_func") or isinstance(value, python_types.FunctionType):
            self.add_function(value)
        elif isinstance(value, type):
            self.add_class(value)
        else:
            self.text(f"{name} {lasting_text(value)}")
            if isinstance(value, tuple) and type(value) is not tuple:
                self.add_class(type(value))


def lasting_text(value: Any) -> str:
    """The value as every process writes it. What differs cannot be compiled in: the address of an
    object, the contents of a dictionary, list or set. The order of a frozenset is left out."""
    if isinstance(value, dict | list | set):
        return type(value).__name__
    if isinstance(value, frozenset):
        return repr(sorted(value, key=repr))
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def digest(*parts: Any) -> str:
    """A hash of the code and the fields of NamedTuples: another one after any edit."""
    whole = Fingerprint()
    for part in parts:
        whole.add_class(type(part))
        whole.text(repr(part))
    return whole.hexdigest()


def classes_in(sig: Any) -> set[type]:
    """The NamedTuple classes among the argument types, however deeply nested."""
    found: set[type] = set()
    waiting = list(sig) if isinstance(sig, tuple) else list(sig.args)
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, Address):
            kind = kind.part
        if isinstance(kind, types.BaseNamedTuple):
            found.add(kind.instance_class)
        if isinstance(kind, types.BaseTuple):
            waiting.extend(kind)
    return found


def _record_name(record: Any) -> tuple[str, tuple[str, ...]]:
    """What stands for a record type in the names of compiled functions: a hash of its layout.

    Numba takes a number that counts the types of this process. Code kept by two processes could
    then have one name for two records, and a third process that loads both would run the first
    for the second.
    """
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:32],)


types.Record.mangling_args = property(_record_name)  # type: ignore[method-assign, assignment]
