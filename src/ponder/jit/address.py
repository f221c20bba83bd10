"""A part that a recursion hands on by its address: one word, however many arrays it holds.

An array is seven words or more. A kernel that calls itself with a dozen of them spends more time
on passing them than on a node of a small game.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_builtin
from numba.core.typing import signature
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
)
from numba.extending import lower_getattr_generic

from ponder.jit.settings import COMPILED


def by_address(part: Any) -> Any:
    """In a kernel: the same part, behind one word. Its fields are read as before.

    For calls from the kernel that says it, and from there on; never to be returned: the part lies
    on the stack of that kernel. Methods are those of its fields, not its own.
    """
    return part


class Address(types.Type):  # type: ignore[misc]
    """The type of ``by_address(part)``."""

    def __init__(self, part: Any) -> None:
        self.part = part
        super().__init__(name=f"address of {part}")

    @property
    def key(self) -> Any:
        return self.part


if COMPILED:
    _WORD = ir.IntType(8).as_pointer()

    @register_default(Address)
    class _AddressModel(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, _WORD)

    @infer_getattr
    class _Fields(AttributeTemplate):  # type: ignore[misc]
        key = Address

        def generic_resolve(self, address, name):  # type: ignore[no-untyped-def]
            part = address.part
            return part.types[part.fields.index(name)] if name in part.fields else None

    @lower_getattr_generic(Address)
    def _read_field(context, builder, address, value, name):  # type: ignore[no-untyped-def]
        part = address.part
        place = builder.bitcast(value, context.get_value_type(part).as_pointer())
        return _read(builder, cgutils.gep_inbounds(builder, place, 0, part.fields.index(name)))

    def _read(builder: Any, place: Any) -> Any:
        """What lies there, number by number: what is not used is not read."""
        kind = place.type.pointee
        if isinstance(kind, ir.LiteralStructType | ir.ArrayType):
            whole = ir.Constant(kind, ir.Undefined)
            for i in range(len(kind) if isinstance(kind, ir.LiteralStructType) else kind.count):
                inner = _read(builder, cgutils.gep_inbounds(builder, place, 0, i))
                whole = builder.insert_value(whole, inner, i)
            return whole
        number = builder.load(place)
        # Nothing ever writes there: what has been read need not be read again after a store.
        number.set_metadata("invariant.load", builder.module.add_metadata([]))
        return number

    @infer_global(by_address)
    class _Call(AbstractTemplate):
        def generic(self, args, kws):  # type: ignore[no-untyped-def]
            (part,) = args
            return signature(Address(part), part)

    # Lowered in the caller itself. An overload would be a function of its own, and LLVM counts what
    # lies on the stack of a function as gone when that returns, also after it has been inlined.
    @lower_builtin(by_address, types.Any)
    def _take_address(context, builder, called, args):  # type: ignore[no-untyped-def]
        place = cgutils.alloca_once(builder, context.get_value_type(called.args[0]))
        builder.store(args[0], place)
        # An instruction of no length, of which the compiler only knows that the address comes
        # out of it: no read through the address can be moved to before the store.
        through = ir.FunctionType(_WORD, [_WORD])
        address = builder.bitcast(place, _WORD)
        return builder.asm(through, "", "=r,0,~{memory}", [address], side_effect=True)
