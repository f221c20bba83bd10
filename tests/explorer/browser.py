"""A running explorer and a browser to look at it with."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from outside import missing

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
PATIENCE = 120_000
"""Milliseconds for what a page shows, and for a server to begin: the machine may be busy, and what
is searched for the first time may have to be compiled."""


class Explorer(NamedTuple):
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    """With the token."""

    @property
    def origin(self) -> str:
        return "{0.scheme}://{0.netloc}".format(urlsplit(self.address))

    @property
    def token(self) -> str:
        return self.address.partition("token=")[2].partition("#")[0]

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])

    def workers(self) -> list[int]:
        """The processes that it has begun and that still run."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    def plain_workers(self) -> list[int]:
        """Those of pages that search in plain mode: one of them is kept warm, the rest have pages.

        Another one is kept warm for other pages once there has been one.
        """
        found = []
        for pid in self.workers():
            with contextlib.suppress(OSError):  # it has just ended
                if b"NUMBA_DISABLE_JIT=1" in Path(f"/proc/{pid}/environ").read_bytes():
                    found.append(pid)
        return found


@contextlib.contextmanager
def explorer(*arguments: str, cwd: Path | None = None) -> Iterator[Explorer]:
    """`ponder explore` on a free port; it is ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ponder", "explore", "--no-browser", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=cwd,
    )
    try:
        assert process.stdout is not None
        too_late = threading.Timer(PATIENCE / 1000, process.kill)
        too_late.start()
        said = process.stdout.readline()
        too_late.cancel()
        assert said, "the explorer did not begin"
        yield Explorer(process, said.split()[-1])
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """The system's browser, driven by Playwright."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        missing("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    # Playwright's own loop must not be asked for the processes of others
    os.environ.setdefault("PW_TEST_SCREENSHOT_NO_FONTS_READY", "1")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@contextlib.contextmanager
def window_of(browser: Any, server: Explorer, **options: Any) -> Iterator[Any]:
    """A window that may open the server's pages; an error in a script fails the test.

    It shows none yet: every page that is opened begins a process.
    """
    with browser.new_context(**{"viewport": DESKTOP, **options}) as context:
        context.set_default_timeout(PATIENCE)
        kept = {"name": f"ponder_{server.port}", "value": server.token, "url": server.origin}
        context.add_cookies([{**kept, "httpOnly": True, "sameSite": "Strict"}])
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert not errors


def serious_faults(axe: Any, window: Any) -> list[tuple[str, str]]:
    """What axe-core finds on the page as it is: the rule, and the first element that breaks it."""
    found = axe.run(window).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    return [(one["id"], one["nodes"][0]["html"]) for one in serious]
