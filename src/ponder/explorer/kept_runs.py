"""`KeptRun`: what is kept of an experiment that was run from a page, so that it can go on.

Finished steps are kept in the file that `ponder lab --resume` would write, the result in another
one beside it; both have names that follow from the command and the code of the experiment. They lie
where compiled code lies (`ponder.jit.cache`): what can be made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from ponder.cache_folder import cache_directory
from ponder.errors import InputError
from ponder.files import read_file, save_file
from ponder.json_text import json_object
from ponder.lab.running import Lab


class KeptRun:
    """The files of one experiment with its sizes and its seed; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, stem: str, seed: int) -> None:
        self.folder, self.stem, self.seed = folder, stem, seed

    @classmethod
    def of(cls, lab: Lab) -> KeptRun:
        cache = cache_directory()
        folder = cache / "lab" if cache and os.access(cache, os.W_OK) else None
        if folder:
            folder.mkdir(exist_ok=True)
        identity = lab.identity
        # runs that differ in the seed alone have as many steps
        words = identity["command"].rpartition(" --seed ")[0], identity["code"]
        digest = hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
        return cls(folder, f"{lab.name}-{digest}", lab.seed)

    def path(self, ending: str) -> Path | None:
        return self.folder and self.folder / f"{self.stem}-{self.seed}.{ending}"

    def steps(self) -> dict[str, Any]:
        """The steps that are finished."""
        found: dict[str, Any] = self._read(self.path("steps")).get("steps", {})
        return found

    def result(self) -> dict[str, Any] | None:
        """What came out, if the run has come to its end."""
        return self._read(self.path("result")) or None

    def expected(self) -> int | None:
        """How many steps a run of these sizes has, if one has come to its end."""
        ended = sorted(self.folder.glob(f"{self.stem}-*.result")) if self.folder else []
        steps = self._read(ended[0]).get("steps") if ended else None
        return steps if isinstance(steps, int) else None

    def keep(self, result: dict[str, Any]) -> None:
        if path := self.path("result"):
            save_file(path, json.dumps(result).encode())

    def forget(self) -> None:
        for ending in ("steps", "result"):
            if path := self.path(ending):
                path.unlink(missing_ok=True)

    def _read(self, path: Path | None) -> dict[str, Any]:
        """A damaged file is as good as none: everything in it can be made again."""
        with contextlib.suppress(InputError, ValueError):
            if path and path.exists():
                return json_object(read_file(path))
        return {}
