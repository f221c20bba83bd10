"""One server and one browser for all tests of the explorer; a new window for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Explorer, chromium, explorer, window_of


@pytest.fixture(scope="session")
def running() -> Iterator[Explorer]:
    with explorer() as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with chromium() as made:
        yield made


@pytest.fixture(scope="session")
def artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots are kept: the folder of this test run among the temporary files."""
    return tmp_path_factory.mktemp("screenshots")


@pytest.fixture
def blank(running: Explorer, browser: Any) -> Iterator[Any]:
    """A window that shows no page yet."""
    with window_of(browser, running) as made:
        yield made


@pytest.fixture
def page(running: Explorer, blank: Any) -> Any:
    """A window at the front page."""
    blank.goto(running.address)
    return blank


@pytest.fixture(scope="session")
def axe() -> Any:
    """What looks for faults that keep people out."""
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
