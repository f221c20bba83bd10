"""The Try it page, as a person sees and uses it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

LETTERS = "ABCD"


def number(text: str) -> float | None:
    """+0.35, −0.20, or a dash."""
    return None if text == "–" else float(text.replace("−", "-"))


class TryIt:
    """What stands on the page, and what can be done there."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.settled()

    def settled(self) -> None:
        self.page.wait_for_selector(".sentence[data-mood]")

    def load(self, preset: str) -> None:
        self.page.click(f"[data-preset={preset}]")
        self.page.wait_for_selector(".stage:not([aria-busy])")

    def choose(self, what: str, name: str) -> None:
        """Switch a rule by its radio button."""
        self.page.locator(f"[data-chooser={what}]").get_by_text(name, exact=True).click()

    def at(self, moment: int) -> None:
        """Wait until the page shows this moment."""
        word = "simulation" if moment == 1 else "simulations"
        self.page.wait_for_function(
            "text => document.querySelector('.moment').textContent === text",
            arg=f"{moment:,} {word}",
        )

    def go_to(self, moment: int) -> None:
        """Step until this moment is shown: ten at a time, as the key does it."""
        self.page.focus("#main")  # where the arrow keys belong to the page
        while (now := self.moment) < moment:
            many = moment - now >= 10
            self.page.keyboard.press("Shift+ArrowRight" if many else "ArrowRight")
            self.at(now + (10 if many else 1))

    def leap_to(self, moment: int) -> None:
        """By the address, as somebody who was sent it."""
        self.page.evaluate(
            "at => location.hash = location.hash.replace(/at=\\d+/, `at=${at}`)", moment
        )
        self.at(moment)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to be seen."""
        for _ in range(4800):
            if condition():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError("it was not seen to happen")

    @property
    def moment(self) -> int:
        return int(re.sub(r"\D", "", self.page.inner_text(".moment")))

    @property
    def sentence(self) -> str:
        text: str = self.page.inner_text(".sentence")
        return text

    def move(self, letter: str) -> Any:
        return self.page.locator(f"ponder-gem-tree [data-move={letter}]")

    def visible(self, letter: str, mark: str) -> bool:
        """Is a move's ring (truth, choice) or cross to be seen?"""
        shown: bool = self.move(letter).locator(f".{mark}").is_visible()
        return shown

    @property
    def chosen(self) -> str:
        """The moves with a solid clay ring."""
        return "".join(x for x in LETTERS if self.visible(x, "choice"))

    @property
    def cut(self) -> str:
        return "".join(x for x in LETTERS if self.visible(x, "cross"))

    def shown(self, letter: str) -> tuple[int, float | None]:
        """Simulations and value that stand below a move."""
        move = self.move(letter)
        sims = int(re.sub(r"\D", "", move.locator(".sims").text_content()))
        return sims, number(move.locator(".value").text_content())

    @property
    def log(self) -> str:
        text: str = self.page.inner_text("ponder-log")
        return text

    def numbers(self) -> dict[str, object]:
        """Every number and mark of the tree."""
        moves = {x: (*self.shown(x), x in self.chosen, x in self.cut) for x in LETTERS}
        return {"moment": self.moment, "root": self.root_value, **moves}

    @property
    def root_value(self) -> float | None:
        return number(self.page.text_content("ponder-gem-tree [data-move=root] .value"))
