"""Compiled code of a game that stands in the running script itself."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
from typing import NamedTuple

from ponder.jit import kernel
from ponder.jit.cache import KernelCache


class Doubling(NamedTuple):
    factor: int

    def of(self, x):
        return self.factor * x


@kernel
def doubled(part, x):
    return part.of(x)


loads = []
load = KernelCache.load
KernelCache.load = lambda self, *args: loads.append(self) or load(self, *args)
print([doubled(Doubling(2), x) for x in range(5)], len(loads))
"""


def test_it_is_loaded_once_and_fits_every_later_call(tmp_path):
    script = tmp_path / "game.py"
    script.write_text(SCRIPT)
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    environment.pop("NUMBA_DISABLE_JIT", None)
    outputs = [
        subprocess.run(
            [sys.executable, script], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    # what Python calls is looked for, in vain and then not; the method is inside
    assert outputs == ["[0, 2, 4, 6, 8] 1\n"] * 2
