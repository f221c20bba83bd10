"""Shared by all tests."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel compiles: no deadline for a single example.
settings.register_profile("ponder", deadline=None)
settings.load_profile("ponder")
# To Ponder the games of tests are a user's own, and broken ones are to break in the search itself.
os.environ.setdefault("PONDER_EXAMINE", "0")
# What explorers compile in the background would take the time of the tests.
os.environ.setdefault("PONDER_AHEAD", "0")
sys.path.insert(0, str(Path(__file__).parent))
# Shells start background jobs deaf to Ctrl-C, and programs inherit that: those that tests interrupt
# would never hear of it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def corpora() -> Path:
    """The folder of outside test data; skips where it is not given."""
    folder = os.environ.get("PONDER_CORPORA")
    if not folder:
        pytest.skip("PONDER_CORPORA is not set: no outside test data here")
    return Path(folder)
