"""Outside programs that some tests want."""

from __future__ import annotations

import os

import pytest


def missing(what: str) -> None:
    """Skip because a program is not installed; fail where all of them should be."""
    if os.environ.get("PONDER_REQUIRE_PROGRAMS"):
        pytest.fail(f"{what} is not installed, and PONDER_REQUIRE_PROGRAMS is set")
    pytest.skip(f"{what} is not installed")
