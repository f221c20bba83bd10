"""The Lecture page, as a person sees and uses it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


class LecturePage:
    """What stands on the page, and what can be done there."""

    def __init__(self, page: Any, origin: str, address: str = "") -> None:
        self.page, self.origin = page, origin
        self.open(address)

    def open(self, address: str) -> None:
        self.page.goto(f"{self.origin}/lecture{address}")
        self.settled()

    def settled(self) -> None:
        """Wait until nothing is asked for any more."""
        self.page.wait_for_selector(".stage:not([aria-busy])")

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to be seen."""
        for _ in range(4800):
            if condition():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError("it was not seen to happen")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.settled()

    def click(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()
        self.settled()

    def topic(self, key: str) -> None:
        self.page.click(f"[data-topic={key}]")
        chosen = f"[data-topic={key}][aria-pressed=true]"
        self.page.wait_for_selector(chosen)
        self.settled()

    def write(self, tree: str) -> None:
        """Type the nested list."""
        self.page.fill("#tree", tree)
        self.page.wait_for_timeout(300)  # it is read when nobody types any more
        self.settled()

    def go_to(self, step: int) -> None:
        self.page.fill("#moment", str(step))
        self.until(lambda: self.step == step)
        self.settled()

    @property
    def step(self) -> int:
        return int(re.findall(r"\d+", self.page.inner_text(".moment"))[0])

    @property
    def steps(self) -> int:
        return int(re.findall(r"\d+", self.page.inner_text(".moment"))[1])

    @property
    def sentence(self) -> str:
        text: str = self.page.inner_text(".sentence")
        return text

    @property
    def complaint(self) -> str:
        text: str = self.page.inner_text("#tree-wrong")
        return text

    @property
    def tree(self) -> str:
        text: str = self.page.input_value("#tree")
        return text

    def node(self, path: str, figure: int = 0) -> Any:
        return self.page.locator("figure.lesson").nth(figure).locator(f'[data-path="{path}"]')

    def value(self, path: str = "", figure: int = 0) -> str:
        """What stands beside an inner node."""
        text: str = self.node(path, figure).locator(".value").text_content()
        return text

    def window(self, path: str = "") -> str:
        text: str = self.node(path).locator(".window").text_content()
        return text

    def leaf(self, path: str, figure: int = 0) -> str:
        text: str = self.node(path, figure).locator(".number").first.text_content()
        return text

    def has(self, path: str, mood: str, figure: int = 0) -> bool:
        """Is a node looked at (seen), cut, on the best line (line), where the search is (here)?"""
        return mood in self.node(path, figure).get_attribute("class").split()

    def those(self, mood: str, figure: int = 0) -> list[str]:
        """The paths of all nodes that are so."""
        found: list[str] = (
            self.page.locator("figure.lesson")
            .nth(figure)
            .locator(f".node.{mood}")
            .evaluate_all("all => all.map(one => one.dataset.path)")
        )
        return sorted(found)

    def counts(self, figure: int = 0) -> tuple[int, int]:
        """Leaves looked at, and leaves there are."""
        text = self.page.locator(".leaf-count").nth(figure).inner_text()
        seen, every = re.findall(r"\d+", text)
        return int(seen), int(every)

    def everything(self) -> dict[str, object]:
        """All that the picture says."""
        nodes = self.page.locator("figure.lesson").first.locator(".node")
        script = (
            "all => all.map(one => [one.dataset.path, one.getAttribute('class'), one.textContent])"
        )
        return {"step": self.step, "sentence": self.sentence, "nodes": nodes.evaluate_all(script)}

    # ------------------------------------------------------------ bandits

    @property
    def pulls(self) -> int:
        return int(re.findall(r"\d+", self.page.inner_text(".moment"))[0])

    def gamblers(self) -> dict[str, tuple[str, list[str]]]:
        """What stands at each rule: how much it has lost, and how often it pulled each arm."""
        return {
            panel.get_attribute("data-rule"): (
                panel.locator(".lost").inner_text(),
                panel.locator(".pulls").all_text_contents(),
            )
            for panel in self.page.locator(".gambler").all()
        }
