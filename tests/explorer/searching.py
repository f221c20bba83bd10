"""The Search page, as a person sees and uses it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote


class SearchPage:
    """What stands on the page, and what can be done there; `other`: the search beside it."""

    def __init__(self, page: Any, origin: str) -> None:
        self.page, self.origin = page, origin

    def open(self, expected: str = "Would play", **history: Any) -> SearchPage:
        """Open a history by its address, and wait for the sentence."""
        fields = "&".join(f"{name}={quote(str(value))}" for name, value in history.items())
        self.page.goto("about:blank")
        self.page.goto(f"{self.origin}/search#{fields}")
        self.says(expected)
        return self

    def search(self, game: str, engine: str, moves: str = "") -> None:
        """Fill in what is searched, and press the button."""
        self.page.get_by_label("Game", exact=True).first.fill(game)
        self.engine.fill(engine)
        self.page.fill("#moves", moves)
        self.page.get_by_role("button", name="Search", exact=True).click()

    def says(self, text: str, where: str = ".pane-sentence") -> None:
        """Wait until a text stands there."""
        self.page.wait_for_function(
            "([where, text]) => document.querySelector(where)?.textContent.includes(text)",
            arg=[where, text],
        )

    def at(self, moment: int, pane: str = "Search") -> None:
        """Wait until the page shows this moment."""
        self.says(f"{moment:,} ", f"[data-pane='{pane}'] .moment")

    def text(self, where: str) -> str:
        found: str = self.page.inner_text(where)
        return found

    @property
    def engine(self) -> Any:
        return self.page.get_by_label("Engine", exact=True).first

    def rows(self, pane: str = "Search") -> dict[str, tuple[int, str]]:
        """Visits and value of each move, as the table shows them."""
        found = {}
        for row in self.page.locator(f"[data-pane='{pane}'] ponder-moves tbody tr").all():
            name, _, visits, value, *_ = row.locator("td").all_inner_texts()
            found[name] = (int(visits.replace(",", "")), value)
        return found

    @property
    def ringed(self) -> str:
        """The move with the clay ring on the board."""
        return str(self.page.get_attribute("ponder-board [data-best]", "data-best"))

    @property
    def played(self) -> str:
        """The move that the sentence names."""
        return self.sentence[0]

    @property
    def sentence(self) -> tuple[str, str]:
        """The move that the sentence names, and what it is worth."""
        found = re.fullmatch(r"Would play (\S+), worth (\S+)", self.text(".pane-sentence"))
        assert found
        return found[1], found[2]

    @property
    def board(self) -> str:
        """The board's text alternative."""
        return str(self.page.get_attribute("ponder-board img", "alt"))
