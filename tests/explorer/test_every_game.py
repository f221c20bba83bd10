"""Every game there is can be played on the Play page: by clicks, and with the keyboard alone.

The server is one of its own, in plain mode: this is not about machine code. All games are played in
one window, one after another, by changing the address.
"""

from __future__ import annotations

import pytest
from browser import explorer, window_of

from ponder.games.backgammon.drawing import EDGE, HEIGHT, centre
from ponder.games.names import GAMES

MOST_CHOICES = 8
"""Places or buttons that one move may take: from and to, of each piece."""
LONGER = {"bandit": "bandit(pulls=5)"}
"""Games that are over after one move otherwise."""


@pytest.fixture(scope="module")
def window(browser):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        with explorer() as server, window_of(browser, server) as made:
            made.goto(f"{server.origin}/play#game=connect4(columns=4)&seats=you|you")
            made.locator(".sentence", has_text="move").wait_for()
            yield made


def moved(page, before: int) -> bool:
    """Has somebody moved? Waits until the click or key has done something."""
    page.wait_for_function(
        """before => document.querySelectorAll(".record-move").length > before
            || document.querySelector(".board-from")""",
        arg=before,
    )
    return page.locator(".record-move").count() > before


def begin(page, game: str) -> None:
    """A game with people on all seats."""
    title, again = page.title(), getattr(page, "game", "") == game
    page.game = game
    address = f"game={game}&seats={'|'.join(['you'] * 6)}&seed=3"
    page.evaluate("address => { location.hash = address; }", address)
    page.wait_for_function(
        """([old, again]) => (again || document.title !== old)
            && !document.querySelector('.record-move')""",
        arg=[title, again],
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_made_by_clicks_and_another_with_keys(window, name):
    begin(window, LONGER.get(name, name))
    for _ in range(MOST_CHOICES):
        window.locator(".board-spot, .board-buttons button").first.click()
        if moved(window, 0):
            break
    clicked = window.locator(".record-move").count()
    window.locator(".sentence", has_text="move").wait_for()
    window.keyboard.press("b")
    for _ in range(MOST_CHOICES):
        window.keyboard.press("Enter")
        if moved(window, clicked):
            break
    assert window.locator(".record-move").count() > clicked > 0


def click_point(page, point: int) -> None:
    """Somewhere on a point of the backgammon board, not on its uppermost checker."""
    y = EDGE + 95 if point > 12 else EDGE + HEIGHT - 95
    page.evaluate(
        """([x, y]) => {
            const over = document.querySelector(".board-over");
            const at = new DOMPoint(x, y).matrixTransform(over.getScreenCTM());
            document.elementFromPoint(at.x, at.y).dispatchEvent(new MouseEvent("click"));
        }""",
        [centre(point), y],
    )


def test_a_turn_of_backgammon_is_put_together_in_any_order_and_taken_back(window):
    begin(window, "backgammon")
    assert "5" in window.get_attribute(".sentence .dice", "aria-label")
    for point in (6, 5):  # by the 1
        click_point(window, point)
    assert window.locator(".board-step").count() == 1
    window.locator(".board-spot").first.focus()
    window.keyboard.press("Escape")
    assert window.locator(".board-step").count() == 0
    for point in (6, 5, 13, 8):  # by the 1, then by the 5
        click_point(window, point)
    window.locator(".record-move", has_text="13/8 6/5").wait_for()
