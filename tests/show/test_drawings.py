"""Drawings are whole SVG documents, from sessions, results and the command line."""

from __future__ import annotations

import os
import re
import subprocess
from xml.etree import ElementTree

import pytest

from command_line import PROGRAM
from ponder import MCTS, position
from ponder import engine as engine_of
from ponder.cli import run
from ponder.errors import InputError
from ponder.games.tree import tree_game
from ponder.presets import plain_alphabeta
from ponder.search.maxn import MaxN
from ponder.show.draw import picture_of
from ponder.show.legend import legend
from ponder.show.picture import Form
from ponder.show.svg import COLOURS
from ponder.show.terminal import outline

SVG = "{http://www.w3.org/2000/svg}"


def searched(engine, game, **limit):
    session = engine.start(position(game), seed=1)
    session.run(**limit)
    return session


def texts(svg):
    return ["".join(t.itertext()) for t in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_drawing_has_a_title_a_description_and_colours_for_every_renderer():
    svg = searched(plain_alphabeta(), "tree", depth=2).svg()
    root = ElementTree.fromstring(svg)
    assert root.find(f"{SVG}title").text == "plain_alphabeta on tree"
    assert "11 nodes looked at" in root.find(f"{SVG}desc").text
    assert "prefers-color-scheme: dark" in root.find(f"{SVG}style").text
    for element in root.iter():
        kinds = (element.get("class") or "").split()
        for kind in kinds:
            if kind != "ponder":  # the attribute says it too, for those who know no CSS
                attribute = {"f": "fill", "s": "stroke"}[kind[0]]
                assert element.get(attribute) == COLOURS[kind[2:]][0]
    assert "nan" not in svg
    assert "cut, β ≤ α: 2 ≤ 3" in texts(svg)


def test_a_stroke_stands_below_the_number_that_decides_whatever_the_renderer():
    three = tree_game([{"returns": [10, 2, 3]}, {"returns": [40, 5, 6]}], players=3)
    drawing = ElementTree.fromstring(searched(MaxN(), three).svg())
    assert not list(drawing.iter(f"{SVG}tspan"))
    words = {word.text: float(word.get("x")) for word in drawing.iter(f"{SVG}text")}
    strokes = [line for line in drawing.iter(f"{SVG}line") if line.get("y1") == line.get("y2")]
    assert len(strokes) == 2
    for number, stroke in zip(("10", "40"), strokes, strict=True):
        assert float(stroke.get("x1")) < words[number] < float(stroke.get("x2"))


def test_names_of_moves_are_written_as_they_are():
    svg = searched(plain_alphabeta(), tree_game({"moves": {"<a&b>": 1, "c": 2}}), depth=2).svg()
    assert "<a&b>" in texts(svg)


def test_a_monte_carlo_drawing_shows_visits_values_untried_moves_and_the_last_simulation():
    session = searched(MCTS(), "tree", simulations=12)
    picture, result = picture_of(session), session.result()
    nodes = {child.edge: child for child in picture.root.children}
    for row in result.moves:
        assert f"n = {row.visits}" in nodes[row.name].remarks
        assert nodes[row.name].share == pytest.approx(row.visits / 12)
    events = session.events(11)
    last = next(event.path for event in events if event.kind == "evaluated")
    marked = [node.edge for node in picture.root.walk() if node.last][1:]
    assert marked == list(last)
    assert sum(node.unseen for node in picture.root.walk()) == 1
    assert picture_of(session, step=4).facts[0].startswith("4 simulations")
    assert session.moment == 12, "looking back changes nothing"


def test_untried_moves_look_like_what_they_lead_to():
    (untried,) = (
        n for n in picture_of(searched(MCTS(), "tree", simulations=2)).root.walk() if n.unseen
    )
    assert untried.form is Form.MIN


def test_reasons_are_those_of_whoever_moves_and_say_so():
    for text, said in (("", "root moves: score"), ("x../.../...", "root moves, as MIN sees them")):
        session = MCTS().start(position("tictactoe", text), seed=1)
        session.run(simulations=30)
        fact = picture_of(session).facts[1]
        assert fact.startswith(said)
        assert fact.endswith("where N = 31 (1 for the root)")


def test_every_line_of_the_legend_is_as_narrow_as_the_drawing():
    three = tree_game([{"returns": [1, 2, 3]}, {"returns": [3, 2, 1]}], players=3)
    root = ElementTree.fromstring(searched(MCTS(), three, simulations=12).svg())
    lines = [text for text in root.iter(f"{SVG}text") if text.get("font-size") == "11"]
    assert any("player that is named" in line.text for line in lines)
    for line in lines:
        assert float(line.get("x")) + 0.55 * 11 * len(line.text) <= float(root.get("width"))


def test_the_green_line_follows_the_most_visited_moves_to_the_end():
    root = picture_of(searched(MCTS(), "tree", simulations=60)).root
    line, node = [node for node in root.walk() if node.line], root
    for expected in line:
        assert expected.share == max(child.share or 0.0 for child in node.children)
        assert sum(child.chosen for child in node.children) == 1, "of equals the first"
        node = expected
    assert len(line) == 2
    assert not node.children


def test_the_legend_says_for_whom_green_is_good():
    three = tree_game([{"returns": [1, 2, 3]}, {"returns": [3, 2, 1]}], players=3)
    for game, whom in (("tree", "MAX"), (three, "the player that is named"), ("gem", "the player")):
        words = legend(picture_of(searched(MCTS(), game, simulations=12)))
        assert f"green is good for {whom}" in words[-1]


def test_values_of_a_monte_carlo_drawing_are_of_player_0():
    picture = picture_of(searched(MCTS(), "tree", simulations=200))
    leaf = next(node for node in picture.root.children[0].children if node.edge == "2")
    assert leaf.value == "12", "though MIN chose the move"


def test_results_draw_themselves():
    engine = plain_alphabeta()
    result = engine.search(position("tree"), depth=2)
    assert result.svg() == searched(engine, "tree", depth=2).svg()
    tree = MCTS().search(position("tree"), simulations=12, seed=1)
    assert "12 simulations" in tree.svg()
    with pytest.raises(InputError, match="above 0"):
        tree.svg(most=0)
    with pytest.raises(InputError, match=r"draw the session, session\.svg\(\)"):
        searched(MCTS(), "tree", simulations=12).result().svg()
    with pytest.raises(InputError, match=r"random\(\) has no tree to draw$"):
        engine_of("random()").search(position("tree")).svg()


def test_an_outline_is_the_same_tree_in_text():
    text = str(outline(picture_of(searched(plain_alphabeta(), "tree", depth=2))))
    assert "├─ 2  ▽ ≤2  [3, +∞]  cut, β ≤ α: 2 ≤ 3" in text
    assert text.count("□") == 9 + 1, "and once in the legend"


def test_a_small_tree_does_not_wait_for_the_compiler(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "empty")
    done = subprocess.run(
        [*PROGRAM, "show", "tree", "--step", "7"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert "compiling" not in done.stderr
    assert not list(tmp_path.rglob("*.nbc")), "nothing was compiled"
    assert "cut, β ≤ α: 2 ≤ 3" in done.stdout
    assert "still searching" in done.stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--svg", "x.png"), "ends in .svg"),
        (("--svg", "nowhere/x.svg"), "no folder"),
        (("--step", "99"), "steps run from 1 to 11"),
        (("--most", "0"), "above 0"),
        (("--depth", "2", "--simulations", "9"), "not both"),
        (("--engine", "random()"), "random() has no tree to draw"),
        (("--depth", "1"), "has no evaluate: search it to its end (a depth of 2 suffices)"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(capsys, more, said):
    run(["show", "tree"])  # may say that it compiles
    capsys.readouterr()
    assert run(["show", "tree", *more]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("engine", "title", "size"),
    [
        ("plain_alphabeta(depth=1)", "plain_alphabeta(depth=1)", "8 nodes looked at"),
        ("plain_alphabeta(depth=2)", "plain_alphabeta(depth=2)", "21 nodes looked at"),
        ("uct(simulations=12)", "uct(simulations=12)", "12 simulations"),
    ],
)
def test_limits_of_the_engine_itself_hold(capsys, engine, title, size):
    assert run(["show", "connect4", "--engine", engine]) == 0
    first, parameters, effort, *_ = capsys.readouterr().out.split("\n")
    assert first == f"{title.partition('(')[0]} on connect4"
    assert parameters == title
    assert effort.startswith(size)
    option = ["--simulations", "3"] if "simulations" in engine else ["--depth", "3"]
    assert run(["show", "connect4", "--engine", engine, *option]) == 0
    assert size not in capsys.readouterr().out, "what is asked for beside the engine goes first"


def test_a_search_that_is_too_large_to_draw_is_not_waited_for(capsys):
    assert run(["show", "connect4", "--engine", "minimax()", "--depth", "30"]) == 2
    assert "at most 300,000 nodes" in capsys.readouterr().err


def test_files_are_written(capsys, tmp_path):
    file = tmp_path / "tree.svg"
    assert run(["show", "tree", "--svg", str(file)]) == 0
    assert re.match("<svg ", file.read_text())
    assert capsys.readouterr().out == ""
