"""The Arena page in a real browser: a match live, stopped and continued, a game opened, a file."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from ponder import match


@pytest.fixture
def page(blank):
    return blank


@pytest.fixture
def arena(page, running):
    def opened(address):
        page.goto("about:blank")
        page.goto(f"{running.origin}/arena#{address}")
        page.wait_for_selector("[data-do=start]")
        return page

    return opened


def says(page, text):
    page.locator(".sentence", has_text=text).wait_for()


def standing(page, letter):
    """Score and interval of an engine, as they stand in the table."""
    row = page.locator(f".standings tr[data-engine={letter}]")
    return row.locator(".score").inner_text(), row.locator(".interval").inner_text().strip()


def test_a_match_runs_and_shows_what_the_command_line_shows(arena):
    page = arena("game=tictactoe&engine=strong(simulations=20)&engine=random()&games=10&seed=3")
    page.click("[data-do=start]")
    says(page, "10 games played.")
    known = match("tictactoe", "strong(simulations=20)", "random()", games=10, seed=3).rating
    assert standing(page, "A") == (
        f"{known.score:.1%}".replace("%", " %"),
        f"{known.score_low:.1%} to {known.score_high:.1%}".replace("%", " %"),
    )
    page.click(".games tr[data-number='1']")
    page.locator(".viewer .record-move").first.wait_for()
    assert "Game 1" in page.inner_text(".viewer")
    moves = page.locator(".viewer .record-move").count()
    page.keyboard.press("Home")
    page.locator(".viewer button[aria-label='To the beginning']:disabled").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".viewer .record-move[data-ply='1'][aria-current]").wait_for()
    page.get_by_text("Open in Play").click()
    page.locator(".record-move").nth(moves - 1).wait_for()
    assert "/play#game=tictactoe" in page.url


def test_a_match_is_stopped_continued_reloaded_saved_and_opened_again(arena):
    # seconds for a move, so that no machine plays all games before they can be stopped
    engines = "engine=mcts(seconds=0.002)&engine=random()"
    page = arena(f"game=tictactoe&{engines}&games=6000&seed=1&openings=0")
    page.click("[data-do=start]")
    page.wait_for_function("() => document.querySelector('progress').value >= 5")
    page.click("[data-do=stop]")
    says(page, "Stopped after")
    before = page.locator("progress").evaluate("bar => bar.value")
    assert 5 <= before < 6000
    page.click("[data-do=go]")
    page.wait_for_function(
        "before => document.querySelector('progress').value > before", arg=before
    )
    page.click("[data-do=stop]")
    says(page, "Stopped after")
    shown, done = standing(page, "A"), page.locator("progress").evaluate("bar => bar.value")
    assert done > before
    text = unquote(page.locator("[data-do=save]").get_attribute("href").partition(",")[2])
    assert text.count("\n") == done + 1
    page.reload()
    page.locator(".standings tr[data-engine=A]").wait_for()
    assert standing(page, "A") == shown
    page = arena("game=pig&engine=random()&engine=random()&games=3&seed=1")
    upload(page, text.encode())
    says(page, f"{done:,} games played.")
    assert standing(page, "A") == shown


def upload(page, data):
    chosen = {"name": "match.jsonl", "mimeType": "application/jsonl", "buffer": data}
    page.set_input_files("#match-file", chosen)


def test_what_is_no_match_is_refused_in_a_sentence(arena):
    page = arena("game=tictactoe&engine=random()&engine=nonsense()&games=2&seed=1")
    page.click("[data-do=start]")
    page.locator(".wrong", has_text="unknown engine 'nonsense'").wait_for()
    upload(page, b"hello\n")
    page.locator(".wrong", has_text="match.jsonl is not a file of match records").wait_for()
    upload(page, b"")
    page.locator(".wrong", has_text="match.jsonl is empty.").wait_for()
    assert not page.locator(".standings").is_visible()
    says(page, "Choose engines and start.")  # and not that something is on its way


def test_what_goes_wrong_in_a_match_stays_to_be_read(arena):
    page = arena("game=tictactoe&engine=alphazero(net='connect4')&engine=random()&games=2&seed=1")
    page.click("[data-do=start]")
    says(page, "is a network of connect4")
    page.wait_for_timeout(500)  # the update that follows says only that nothing runs
    says(page, "is a network of connect4")


def test_a_wrong_number_is_shown_where_it_was_folded_away(arena):
    page = arena("game=tictactoe&engine=random()&engine=random()&games=2&seed=1")
    page.click("summary")
    page.fill("input[max='4294967295']", "")
    page.click("summary")
    page.click("[data-do=start]")
    assert page.locator("details[open] input:invalid").evaluate("e => e === document.activeElement")
    says(page, "Choose engines and start.")
