"""The command line, in this process or as a program of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import PROGRAM, Outcome
from ponder.cli import run


@pytest.fixture
def ponder(capsys) -> Callable[..., Outcome]:
    """Run a command line in this process."""

    def call(*arguments: str) -> Outcome:
        capsys.readouterr()
        status = run(arguments)
        return Outcome(status, *capsys.readouterr())

    return call


@pytest.fixture
def program() -> Callable[..., Outcome]:
    """Run a command line as a program."""

    def call(*arguments: str, typed: str = "", **environment: str | Path) -> Outcome:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            input=typed,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, **{key: str(value) for key, value in environment.items()}},
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call
