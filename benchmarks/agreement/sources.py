"""Runs the commands of `ponder sources` that take longer than a second, and keeps what they print.

    python benchmarks/agreement/sources.py                 runs what is missing, or was changed
    python benchmarks/agreement/sources.py --again         runs all of them anew

The output goes to docs/sources-runs.jsonl, a line for each command: its last lines, its status and
its seconds on the clock. Experiments of the lab at their default size are not among them:
`benchmarks/agreement/lab_table.py` runs those, with five seeds. Commands of one statement run one
after the other in one folder, which is thrown away.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ponder.files import save_file
from ponder.sources.statements import Statement, read_map

RUNS = Path(__file__).parents[2] / "docs" / "sources-runs.jsonl"
KEPT = 12
"""Lines of output that are kept."""


def slow_commands(s: Statement) -> list[str]:
    """What this script runs of a statement."""
    if not s.slow:
        return []
    return [c for c in s.commands if "--quick" in c or not c.startswith("ponder lab")]


def run(command: str, folder: str) -> dict[str, Any]:
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "ponder", *shlex.split(command)[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "command": command,
        "status": done.returncode,
        "seconds": round(time.perf_counter() - begun, 1),
        "output": (done.stdout or done.stderr).splitlines()[-KEPT:],
    }


def kept_runs() -> dict[str, dict[str, Any]]:
    lines = RUNS.read_text(encoding="utf-8").splitlines() if RUNS.is_file() else []
    return {row["command"]: row for row in map(json.loads, lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--again", action="store_true", help="run what is kept already, too")
    again = parser.parse_args().again
    kept = {} if again else kept_runs()
    found: dict[str, dict[str, Any]] = {}
    for s in read_map().statements:
        commands = slow_commands(s)
        missing = [c for c in commands if c not in kept and c not in found]
        with tempfile.TemporaryDirectory() as folder:
            for command in commands if missing else ():
                print(command, flush=True)
                found[command] = run(command, folder)
        found |= {c: kept[c] for c in commands if c in kept and not missing}
    lines = [json.dumps(row, ensure_ascii=False) for row in found.values()]
    save_file(RUNS, "".join(line + "\n" for line in lines).encode())


if __name__ == "__main__":
    main()
