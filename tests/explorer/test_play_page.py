"""The Play page in a real browser: games by clicks and by keyboard, dice, teaching, loading."""

from __future__ import annotations

import pytest
from playpage import PlayPage


@pytest.fixture
def page(blank):
    return blank


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


def test_whoever_has_no_time_left_has_lost_and_taking_back_gives_some(play, page):
    seen = play("game=tictactoe&seats=you|you&seed=1&clock=0.1%2B0")
    seen.says("X to move")
    assert page.locator(".seat-clock").all_inner_texts() == ["0:06.0", "0:06.0"]
    page.clock.install()  # from here on the page's clock goes as the test says
    seen.click("b2")  # before the first move no time runs
    seen.after(1)
    page.clock.run_for(2000)
    x, o = page.locator(".seat-clock").all_inner_texts()
    assert x == "0:06.0"
    assert o <= "0:04.0"
    page.clock.run_for(5000)
    seen.says("O is out of time. X wins.")
    assert page.locator(".board-spot").count() == 0
    seen.press("undo")
    seen.says("X to move")
    assert page.locator(".seat-clock").first.inner_text() == "0:10"


def test_resigning_ends_the_game_also_after_a_reload(play, page):
    seen = play("game=tictactoe&seats=you|random()&seed=4&moves=b2|a1")
    seen.says("Your move")
    seen.press("resign")
    seen.says("You resigned. O wins.")
    assert page.locator("[data-do=resign]").is_disabled()
    page.reload()
    seen.says("You resigned. O wins.")
    assert seen.moves == ["b2", "a1"]


def test_an_engine_that_refuses_the_game_is_said_where_one_looks(play, page):
    seen = play("game=pig&seats=alphabeta(depth=3)|you&seed=1")
    seen.says("Player 0 cannot move.")
    assert "Alphabeta cannot handle chance" in page.inner_text("#wrong")
    page.get_by_role("button", name="New game").click()  # the page goes on
    assert page.get_by_role("dialog").is_visible()


def test_an_address_that_is_no_game_is_refused_in_a_sentence(play, page):
    for field, told in (
        ("end=resign:7", "“resign:7” is no end of a game"),
        ("clock=soon", "“soon” is no clock"),
        ("seed=2.5", "Seed must be a whole number"),
        ("moves=z9", "'z9' is not legal here"),
    ):
        seen = play(f"game=tictactoe&seats=you|you&{field}")
        seen.says("This game cannot be opened.")
        assert told in page.inner_text(".notice")


def test_a_flipped_board_plays_the_same_moves(play, page):
    seen = play("game=hex(size=3)&seats=you|you&seed=1")
    seen.says("to move")
    where = "ponder-board [data-name=a1]"
    before = page.locator(where).bounding_box()
    opposite = page.locator("ponder-board [data-name=c3]").bounding_box()
    seen.page.keyboard.press("f")
    page.wait_for_function(
        "([where, x]) => Math.abs(document.querySelector(where).getBoundingClientRect().x - x) < 1",
        arg=[where, opposite["x"]],
    )
    after = page.locator(where).bounding_box()
    assert abs(after["y"] - opposite["y"]) < 1
    assert abs(after["x"] - before["x"]) > 50
    seen.click("a1")
    seen.has("a1")


def test_a_saved_file_is_the_game_and_can_be_loaded_again(play, page, tmp_path):
    seen = play("game=tictactoe&seats=you|you&seed=1&moves=b2|a1|c3")
    seen.after(3)
    seen.press("save")
    page.select_option("dialog select", "moves")
    page.wait_for_function("() => document.querySelector('dialog textarea').value === 'b2 a1 c3'")
    page.select_option("dialog select", "json")
    page.wait_for_function("() => document.querySelector('dialog textarea').value.startsWith('{')")
    with page.expect_download() as saving:
        page.click("dialog a.primary")
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    page.keyboard.press("Escape")
    seen.press("undo")
    seen.has("b2", "a1")
    seen.paste(file.read_text())
    seen.has("b2", "a1", "c3")


def test_a_lost_connection_comes_back_by_itself_and_nothing_is_lost(play, page):
    seen = play("game=tictactoe&seats=you|you&seed=1&moves=b2|a1")
    seen.after(2)
    page.evaluate(
        """() => {  // the wire is cut, and stays so for a while
            const real = window.WebSocket;
            window.WebSocket = class extends real {
                constructor(address) {
                    super(window.cut ? address.replace(/:\\d+/, ":1") : address);
                }
            };
            window.cut = true;
            const send = real.prototype.send;
            real.prototype.send = function (data) {
                if (window.cut) this.close(); else send.call(this, data);
            };
        }"""
    )
    seen.click("c3")
    page.locator(".notice", has_text="The connection to Ponder was lost").wait_for()
    page.evaluate("() => { window.cut = false; }")
    page.locator(".notice").wait_for(state="detached")
    seen.says("X to move")
    assert seen.moves == ["b2", "a1"]
    seen.click("c3")
    seen.has("b2", "a1", "c3")


def test_in_connect_four_any_cell_of_a_column_will_do(play, page):
    seen = play("game=connect4(columns=4,rows=4)&seats=you|you&seed=1&moves=2")
    seen.after(1)
    column = page.locator("ponder-board [data-column='3']")
    box = column.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.2 * box["height"])  # far above
    seen.has("2", "3")
