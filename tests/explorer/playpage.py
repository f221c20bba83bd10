"""The Play page, as a person sees and uses it."""

from __future__ import annotations

from typing import Any


class PlayPage:
    """What stands on the page, and what can be done there."""

    def __init__(self, page: Any, origin: str, address: str) -> None:
        self.page = page
        page.goto("about:blank")
        page.goto(f"{origin}/play#{address}")
        self.says_not("ready")

    def says(self, text: str) -> None:
        """Wait until the sentence above the board has this in it."""
        self.page.locator(".sentence", has_text=text).wait_for()

    def says_not(self, text: str) -> None:
        self.page.locator(f".sentence:not(:has-text('{text}'))").wait_for()

    @property
    def sentence(self) -> str:
        text: str = self.page.inner_text(".sentence")
        return text

    @property
    def moves(self) -> list[str]:
        """As they stand in the list."""
        found: list[str] = self.page.locator(".record-move > span:not(.dice)").all_inner_texts()
        return found

    def after(self, count: int) -> None:
        """Wait until the list has so many moves, and the last one is shown."""
        self.page.locator(f".record-move:nth-match(.record-move, {count})").wait_for()

    def has(self, *moves: str) -> None:
        """Wait until these are the moves in the list."""
        self.page.wait_for_function(
            """moves => JSON.stringify(moves) === JSON.stringify(
                [...document.querySelectorAll(".record-move > span:not(.dice)")].map(
                    (one) => one.textContent))""",
            arg=list(moves),
        )

    @property
    def dice(self) -> str:
        """What the dice beside the sentence show; empty if there are none."""
        shown = self.page.locator(".sentence .dice")
        return shown.get_attribute("aria-label") if shown.count() else ""

    def click(self, name: str) -> None:
        """Play a move by clicking where it is on the board, or its button below."""
        self.page.click(f'ponder-board [data-name="{name}"]')

    def press(self, what: str) -> None:
        """A button of the page."""
        self.page.click(f"[data-do={what}]")

    def type(self, move: str) -> None:
        self.page.fill("#typed", move)
        self.page.keyboard.press("Enter")

    def paste(self, text: str) -> None:
        """Load a game from a text."""
        self.press("load")
        self.page.fill("dialog textarea", text)
        self.page.click("dialog button[type=submit]")
