"""The only folder that knows Numba: plain Python functions and methods become machine code.

A *part* is a small ``NamedTuple`` (a game, a selection rule, a rollout policy ...). Its **type**
selects the code, its **fields** are the parameters. A *kernel* is a function generic in its
parts; it calls ``part.method(...)`` and Numba specialises it for each combination of types.

Begin reading at `ponder.jit.kernels`, then `ponder.jit.cache`.

    >>> from ponder.jit import kernel
    >>> @kernel
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42

With ``NUMBA_DISABLE_JIT=1`` (*plain mode*) everything here is ordinary Python and gives the same
results, only slowly: that is how the compiled code is checked.
"""

import ponder.thread_count  # noqa: F401  (first: what the compiler cannot work with is refused)
from ponder.cache_folder import cache_directory
from ponder.jit.address import by_address
from ponder.jit.atomics import add_at, add_field, claim_field, publish_field
from ponder.jit.bits import (
    copy_record,
    copy_record_from,
    highest_bit,
    keep_apart,
    let_others_run,
    lowest_bit,
    nap,
    natural,
    popcount,
    prefetch,
    prefetch_to_write,
    read_now,
    wrap_add,
    wrap_multiply,
    wrap_subtract,
)
from ponder.jit.cache import digest
from ponder.jit.callback import FAILED, Callback, call_python, raise_kept
from ponder.jit.explain import compile_error, explained
from ponder.jit.kernels import entry_point, kernel
from ponder.jit.methods import constants, inlined, methods_of, take_methods
from ponder.jit.settings import BOUNDS_CHECKED, COMPILED, U
from ponder.jit.watching import CompileWatch, watching_compiler

__all__ = [
    "BOUNDS_CHECKED",
    "COMPILED",
    "FAILED",
    "Callback",
    "CompileWatch",
    "U",
    "add_at",
    "add_field",
    "by_address",
    "cache_directory",
    "call_python",
    "claim_field",
    "compile_error",
    "constants",
    "copy_record",
    "copy_record_from",
    "digest",
    "entry_point",
    "explained",
    "highest_bit",
    "inlined",
    "keep_apart",
    "kernel",
    "let_others_run",
    "lowest_bit",
    "methods_of",
    "nap",
    "natural",
    "popcount",
    "prefetch",
    "prefetch_to_write",
    "publish_field",
    "raise_kept",
    "read_now",
    "take_methods",
    "watching_compiler",
    "wrap_add",
    "wrap_multiply",
    "wrap_subtract",
]
