"""The pages there are, in the order of the navigation. Each has a module in `static/pages/`."""

from __future__ import annotations

from typing import NamedTuple

COMPILED, PLAIN, EITHER = "compiled", "plain", "either"
"""Of searches for which plain Python is enough, a worker in plain mode; of any search, that one
unless what it needs is compiled already. Either changes to a compiled one where that is quicker."""


class Page(NamedTuple):
    name: str
    """Of its module, static/pages/NAME.js, and its styles, static/pages/NAME.css."""
    path: str
    title: str
    summary: str
    begins: str = COMPILED
    """The mode of the worker that its first message gets."""


PAGES = (
    Page(
        "tryit",
        "/",
        "Try it",
        "Four moves, one of them a hidden gem: watch a search find it, or lose it.",
        begins=PLAIN,
    ),
    Page(
        "lecture",
        "/lecture",
        "Lecture",
        "Minimax to maxⁿ on trees you can edit, step by step; bandits and their regret.",
        begins=PLAIN,
    ),
    Page(
        "search",
        "/search",
        "Search",
        "Any game, any engine: candidates, lines, charts and the tree while it thinks.",
        begins=EITHER,
    ),
    Page("play", "/play", "Play", "A game against an engine, or between any of you."),
    Page("arena", "/arena", "Arena", "Engines against each other, with scores and intervals."),
    Page("lab", "/lab", "Lab", "Published results, claimed clause by clause and run again here."),
    Page(
        "training", "/training", "Training", "Networks that learn a game: losses, rating, mistakes."
    ),
)
BY_NAME = {page.name: page for page in PAGES}
