"""The Search page in a real browser, on small games in plain mode."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from browser import PATIENCE, PHONE, Explorer, explorer, window_of
from searching import SearchPage
from talking import worker

from ponder import Session, position

TICTACTOE = {"game": "tictactoe", "engine": "mcts()", "seed": 1}
FRAIL = '''
class Frail:
    """Take 1 or 2 from a pile; its rules break when the pile gets small."""
    players = 2
    def start(self): return (9, 0)
    def current_player(self, state): return state[1]
    def legal_actions(self, state):
        if state[0] < 4:
            raise RuntimeError("the pile has broken")
        return [1, 2]
    def apply_action(self, state, n): return (state[0] - n, 1 - state[1])
    def is_terminal(self, state): return state[0] <= 0
    def returns(self, state): return (1, -1)

class Tired(Frail):
    """Nobody can say for long what a position is worth."""
    asked = [0]
    def legal_actions(self, state): return [1, 2]
    def evaluate(self, state):
        self.asked[0] += 1
        if self.asked[0] > 5:
            raise RuntimeError("the evaluator is tired")
        return (0.5, -0.5)
'''


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    (folder / "frail.py").write_text(FRAIL)
    return folder


@pytest.fixture(scope="module")
def plain(games: Path) -> Iterator[Explorer]:
    """A server whose workers compile nothing."""
    with ExitStack() as stack:
        with patch.dict(os.environ, NUMBA_DISABLE_JIT="1"):
            made = stack.enter_context(explorer(str(games)))
        yield made


@pytest.fixture
def seen(plain: Explorer, browser: Any) -> Iterator[SearchPage]:
    with window_of(browser, plain) as window:
        yield SearchPage(window, plain.origin)


def test_board_table_and_sentence_show_the_search_of_the_address(seen):
    seen.open(**TICTACTOE, at=120)
    with worker() as talk:
        state = talk.ask("open", history={**TICTACTOE, "at": 120})
    assert seen.rows() == {
        row["name"]: (row["visits"], f"{row['value']:+.2f}".replace("-", "−"))
        for row in state["moves"]
    }
    assert seen.played == seen.ringed == state["best"]
    assert seen.sentence == (state["best"], seen.rows()[state["best"]][1])
    assert seen.page.locator("tr.is-best td").first.inner_text() == state["best"]
    seen.says(state["best"], ".lines")


def test_why_a_move_is_played_that_is_not_the_best_valued_one_is_told(seen):
    seen.open(**TICTACTOE, at=40)
    seen.says(f"{seen.played} is played because it is the most visited move", ".pane-numbers")


def test_a_search_is_stepped_rewound_and_shared_by_keyboard(seen):
    seen.open(**TICTACTOE, at=60)
    before = seen.rows()
    for _ in range(3):
        now = int(seen.text(".moment").split()[0])
        seen.page.keyboard.press("ArrowRight")
        seen.at(now + 1)
    assert seen.rows() != before
    for _ in range(3):
        now = int(seen.text(".moment").split()[0])
        seen.page.keyboard.press("ArrowLeft")
        seen.at(now - 1)
    assert seen.rows() == before
    seen.page.keyboard.press("Home")
    seen.at(0)
    seen.page.keyboard.press("End")
    seen.at(63)
    seen.page.wait_for_function("() => location.hash.includes('at=63')")
    after = seen.rows()
    seen.page.reload()
    seen.at(63)
    assert seen.rows() == after


def test_form_and_text_of_the_engine_are_equal_and_a_part_is_switched_in_the_middle(seen):
    seen.open(**TICTACTOE, at=200)
    page = seen.page
    page.locator("ponder-spec-form summary").nth(1).click()
    page.locator("[data-path=backup]").select_option("max")
    assert seen.engine.input_value() == "mcts(backup=max())"
    page.locator("[data-path='select.c']").fill("0.5")
    page.keyboard.press("Tab")
    assert seen.engine.input_value() == "mcts(backup=max(), select=ucb1(c=0.5))"
    seen.engine.fill("mcts(backup=max(points=1))")
    page.wait_for_function("() => document.querySelector('[data-path=\"select.c\"]').value === ''")
    before = seen.rows()
    page.get_by_role("button", name="Switch now").click()
    page.wait_for_function("() => location.hash.includes('change=200:backup')")
    assert {name: visits for name, (visits, _) in seen.rows().items()} == {
        name: visits for name, (visits, _) in before.items()
    }
    assert seen.rows() != before  # the luckiest playouts are taken for true
    page.locator(".moment-slider").fill("199")
    seen.at(199)
    assert seen.engine.input_value() == "mcts()"  # before the switch


def test_the_tree_is_walked_by_keyboard_and_says_why(seen):
    seen.open(**TICTACTOE, at=200)
    page = seen.page
    rows = seen.rows()
    favourite = max(rows, key=lambda name: rows[name][0])
    page.keyboard.press("t")
    page.keyboard.press("ArrowDown")
    seen.says(f"{favourite}: ", ".tree-about")
    seen.says(favourite, ".tree-crumbs [aria-current]")
    seen.says(f"After {favourite}", "ponder-why h3")
    below = page.locator("ponder-tree .tree-below button")
    assert below.count() == 8
    heads = page.locator("ponder-why thead th").all_inner_texts()
    for line in page.locator("ponder-why tbody tr").all():
        cells = dict(zip(heads[1:], line.locator("td").all_inner_texts(), strict=True))
        number = {name: float(text.replace("−", "-")) for name, text in cells.items() if text}
        assert number["score"] == pytest.approx(number["mean"] + number["exploration"], abs=2e-3)
    page.keyboard.press("Enter")
    seen.says("Open", ".tree-tools button:last-child")
    page.keyboard.press("Home")
    seen.says("Root: 200 visits", ".tree-about")
    seen.says("Here N = 201: the formulas count the root once more", "ponder-why")


def test_a_click_on_the_tree_selects_the_node_under_the_pointer(seen):
    seen.open(**TICTACTOE, at=200)
    canvas = seen.page.locator("ponder-tree canvas")
    canvas.scroll_into_view_if_needed()
    place = canvas.bounding_box()
    seen.says("9 children", ".tree-about")
    # nine children side by side: one of them stands within 40 pixels of every point of its row
    row = place["y"] + 34 + max(64.0, min(104.0, (place["height"] - 34) / 5))
    for step in range(12):
        seen.page.mouse.move(place["x"] + 60 + 14 * step, row)
        if seen.page.locator(".tree-card").is_visible():
            break
    name = seen.page.locator(".tree-card strong").inner_text()
    seen.page.mouse.down()
    seen.page.mouse.up()
    seen.says(f"{name}: ", ".tree-about")
    assert name in seen.rows()


def test_one_simulation_is_shown_phase_by_phase_on_the_board(seen):
    seen.open(**TICTACTOE, at=12)  # children are made at the second visit
    start = seen.board
    seen.page.keyboard.press("e")
    seen.says("1 of ", ".phase-text")
    seen.at(13)
    phases = []
    while True:
        phases.append(seen.text(".phase-names [aria-current]"))
        button = seen.page.get_by_role("button", name="Next")
        if button.is_disabled():
            break
        button.click()
    assert list(dict.fromkeys(phases)) == ["Select", "Expand", "Evaluate", "Back up"]
    seen.says("After ", ".board-caption")
    assert seen.board != start


def test_lines_are_previewed_and_a_move_on_the_board_leads_there(seen):
    seen.open(**TICTACTOE, at=80)
    seen.page.wait_for_selector(".lines button")
    before = seen.board
    line = seen.page.locator(".lines li").first.locator("button")
    first = line.first.inner_text()
    line.first.hover()
    seen.says(f"After {first}", ".board-caption")
    expected = str(position("tictactoe").play(first))
    assert seen.board.endswith(expected)
    seen.page.mouse.move(0, 0)
    seen.says("Click a move", ".board-caption")
    assert seen.board == before
    seen.page.keyboard.press("b")
    seen.page.keyboard.press("Enter")  # the first place, a1
    seen.says("after a1", ".board-caption")
    seen.at(0)
    assert seen.page.input_value("#moves") == "a1"
    seen.page.keyboard.press("Escape")
    seen.page.keyboard.press("u")
    seen.page.wait_for_function("() => document.querySelector('#moves').value === ''")


def test_two_engines_are_compared_and_a_fork_is_the_same_search(seen):
    seen.open(**TICTACTOE, at=30)
    page = seen.page
    page.get_by_role("button", name="Fork", exact=True).click()
    seen.at(30, "Other search")
    seen.says("Both would play", ".verdict")
    assert seen.rows("Other search") == seen.rows()
    page.get_by_label("Engine of the other search").first.fill("flat()")
    page.get_by_role("button", name="Search with it").click()
    seen.at(0, "Other search")
    page.wait_for_function("() => decodeURIComponent(location.hash).includes('other=')")
    page.get_by_role("button", name="One search").click()
    assert page.locator(".pane").count() == 1


def test_a_saved_search_is_read_by_the_library_and_by_the_page(seen, tmp_path):
    seen.open(**TICTACTOE, at=25)
    with seen.page.expect_download() as download:
        seen.page.get_by_role("button", name="Save", exact=True).click()
    file = tmp_path / "search.session"
    download.value.save_as(file)
    kept = seen.rows()
    # read, not run: that compiles
    with patch.object(Session, "from_history", lambda history, **_: history):
        history = Session.load(file)
    assert (history.moment, history.seed) == (25, 1)
    seen.page.get_by_role("button", name="Back to the beginning").click()
    seen.at(0)
    seen.page.set_input_files("input[type=file]", file)
    seen.at(25)
    assert seen.rows() == kept
    file.write_text("nothing")
    seen.page.set_input_files("input[type=file]", file)
    seen.says("search.session is not a saved session, or damaged", ".problem")


def test_a_search_of_another_version_is_refused_with_its_name(seen, tmp_path):
    seen.open(**TICTACTOE, at=25)
    other = "ponder session 2"
    text = json.dumps({"format": other, "what": "nobody knows yet"})
    file = tmp_path / "later.session"
    file.write_text(f"{text}\n{json.dumps({'checksum': zlib.crc32(text.encode())})}\n")
    seen.page.set_input_files("input[type=file]", file)
    seen.says(f"saved by another version of Ponder, as '{other}'; this one reads", ".problem")
    seen.page.get_by_role("button", name="Step", exact=True).click()
    seen.at(26)
    seen.open("cannot begin", **TICTACTOE, format=other)
    seen.says(f"saved by another version of Ponder, as '{other}'; this one reads", ".problem")


def test_a_classical_search_shows_windows_cuts_and_its_drawing(seen):
    seen.open(game="tree('[[3, 12], [2, 4]]')", engine="alphabeta()", seed=1, at=50)
    seen.page.get_by_role("button", name="Show the last events").click()
    seen.says("outside the window", ".event-list [data-kind=cut]")
    seen.page.get_by_role("button", name="Draw the tree").click()
    seen.page.wait_for_selector(".drawing img")
    assert seen.page.evaluate("() => document.querySelector('.drawing img').naturalWidth") > 100
    assert not seen.page.locator("ponder-tree").is_visible()


def test_a_classical_search_is_drawn_step_by_step(seen):
    seen.open("Ready", game="tree('[[3, 12], [2, 4]]')", engine="alphabeta()", seed=1)
    sizes = []
    for number in (1, 2, 3):
        seen.page.get_by_role("button", name="Step", exact=True).click()
        seen.says(f"The tree after {number} node", ".drawing")
        sizes.append(len(seen.page.get_attribute(".drawing img", "src")))
    assert sizes == sorted(set(sizes))  # it grows
    seen.says("up to node 3", "ponder-events p")


def test_what_cannot_be_searched_is_said_where_one_looks_and_the_page_goes_on(seen, games):
    seen.open(**TICTACTOE, at=5)
    seen.page.goto(f"{seen.origin}/search#game=nosuch&engine=mcts()&seed=1")
    seen.says("Nothing to search")
    seen.says("Unknown game 'nosuch'", ".problem")
    assert seen.page.get_by_role("button", name="Play").is_disabled()
    assert not seen.page.locator("ponder-moves").is_visible()  # nothing of the search before
    seen.page.keyboard.press("Space")
    assert "Unknown game 'nosuch'" in seen.text(".problem")
    seen.search("tictactoe", "mcts()", "z9")
    seen.says("'z9' is not legal here", ".problem")
    seen.search("tictactoe", "mcts(select=nosuch())")
    seen.says("Unknown select rule", ".problem")
    seen.page.fill("#seed", "2.5")
    seen.page.get_by_role("button", name="Search", exact=True).click()
    assert seen.page.locator("#seed:invalid").count() == 1  # the browser says so, beside the field
    seen.page.fill("#seed", "1")
    seen.search("tictactoe", "random()")
    seen.says("random() answers at once, without a search to watch", ".problem")
    seen.search("pig", "alphabeta()")
    seen.says("This search cannot begin.")
    seen.says("chance", ".problem")
    seen.search(f"{games}/frail.py:Frail", "mcts()")
    seen.says("Ready")
    seen.page.get_by_role("button", name="Play").click()
    seen.says("the pile has broken", ".problem")
    seen.search(f"{games}/frail.py:Tired", "mcts(evaluate=static())")
    seen.says("Ready")
    seen.page.get_by_role("button", name="Play").click()
    seen.says("the evaluator is tired", ".problem")
    seen.says("Would play")  # what was known before stays
    (games / "broken.py").write_text("class Broken")
    seen.search(f"{games}/broken.py:Broken", "mcts()")
    seen.says("broken.py cannot be loaded: SyntaxError", ".problem")
    seen.search("tictactoe", "mcts()")
    seen.says("Ready")
    assert seen.page.locator(".problem").is_hidden()
    assert seen.page.locator("ponder-moves").is_visible()


def test_nothing_scrolls_sideways_on_a_phone_and_boards_are_drawn_in_both_themes(
    seen, browser, plain
):
    context = browser.new_context(viewport=PHONE, color_scheme="dark")
    context.set_default_timeout(PATIENCE)
    window = context.new_page()
    window.goto(plain.address)
    phone = SearchPage(window, plain.origin).open(**TICTACTOE, at=40)
    wide = window.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    assert phone.ringed == phone.played
    context.close()
