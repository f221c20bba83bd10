"""What every compiled function shares: plain mode or not, compiler options, 64-bit words."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

COMPILED = not numba.config.DISABLE_JIT
"""False in plain mode."""

BOUNDS_CHECKED = not COMPILED or bool(numba.config.BOUNDSCHECK)
"""Is an index outside its array an error (``NUMBA_BOUNDSCHECK=1``), not a write to any memory?"""

# nogil: other threads (a stop button, a second search) run meanwhile.
# error_model numpy: no hidden branch and exception at every division.
# _nrt: no reference counts of arrays, whose atomic increments took a quarter of a search's time;
# the price is that kernels and rules cannot make arrays or lists, only use those they are given.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

# Numba 0.68 asks `if signature.recvr:` where it means `is not None`: the type of a part without
# fields has length 0 and would lose its `self`. Types are values, never empty.
types.BaseNamedTuple.__bool__ = lambda self: True

U = np.uint64
"""Unsigned 64-bit: write ``x & (x - U(1))``, never ``x - 1`` (that would turn signed)."""
