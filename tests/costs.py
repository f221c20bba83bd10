"""What tests cost: processor seconds, and the kernels that each of them compiles.

    PYTHONPATH=tests XDG_CACHE_HOME=$(mktemp -d) .venv/bin/python -m pytest -p costs -n 2 TESTS

At the end stand the totals, the tests that take longest, and the kernels: a kernel that one test
alone compiles is a combination of game and engine that no other test has. What processes compile
that a test begins counts among its seconds, not among the kernels.
"""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from typing import Any

import pytest

SHOWN = 30
_told: list[tuple[str, float, float, list[tuple[str, float]]]] = []
"""Of each test: its name, processor seconds, those of the compiler, and the kernels with theirs."""
_compiled: list[tuple[str, float]] = []


def processor_seconds() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def pytest_configure() -> None:
    from numba.core import event

    from ponder.jit.cache import classes_in
    from ponder.jit.watching import COMPILES

    class Kernels(event.Listener):
        def __init__(self) -> None:
            self.begun: list[float] = []

        def on_start(self, told: Any) -> None:
            self.begun.append(time.process_time())

        def on_end(self, told: Any) -> None:
            seconds = time.process_time() - self.begun.pop()
            if not self.begun and isinstance(told.data, dict) and "args" in told.data:
                kernel = told.data["dispatcher"].py_func.__qualname__
                parts = sorted(cls.__qualname__ for cls in classes_in(told.data["args"]))
                _compiled.append((f"{kernel}({', '.join(parts)})", seconds))

    event.register(COMPILES, Kernels())


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    _compiled.clear()
    item.stash[_BEGAN] = processor_seconds()
    yield


_BEGAN = pytest.StashKey[float]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Any:
    if call.when == "teardown":  # the last of a test; to the process that tells, if it is another
        spent = processor_seconds() - item.stash[_BEGAN]
        item.user_properties.append(("cost", (spent, list(_compiled))))
    yield


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        for name, (spent, kernels) in (p for p in report.user_properties if p[0] == "cost"):
            assert name == "cost"
            compiling = sum(seconds for _, seconds in kernels)
            _told.append((report.nodeid, spent, compiling, [tuple(k) for k in kernels]))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    tell, times, by = terminalreporter.write_line, defaultdict(list), defaultdict(set)
    for test, _, _, kernels in _told:
        for kernel, seconds in kernels:
            times[kernel].append(seconds)
            by[kernel].add(test)
    tell("")
    tell(
        f"{len(_told)} tests: {sum(t[1] for t in _told):.0f} processor seconds, of these "
        f"{sum(t[2] for t in _told):.0f} for {sum(map(len, times.values()))} kernels "
        f"({len(times)} kinds)"
    )
    tell("processor seconds | of these compiling | kernels | test")
    for test, spent, compiling, kernels in sorted(_told, key=lambda t: -t[1])[:SHOWN]:
        tell(f"{spent:8.1f} {compiling:8.1f} {len(kernels):4} {test}")
    tell("compiling | times | kernel, by the tests that need it")
    for kernel in sorted(times, key=lambda k: -sum(times[k]))[:SHOWN]:
        tests = sorted(by[kernel])
        more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
        tell(f"{sum(times[kernel]):8.1f} {len(times[kernel]):4} {kernel}: {tests[0]}{more}")
