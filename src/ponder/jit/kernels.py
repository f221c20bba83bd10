"""Kernels and parts: `kernel` compiles a function; methods of NamedTuples compile by themselves.

In a kernel, ``part.method(...)`` on any NamedTuple calls the function written in its class,
compiled for the argument types as a kernel of its own. Fields win over methods of the same name.
Numbers written into the class are constants (see `ponder.jit.methods.constants`).
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_getattr_generic
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr

from ponder.jit.advice import ONE_OR_NONE
from ponder.jit.methods import CONSTANTS
from ponder.jit.settings import COMPILED
from ponder.jit.target import door_kernel, inner_kernel


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use for each combination of argument types; cache on disk."""
    if not COMPILED:
        return function
    return door_kernel(function)


def entry_point(function: Any, *examples: Any) -> Callable[..., Any]:
    """The machine code of the kernel `function` for arguments of the same types as `examples`.

    Compiles it without running it. Calls of the result are not checked: finding out the types of
    a dozen arrays takes ten times as long as a short kernel, but every argument must be of the
    very same type as its example.
    """
    if not COMPILED:
        return function  # type: ignore[no-any-return]
    return function.compile(tuple(numba.typeof(example) for example in examples))  # type: ignore[no-any-return]


_methods: dict[Callable[..., Any], Any] = {}


def _method_type(method: Callable[..., Any]) -> Any:
    """The type of the compiled method; made, and told how to be called, when first met."""
    if method not in _methods:
        compiled = types.Dispatcher(inner_kernel(method))  # Python calls the method itself

        @lower_builtin(method, types.BaseNamedTuple, types.VarArg(types.Any))
        def call(context, builder, sig, args):  # type: ignore[no-untyped-def]
            found = compiled.get_call_type(context.typing_context, sig.args, {})
            function = context.get_function(compiled, found)
            context.add_linking_libs(getattr(function, "libs", ()))
            return function(builder, args)

        _methods[method] = compiled
    return _methods[method]


@infer_getattr
class _PartMethods(AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, part, name):  # type: ignore[no-untyped-def]
        method = getattr(part.instance_class, name, None)
        if name not in part.fields and isinstance(method, CONSTANTS):
            return numba.typeof(method)
        if name in part.fields or not isinstance(method, python_types.FunctionType):
            return None
        compiled, called = _method_type(method), method.__qualname__

        class Method(AbstractTemplate):
            key = method

            def generic(self, args, kws):  # type: ignore[no-untyped-def]
                found = compiled.get_call_type(self.context, (part, *args), kws)
                if isinstance(found.return_type, types.Optional):
                    raise TypingError(f"{called} {ONE_OR_NONE}")
                return signature(found.return_type, *found.args[1:], recvr=part)

        return types.BoundFunction(Method, part)


@lower_getattr_generic(types.NamedTuple)
@lower_getattr_generic(types.NamedUniTuple)
def _read(context, builder, part, value, name):  # type: ignore[no-untyped-def]
    """A field, or else a constant."""
    if name in part.fields:
        i = part.fields.index(name)
        return impl_ret_borrowed(context, builder, part[i], builder.extract_value(value, i))
    constant = getattr(part.instance_class, name)
    return context.get_constant(numba.typeof(constant), constant)
