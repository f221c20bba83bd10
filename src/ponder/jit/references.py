"""Parts by reference, for recursive kernels.

A part is passed by value: a NamedTuple of eight arrays is sixty words, copied to the stack at every
call. A recursion that is called millions of times a second takes a reference instead:

    @kernel
    def search(part, depth):
        return visit(refer(part), depth)

    @kernel
    def visit(reference, depth):
        part = referred(reference)
        ...
        visit(reference, depth - 1)

`refer` may only be called in a kernel that stays on the stack as long as the reference is used.
In plain mode both give back what they are given.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.extending import intrinsic

from ponder.jit.settings import COMPILED


class Reference(types.Type):
    """The type of a reference to a part."""

    def __init__(self, part: Any) -> None:
        self.part = part
        super().__init__(name=f"Reference({part})")


@register_default(Reference)
class _ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, reference: Any) -> None:
        pointer = manager.lookup(reference.part).get_value_type().as_pointer()
        super().__init__(manager, reference, pointer)


if COMPILED:

    @intrinsic
    def refer(typing_context, part):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return cgutils.alloca_once_value(builder, args[0])

        return Reference(part)(part), generate

    @intrinsic
    def referred(typing_context, reference):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.load(args[0])

        return reference.part(reference), generate

else:

    def refer(part: Any) -> Any:
        return part

    def referred(reference: Any) -> Any:
        return reference
