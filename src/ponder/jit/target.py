"""The target that kernels are compiled for: this processor, with libraries of our own.

This is Numba's extension point for targets (`numba.core.target_extension`). All that Numba knows
for ``cpu`` holds here; functions that it brings itself (`min`, `range`, mathematics) are compiled
for the target of whoever calls them. What other packages compile with ``numba.njit`` is untouched.

A function is compiled in two steps. What kernels call is typed and lowered, and stays a module of
`ponder.jit.library`. What Python calls gets a *door* besides: a wrapper that takes arguments apart,
behind which everything that is reached is linked, optimised and made machine code at once.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from numba import _dynfunc
from numba.core import cpu, errors, sigutils, types, typing
from numba.core.compiler import compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import Dispatcher
from numba.core.event import trigger_event
from numba.core.registry import CPUDispatcher
from numba.core.target_extension import (
    CPU,
    dispatcher_registry,
    jit_registry,
    target_registry,
)

from ponder.jit.cache import KeptCode, KernelCache
from ponder.jit.failures import noting_failures
from ponder.jit.library import KernelCodegen, KernelLibrary
from ponder.jit.methods import is_inlined
from ponder.jit.one_compiler import compiled_once
from ponder.jit.settings import OPTIONS

NAME = "ponder"


class Kernels(CPU):  # type: ignore[misc]
    """The target's name among Numba's targets."""


target_registry[NAME] = Kernels


class KernelContext(cpu.CPUContext):  # type: ignore[misc]
    """How kernels are lowered."""

    def init(self) -> None:
        super().init()
        self._internal_codegen = KernelCodegen("ponder.kernels")

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """What stands for a lowered function where Numba looks it up; no machine code."""
        library._ensure_finalized()
        return object()


class KernelTyping(typing.Context):  # type: ignore[misc, name-defined]
    """What kernels know of types."""

    def resolve_value_type(self, val: Any) -> Any:
        if isinstance(val, CPUDispatcher):  # somebody's numba.njit, called from a kernel
            val = inner_kernel(val.py_func)
        return super().resolve_value_type(val)


class KernelTarget(TargetDescriptor):  # type: ignore[misc]
    options = cpu.CPUTargetOptions

    @cached_property
    def typing_context(self) -> Any:
        return KernelTyping()

    @cached_property
    def target_context(self) -> Any:
        return KernelContext(self.typing_context, NAME)


class InnerDispatcher(Dispatcher):  # type: ignore[misc]
    """A function for kernels alone, lowered for each combination of types."""

    targetdescr = KernelTarget(NAME)

    def compile(self, sig: Any) -> Any:
        args, return_type = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            with global_compiler_lock:
                if args not in self.overloads:  # nor made by another thread meanwhile
                    with _compiling(self, args):
                        self.lower(args, return_type)
        return self.overloads[args].entry_point

    def lower(self, args: Any, return_type: Any = None) -> None:
        with self._compiling_counter:
            try:
                self.overloads[args] = self._compiler.compile(args, return_type)
            except errors.ForceLiteralArg as error:
                raise error.bind_fold_arguments(
                    lambda args, kws: self._compiler.fold_argument_types(args, kws)[1]
                ) from None


class DoorDispatcher(Dispatcher):  # type: ignore[misc]
    """The same function for Python. Kernels that call it get the inner one."""

    targetdescr = InnerDispatcher.targetdescr

    def __init__(self, inner: InnerDispatcher) -> None:
        super().__init__(inner.py_func, targetoptions=inner.targetoptions)
        self._inner = inner
        self._kept = KernelCache(inner.py_func)
        self._compiling_counter = inner._compiling_counter  # tells a recursion from a first call

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self._inner.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self._inner.get_overload(sig)

    def compile(self, sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            with global_compiler_lock:
                if args not in self.overloads:
                    self.add_overload(self._loaded(args) or self._made(args))
        return self.overloads[args].entry_point

    def _loaded(self, args: Any) -> Any:
        codegen = self.targetctx.codegen()
        kept = self._kept.load(args, codegen)
        if kept is None:
            return None
        library = codegen.create_library(self.py_func.__qualname__)
        library.load(kept.machine_code, kept.environments)
        self._cache_hits[args] += 1
        return self._door(args, library, kept.wrapper, kept.environment)

    def _made(self, args: Any) -> Any:
        self._cache_misses[args] += 1
        with _compiling(self, args), undisturbed():
            if args not in self._inner.overloads:
                self._inner.lower(args)
            lowered = self._inner.overloads[args]
            codegen = self.targetctx.codegen()
            library = codegen.create_library(self.py_func.__qualname__)
            library.enable_object_caching()
            library.add_linking_library(lowered.library)
            self.targetctx.create_cpython_wrapper(
                library,
                lowered.fndesc,
                lowered.environment,
                lowered.call_helper,
                release_gil=self.targetoptions["nogil"],
            )
            wrapper = lowered.fndesc.llvm_cpython_wrapper_name
            door = self._door(args, library, wrapper, lowered.environment)
        if not library.has_dynamic_globals:  # addresses of this process
            kept = KeptCode(
                library.machine_code, wrapper, lowered.environment, library.environments
            )
            self._kept.save(args, codegen, kept)
        return door

    def _door(self, args: Any, library: KernelLibrary, wrapper: str, environment: Any) -> Any:
        entry = _dynfunc.make_function(
            sys.modules[self.py_func.__module__],
            self.py_func.__name__,
            f"compiled {self.py_func.__qualname__}",
            library.get_pointer_to_function(wrapper),
            environment,
            (library,),  # lives as long as the function
        )
        return compile_result(
            signature=typing.signature(types.unknown, *args),  # nobody asks a door what it returns
            entry_point=entry,
            library=library,
            environment=environment,
            objectmode=False,
        )


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """No search for garbage: in a compiler it finds little and takes a seventh of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compiling(dispatcher: Dispatcher, args: Any) -> Any:
    """Tells those who listen that the compiler is at work (`ponder.jit.explain`)."""
    return trigger_event("numba:compile", data={"dispatcher": dispatcher, "args": args})


_INNER = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _for_overloads(**options: Any) -> Callable[[Callable[..., Any]], InnerDispatcher]:
    """The decorator with which Numba compiles what stands for a function of Python or NumPy."""

    def dispatcher(function: Callable[..., Any]) -> InnerDispatcher:
        return InnerDispatcher(function, targetoptions={**options, **_INNER})

    return dispatcher


dispatcher_registry[Kernels] = InnerDispatcher
jit_registry[Kernels] = _for_overloads

_inner: dict[Callable[..., Any], InnerDispatcher] = {}


def inner_kernel(function: Callable[..., Any]) -> InnerDispatcher:
    """`function` for kernels."""
    if function not in _inner:
        options = {**OPTIONS, **_INNER, "forceinline": is_inlined(function), "boundscheck": None}
        made = InnerDispatcher(function, targetoptions=options)
        made.compile = noting_failures(function, made.compile)  # type: ignore[method-assign]
        _inner[function] = made
    return _inner[function]


def door_kernel(function: Callable[..., Any]) -> DoorDispatcher:
    """`function` for Python, and for kernels."""
    made = DoorDispatcher(inner_kernel(function))
    made.compile = compiled_once(noting_failures(function, made.compile))  # type: ignore[method-assign]
    return made
