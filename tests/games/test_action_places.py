"""Where actions are on the boards' drawings."""

from __future__ import annotations

import re

import pytest

from plain_rules import walk
from ponder import position
from ponder.core.draw import LEGAL, STONES

GAMES = (
    "tictactoe",
    "connect4(columns=9, rows=5)",
    "othello(columns=6, rows=6)",
    "breakthrough(columns=5, rows=6)",
    "hex(size=5)",
    "go(size=5)",
    "chess",
    "checkers",
    "chinese_checkers(players=2)",
    "nim",
    "pacman",
)


def dots(svg: str) -> set[tuple[str, str]]:
    """The middles of the dots with which a drawing marks where one may go."""
    found = re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="{LEGAL}"/>', svg)
    return {(f"{float(x):.1f}", f"{float(y):.1f}") for x, y in found}


@pytest.mark.parametrize("text", GAMES)
def test_a_move_ends_where_the_drawing_has_its_dot(text):
    compared = 0
    for here in walk(position(text), 1)[:40]:
        places = here.places
        assert len(places) == len(here.legal_actions)
        ends = {(f"{way[-1][0]:.1f}", f"{way[-1][1]:.1f}") for way in places if way}
        assert ends == dots(here.svg())
        compared += len(ends)
    assert compared > 10


def test_a_pass_and_a_game_that_says_nothing_are_nowhere():
    passing = position("go(size=5)")
    assert passing.places[passing.legal_names.index("pass")] == ()
    assert position("pig").places == ((),) * len(position("pig").legal_actions)


def test_directions_are_where_the_drawing_has_its_arrows():
    here = position("twenty48").play("a1=2").play("b1=4")
    arrows = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([↑→↓←])<', here.svg())
    names = dict(zip("↑→↓←", ("up", "right", "down", "left"), strict=True))
    drawn = {names[arrow]: (float(x), float(y)) for x, y, arrow in arrows}
    said = {n: way[0][:2] for n, way in zip(here.legal_names, here.places, strict=True)}
    assert drawn == said
    assert position("twenty48").places == ((),) * len(position("twenty48").legal_actions)


def test_placements_are_where_the_drawing_has_its_dots():
    here = position("falling_blocks(columns=5, rows=6)").play("J")
    assert {(f"{way[0][0]:.1f}", f"{way[0][1]:.1f}") for way in here.places} == dots(here.svg())
    assert position("falling_blocks").places == ((),) * 7


def test_a_turn_of_backgammon_has_a_pair_of_places_for_each_checker():
    here = position("backgammon").play("31").play("8/5 6/5")  # o rolls next
    here = here.play("62")
    ways = dict(zip(here.legal_names, here.places, strict=True))
    run = ways["24/16"]  # one checker, by way of the empty point 18
    assert len(run) == 4
    assert run[1] == run[2]
    (start, end), (other, there) = ways["24/18 13/11"][:2], ways["24/18 13/11"][2:]
    assert (start, end) == run[:2]
    assert len({start, end, other, there}) == 4
    # a checker comes from where the drawing has one, and o's point 24 is x's point 1
    checker = rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="17" fill="{STONES[1]}"'
    stones = re.findall(checker, here.svg())
    assert (f"{start[0]:g}", f"{start[1]:g}") in stones
    assert position("backgammon").places == ((),) * 30  # a roll is nowhere


def test_moves_of_small_trees_are_the_nodes_they_lead_to():
    here = position("tree").play("2")
    drawn = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="22"', here.svg())
    leaves = {(float(x) + float(wide) / 2, float(y) + 11) for x, y, wide in drawn}
    assert {way[0][:2] for way in here.places} < leaves
    assert len({way[0] for way in here.places}) == 3


def test_a_chess_move_leads_from_its_square_to_another():
    here = position("chess")
    start, end = here.places[here.legal_names.index("e2e4")]
    assert (end[0] - start[0], end[1] - start[1]) == (0, -2 * 48)  # two squares up
