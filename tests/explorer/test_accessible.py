"""Every page for everybody: no serious fault that axe-core finds, any width, the keyboard alone."""

from __future__ import annotations

import pytest
from browser import DESKTOP, PATIENCE, PHONE, serious_faults, window_of
from tryit import TryIt

from ponder.explorer.pages import PAGES

LOOKS = {
    "light": {"viewport": DESKTOP, "color_scheme": "light"},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light"},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_a_page_has_no_serious_fault_and_fits(running, browser, axe, artifacts, name, look):
    (path,) = (page.path for page in PAGES if page.name == name)
    with window_of(browser, running, **LOOKS[look], reduced_motion="reduce") as window:
        window.goto(running.origin + path)
        window.wait_for_load_state("networkidle")
        window.wait_for_selector("#main:not(:empty)")
        window.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        window.screenshot(path=artifacts / f"{name}-{look}.png", full_page=True)
        assert not serious_faults(axe, window)
        wide = window.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "the page is wider than the screen"


@pytest.mark.parametrize("look", LOOKS)
def test_the_pages_for_errors_have_no_serious_fault_and_fit(running, browser, axe, artifacts, look):
    with browser.new_context(**LOOKS[look], reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        window = context.new_page()
        for name, address in (("closed", running.origin), ("nowhere", running.address)):
            window.goto(address)  # without the token, then with it
            window.goto(f"{running.origin}/nowhere")
            window.screenshot(path=artifacts / f"error-{name}-{look}.png", full_page=True)
            assert not serious_faults(axe, window)
            assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_search_is_run_switched_and_rewound_with_the_keyboard_alone(page):
    seen = TryIt(page)
    press = page.keyboard.press
    press("2")  # a preset
    seen.until(lambda: "Pruning" in seen.log)
    press("Space")
    seen.until(lambda: seen.moment > 5)
    press("Space")
    seen.until(lambda: page.inner_text("button.play") == "Play")
    press("w")  # a backup rule
    seen.until(lambda: page.get_by_role("radio", name="Mean").is_checked())
    press("Home")
    seen.at(0)
    press("End")
    seen.until(lambda: seen.moment > 5)
    press("?")
    keys = page.get_by_role("dialog").inner_text()
    assert "Play or pause" in keys
    press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    for _ in range(60):  # every control can be reached
        press("Tab")
        if page.evaluate("document.activeElement.matches('ponder-log button')"):
            break
    press("Enter")
    seen.at(0)
