"""docs/robustness.md: every test that the page names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "robustness.md"
FILES = r"\[[\w/.]+\]\(\.\./(tests/[\w/.]+\.py)\)"


def named() -> dict[str, list[str]]:
    """The names that stand behind each file's, as far as the next file's."""
    found: dict[str, list[str]] = {}
    for row in PAGE.read_text().splitlines():
        pieces = re.split(FILES, row)
        for file, text in zip(pieces[1::2], pieces[2::2], strict=True):
            found.setdefault(file, []).extend(re.findall(r"`(test_\w+)`", text))
    return found


@pytest.mark.parametrize("file", named())
def test_every_test_on_the_page_exists(file):
    there = set(re.findall(r"^def (test_\w+)\(", (ROOT / file).read_text(), re.MULTILINE))
    assert set(named()[file]) <= there


def test_every_row_names_a_test():
    for row in PAGE.read_text().splitlines():
        if row.startswith("| ") and not row.endswith("| tests |"):
            assert re.search(r"`test_\w+`", row.rpartition(" | ")[2]), row
