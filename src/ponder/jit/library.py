"""LLVM modules of kernels: kept as they were lowered, linked and optimised once, behind a door.

Numba optimises each function together with all that it calls, and makes machine code of it, as soon
as it is lowered: a function deep down goes through LLVM once for every function above it. Here a
library makes nothing before the address of one of its own functions is asked for, and only what
Python calls is ever asked for (`ponder.jit.target`). Then everything it reaches is linked in, once,
and compiled as one module.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.environment import lookup_environment
from numba.core.runtime import rtsys

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of variables begin that hold the Python objects a function refers to."""


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The modules of one function, and whose functions it calls."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own: list[Any] = []
        self._is_made = False
        self._environments: list[Any] = []

    # lowering fills it

    def add_ir_module(self, ir_module: Any) -> None:
        self._raise_if_finalized()
        for function in ir_module.functions:
            if function.blocks and not function.linkage:
                function.linkage = "weak_odr"  # the same subroutine may come in two libraries
        self.add_llvm_module(llvm.parse_assembly(cgutils.normalize_ir_text(str(ir_module))))

    def add_llvm_module(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        self._own.append(ll_module)
        self._codegen.note_definitions(self, ll_module)

    def add_linking_library(self, library: Any) -> None:
        if library is not rtsys.library:  # that is for reference counts, which are off
            super().add_linking_library(library)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """For code of other targets, which shares Numba's runtime: whoever is first lowers that."""
        self._ensure_finalized()
        (module,) = self._own
        return module

    # a door asks for it

    def get_pointer_to_function(self, name: str) -> int:
        """The address of one of the library's own functions, compiled now; 0 for any other name."""
        self._ensure_finalized()
        if not self._is_made:
            if not any(function.name == name for function in self._defined()):
                return 0
            self._make(name)
        return int(self._codegen._engine.get_function_address(name))

    def _defined(self) -> Iterator[Any]:
        for module in self._own:
            yield from (function for function in module.functions if not function.is_declaration)

    def _make(self, name: str) -> None:
        self._codegen.check_llvm_once()
        whole = self._final_module
        for library in self._reached():
            for module in library._own:
                whole.link_in(module, preserve=True)
        self._codegen.link_missing(whole, self)
        for function in whole.functions:  # what nobody outside calls may be taken apart
            if not function.is_declaration and function.name != name:
                function.linkage = "internal"
        self._optimize_final_module()
        whole.verify()
        self._finalize_final_module()
        self._is_made = True
        self._tell_environments(found_environments(whole))

    def _reached(self) -> list[KernelLibrary]:
        """This library and all that its functions call, however far away: callers first."""
        found = {self: None}  # a dict keeps the order
        waiting = [self]
        for library in waiting:
            for called in library._linking_libraries:
                if called not in found:
                    found[called] = None
                    waiting.append(called)
        return list(found)

    def _optimize_final_module(self) -> None:
        """One pipeline. Numba's first, cheap one serves reference counts, which are off."""
        passes, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes", builder):
            passes.run(self._final_module, builder)

    def _tell_environments(self, environments: list[Any]) -> None:
        self._environments = environments  # machine code has their addresses alone
        for environment in environments:
            self._codegen.set_env(environment.env_name, environment)

    # on disk: machine code alone, as nothing is ever linked to what has a door

    @property
    def machine_code(self) -> bytes:
        return bytes(self._get_compiled_object())

    @property
    def environments(self) -> list[Any]:
        """The Python objects that its functions refer to."""
        return self._environments

    def load(self, machine_code: bytes, environments: list[Any]) -> None:
        """Become what another process has made."""
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        self._is_made = True
        self._tell_environments(environments)


def found_environments(module: Any) -> list[Any]:
    names = [v.name for v in module.global_variables if v.name.startswith(ENVIRONMENT)]
    known = (lookup_environment(name) for name in names)
    return [environment for environment in known if environment is not None]


class KernelCodegen(JITCPUCodegen):  # type: ignore[misc]
    """Where libraries of kernels are compiled and live."""

    _library_class = KernelLibrary

    def __init__(self, name: str) -> None:
        self._checked = False
        self._definitions: weakref.WeakValueDictionary[str, KernelLibrary] = (
            weakref.WeakValueDictionary()
        )
        super().__init__(name)

    def check_llvm_once(self) -> None:
        if not self._checked:
            self._check_llvm_bugs()
            self._checked = True

    def note_definitions(self, library: KernelLibrary, module: Any) -> None:
        for function in module.functions:
            if not function.is_declaration:
                self._definitions[function.name] = library

    def link_missing(self, whole: Any, door: KernelLibrary) -> None:
        """Kernels that call each other: the first one is not finished when the second names it."""
        linked = set(door._reached())
        while True:
            declared = [f.name for f in whole.functions if f.is_declaration]
            missing = {self._definitions.get(name) for name in declared} - linked - {None}
            if not missing:
                return
            for library in missing:
                for also in library._reached():  # type: ignore[union-attr]
                    if also not in linked:
                        linked.add(also)
                        for module in also._own:
                            whole.link_in(module, preserve=True)

    def insert_unresolved_ref(self, builder: Any, function_type: Any, name: str) -> Any:
        """A kernel that is being compiled: by its name, as both will be in one module."""
        return cgutils.get_or_insert_function(builder.module, function_type, name)

    def _scan_and_fix_unresolved_refs(self, module: Any) -> None:
        """Nothing is left to be found at run time."""
