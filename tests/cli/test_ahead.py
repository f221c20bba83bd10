"""What the explorer compiles in the background: one process, which ends with the explorer."""

from __future__ import annotations

import os
import subprocess

import pytest

from ponder.cli import ahead
from ponder.core.processes import module_command

pytestmark = pytest.mark.plain


def test_the_process_in_the_background_is_gone_when_the_block_ends(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(ahead.SWITCH, raising=False)
    begun = []

    class Noted(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            begun.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    with pytest.raises(KeyboardInterrupt), ahead.in_background():
        raise KeyboardInterrupt
    (process,) = begun
    assert process.returncode is not None


def test_it_ends_when_the_explorer_is_killed(tmp_path):
    """Then its standard input ends: nobody is left to tell it."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    with subprocess.Popen(
        module_command("ponder.cli.ahead"),
        stdin=subprocess.PIPE,
        env={**environment, "XDG_CACHE_HOME": str(tmp_path)},
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


def test_it_can_be_switched_off(monkeypatch):
    monkeypatch.setenv(ahead.SWITCH, "0")
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **options: pytest.fail("begun"))
    with ahead.in_background():
        pass


def test_in_plain_mode_it_has_nothing_to_do():
    done = subprocess.run(
        module_command("ponder.cli.ahead"),
        stdin=subprocess.PIPE,
        capture_output=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
