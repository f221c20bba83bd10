"""The Play page in a real browser: games by clicks and by keyboard, dice, teaching, loading."""

from __future__ import annotations

import pytest
from playpage import PlayPage


@pytest.fixture
def play(page, running):
    return lambda address: PlayPage(page, running.origin, address)


def test_a_game_is_played_by_clicks_and_a_reload_keeps_it(play, page):
    seen = play("game=tictactoe&seats=you|random()&seed=4")
    seen.says("Your move")
    seen.click("b2")
    seen.after(2)
    assert seen.moves[0] == "b2"
    assert seen.moves[1] in page.inner_text("ponder-game-record")
    before = seen.moves
    page.reload()
    seen.after(2)
    assert seen.moves == before
    assert page.locator(".board-spot").count() == 7  # of nine cells
    while "Your move" in seen.sentence:
        count = len(seen.moves)
        page.locator(".board-spot").first.click()
        seen.page.wait_for_function(
            """count => document.querySelectorAll(".record-move").length >= count + 2
                || /win|draw/.test(document.querySelector(".sentence").textContent)""",
            arg=count,
        )
    assert any(word in seen.sentence for word in ("You win.", "O wins.", "A draw."))
    assert page.locator(".board-spot").count() == 0


def test_a_whole_game_is_played_with_the_keyboard_alone(play, page):
    seen = play("game=tictactoe&seats=you|you&seed=1")
    seen.says("X to move")
    page.keyboard.press("b")  # to the board
    for number, way in enumerate(
        (["Enter"], ["ArrowDown", "Enter"], ["Enter"], ["ArrowDown", "Enter"]), 1
    ):
        for key in way:
            page.keyboard.press(key)
        seen.after(number)
    page.keyboard.press("m")  # the last move is typed
    page.keyboard.type("c1")
    page.keyboard.press("Enter")
    seen.says("X wins.")
    assert len(seen.moves) == 5
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    seen.says("After 0 moves of 5.")
    page.keyboard.press("ArrowRight")
    seen.says("After 1 move of 5.")


def test_undo_brings_the_same_dice_again(play, page):
    seen = play("game=pig&seats=you|you&seed=5")
    seen.says("to move")
    seen.click("roll")
    seen.after(1)
    thrown = seen.dice
    assert thrown
    seen.press("undo")
    seen.page.locator(".record-move").wait_for(state="detached")
    assert seen.dice == ""
    seen.click("roll")
    seen.after(1)
    assert seen.dice == thrown


def test_a_mistake_is_shown_before_it_is_final(play, page):
    seen = play("game=tictactoe&seats=you|you&seed=1&teach=1&moves=a1|b2|c1")
    seen.says("O to move")
    seen.click("c3")  # b1 must be taken
    warning = page.locator(".warning")
    warning.wait_for()
    assert "c3 looks like a mistake" in warning.inner_text()
    assert "gives away 1.00" in warning.inner_text()
    assert len(seen.moves) == 3
    seen.press("take-back")
    warning.wait_for(state="hidden")
    assert "b1" in page.inner_text(".thought")
    seen.click("b1")  # no warning of the right one
    seen.after(4)
    seen.press("undo")
    seen.page.locator(".record-move:nth-match(.record-move, 4)").wait_for(state="detached")
    seen.click("c3")
    warning.wait_for()
    seen.press("anyway")
    seen.after(4)
    assert seen.moves[-1] == "c3"


def test_a_finished_game_is_analysed_and_a_mistake_can_be_looked_at(play, page):
    seen = play("game=tictactoe&seats=you|you&seed=1&moves=a1|b2|c1|c3|b1")
    seen.says("X wins.")
    seen.press("analyse")
    page.locator("[data-do=analyse]", has_text="again").wait_for()
    assert "1 mistake:" in page.inner_text(".analysis")
    assert "O c3" in page.inner_text(".mistakes")
    assert "better was b1" in page.inner_text(".mistakes")
    assert page.locator(".record-move[data-ply='4'] .record-mark").is_visible()
    page.click(".mistakes button")
    seen.says("After 4 moves of 5.")
    seen.press("from-here")
    seen.says("X to move")
    assert seen.moves == ["a1", "b2", "c1", "c3"]


def test_fen_pgn_sgf_and_moves_can_be_pasted_and_nonsense_is_refused_in_a_sentence(play, page):
    seen = play("game=tictactoe&seats=you|you&seed=1")
    seen.says("X to move")
    seen.paste("b2 a1 c3")
    seen.has("b2", "a1", "c3")
    seen.paste("b2 b2")
    page.locator("dialog .wrong", has_text="move 2: 'b2' is not legal here").wait_for()
    page.keyboard.press("Escape")
    assert len(seen.moves) == 3
    seen.paste("(;GM[1]SZ[5]KM[2.5];B[cc];W[bb])")
    seen.has("C3", "B4")
    assert page.inner_text("h1") == "go(size=5, komi=2.5)"
    seen.paste('[White "Ann"]\n\n1. e4 {best} e5 2. Nf3 *')
    seen.has("e2e4", "e7e5", "g1f3")
    seen.paste("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    seen.has()
    seen.says("White to move")
    seen.type("e4")  # algebraic
    seen.has("e2e4")
    assert "position=4k3/8/8/8/8/8/4P3/4K3" in page.url
