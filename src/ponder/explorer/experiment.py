"""The process in which one experiment runs: ``python -m ponder.explorer.experiment``.

Its arguments are the Python files that may be run, those of the worker that began it. It reads from
its standard input what to run, one line of JSON, and writes frames
(`ponder.explorer.frames`) to its standard output: before every step what there is so far, and at
the end the result or one sentence about what went wrong. When the input ends, because the page, its
worker or the server is gone, so does the process, whatever it is doing.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any, BinaryIO

from ponder.core.gate import granting
from ponder.core.processes import end_with_input
from ponder.core.result import finite
from ponder.errors import PonderError
from ponder.explorer.folders import confine_to_given
from ponder.explorer.frames import write_frame
from ponder.explorer.kept_runs import KeptRun
from ponder.lab.report import Report, unit_tables
from ponder.lab.running import Lab
from ponder.show.experiment import report_plot
from ponder.show.plots import Panel


def lab_of(task: dict[str, Any], **more: Any) -> Lab:
    """The experiment that a message asks for."""
    return Lab(
        task["experiment"],
        seed=task.get("seed", 0),
        version=task.get("version", "default"),
        sizes=task.get("sizes", {}),
        game=task.get("game", ""),
        own=task.get("own", ()),
        **more,
    )


def shown(report: Report) -> dict[str, Any]:
    """All that a page shows of a report."""
    theirs = {one.name for one in report.plan.published}
    return {
        "report": report.to_json(),
        "csv": report.csv(),
        "tables": [
            {"columns": columns, "rows": [[row[0] in theirs, *row] for row in rows]}
            for columns, rows in unit_tables(report)
        ],
        "panels": [panel_json(panel) for panel in report_plot(report).panels],
    }


def panel_json(panel: Panel) -> dict[str, Any]:
    curves = []
    for curve in panel.curves:
        columns = {name: getattr(curve, name) for name in ("x", "y", "low", "high")}
        points = {name: [finite(value) for value in column] for name, column in columns.items()}
        curves.append({"name": curve.name, "published": curve.published, **points})
    return {**panel._asdict(), "curves": curves}


class Telling:
    """An experiment, with a frame for every step."""

    def __init__(self, task: dict[str, Any], output: BinaryIO) -> None:
        self.output, self.began = output, time.perf_counter()
        self.kept = KeptRun.of(lab_of(task))
        self.lab = lab_of(task, resume=self.kept.path("steps") or "", tell=self.step)

    def tell(self, **news: Any) -> None:
        write_frame(self.output, b"J", json.dumps(news, allow_nan=False).encode())

    def step(self, name: str) -> None:
        self.tell(step=name, done=len(self.lab.done), **shown(self.lab.report()))

    def run(self) -> None:
        self.tell(step="", done=len(self.lab.done))
        result = shown(self.lab.run())
        steps, seconds = len(self.lab.done), time.perf_counter() - self.began
        self.kept.keep({**result, "steps": steps, "when": time.time(), "seconds": seconds})
        self.tell(step="", done=steps, finished=True, **result)


def main() -> None:
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a rule prints must not get between the frames
    task = json.loads(sys.stdin.buffer.readline())
    end_with_input()
    try:
        confine_to_given(map(Path, sys.argv[1:]))
        with granting(sys.argv[1:]):
            Telling(task, output).run()
    except PonderError as error:
        write_frame(output, b"J", json.dumps({"error": str(error)}).encode())
    except MemoryError:
        said = "this needs more memory than a page may take: choose smaller sizes"
        write_frame(output, b"J", json.dumps({"error": said}).encode())
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        said = f"an error in the experiment: {type(error).__name__}: {error} (see the terminal)"
        write_frame(output, b"J", json.dumps({"error": said}).encode())


if __name__ == "__main__":
    main()
