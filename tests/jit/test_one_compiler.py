"""Processes that need one kernel compile it once; nobody waits for ever, nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
from numba.core import event

from command_line import needs_compiler
from ponder.files import UNFINISHED, lock
from ponder.jit import kernel, one_compiler

pytestmark = needs_compiler

# Two such programs need the same kernels. The first one compiles no further before the other one
# waits for it: no chance, no clocks.
PROGRAM = textwrap.dedent("""
    import os, signal, sys, time
    from pathlib import Path
    from numba.core import event
    from ponder.jit import kernel

    here, wanted = Path(sys.argv[1]), sys.argv[2:]

    @kernel
    def callee(x): return 3 * x

    @kernel
    def caller(x): return callee(x) + 1

    def await_file(name):
        while not (here / name).exists():
            time.sleep(0.005)

    class Compiling(event.Listener):
        seen = []
        def on_start(self, e):
            if not self.seen:
                (here / "compiling").touch()
                if "hold" in wanted:
                    await_file("waiting")
                if "die" in wanted:
                    os.kill(os.getpid(), signal.SIGKILL)
            self.seen.append(e.data["dispatcher"].py_func.__name__)
        def on_end(self, e): pass

    class Waiting(event.Listener):
        def on_start(self, e): (here / "waiting").touch()
        def on_end(self, e): pass

    event.register("numba:compile", Compiling())
    event.register("ponder:waiting", Waiting())
    if "second" in wanted:
        await_file("compiling")
    print(caller(14), *sorted(Compiling.seen))
""")


def begin(folder, *wanted):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), *wanted],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process):
    return process.communicate(timeout=120)[0].split()


def left_behind(folder):
    return [path.name for path in (folder / "ponder").iterdir() if path.name.startswith(".")]


def test_two_processes_that_need_one_kernel_compile_it_once(tmp_path):
    first, second = begin(tmp_path, "hold"), begin(tmp_path, "second")
    assert said(first) == ["43", "callee", "caller"]
    assert said(second) == ["43"], "it waited, and compiled nothing"
    assert left_behind(tmp_path) == []


def test_a_process_that_is_killed_while_it_compiles_stops_nobody(tmp_path):
    first, second = begin(tmp_path, "hold", "die"), begin(tmp_path, "second")
    assert (said(first), first.returncode) == ([], -signal.SIGKILL)
    assert said(second) == ["43", "callee", "caller"]
    assert left_behind(tmp_path) == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "ponder"


class Seen(event.Listener):
    def __init__(self, act=lambda: None):
        self.count, self.act = 0, act

    def on_start(self, event):
        self.count += 1
        self.act()

    def on_end(self, event):
        pass


def compiled_while(kind, act=lambda: None):
    """Compile two kernels, one calls the other; what was noted of such events."""

    @kernel
    def inner(x):
        return x + 1

    @kernel
    def outer(x):
        return inner(x) * 2

    seen = Seen(act)
    event.register(kind, seen)
    try:
        assert outer(20) == 42
    finally:
        event.unregister(kind, seen)
    return seen


def test_while_it_compiles_a_process_holds_one_lock_and_asks_for_no_other(folder, monkeypatch):
    """Whatever else is compiled on the way. So nobody waits in a circle."""
    asked, lock_at = [], one_compiler._lock_at
    monkeypatch.setattr(one_compiler, "_lock_at", lambda path: asked.append(path) or lock_at(path))
    held = []

    def look():
        held.append([p for p in folder.iterdir() if p.name.endswith(UNFINISHED)])

    assert compiled_while("numba:compile", look).count == 2
    assert held == [asked, asked]
    assert "outer" in asked[0].name
    assert left_behind(folder.parent) == []


def test_a_holder_that_never_ends_is_waited_for_only_so_long(folder, monkeypatch):
    monkeypatch.setattr(one_compiler, "PATIENCE", 0.2)
    compiled_while("numba:compile")
    (path,) = [p for p in folder.iterdir() if "outer" in p.name]
    path.unlink()
    for other in folder.iterdir():
        other.unlink()
    with (folder / f".{path.name}{UNFINISHED}").open("w") as stuck:
        assert lock(stuck.fileno())
        assert compiled_while(one_compiler.WAITING).count == 1
        assert path.exists()


def test_without_locks_every_process_compiles_for_itself(folder, monkeypatch):
    def refused(path):
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(one_compiler, "_lock_at", refused)
    assert compiled_while(one_compiler.WAITING).count == 0


def test_a_kernel_that_does_not_compile_gives_its_lock_back(folder):
    @kernel
    def wrong(x):
        return x.nothing

    for _ in range(2):
        with pytest.raises(Exception, match="nothing"):
            wrong(1)
    assert left_behind(folder.parent) == []


def test_threads_of_one_process_do_not_wait_for_each_other_in_vain(folder):
    @kernel
    def shared(x):
        return x + 5

    @kernel
    def other(x):
        return shared(x) + 1

    answers = []
    calls = [lambda: shared(1), lambda: other(1), lambda: shared(1), lambda: other(1)]
    threads = [threading.Thread(target=lambda c=call: answers.append(c())) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == [6, 6, 7, 7]
    assert left_behind(folder.parent) == []
