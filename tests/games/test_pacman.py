"""Pac-Man against hand-computed positions, and the searches of the lecture against each other."""

from __future__ import annotations

import itertools
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint, walk
from ponder import MCTS, InputError, Position, position
from ponder.core.draw import INK
from ponder.core.registry import game_text, parse_game, whole_text
from ponder.games.pacman import PacMan
from ponder.search.reference import expectimax, max_n, minimax

START = position("pacman")
TRAP = "o..PoG."
"""A corridor: a pellet far away on the left; on the right one beside the ghost."""
VARIANTS = (
    PacMan(),
    PacMan(ghosts="random"),
    PacMan(layout="P.o/.#./o.."),
    PacMan(layout="G.o/.P./o.G", ghosts="random", steps=8),
    PacMan(layout="G.oG/.P../o.G.", steps=8),
    PacMan(layout="G.o/.P./o.G", ghosts="random", steps=8, pellet=0),
)


# ------------------------------------------------------------ rules by hand


def test_a_step_costs_one_and_a_pellet_brings_ten():
    here = position("pacman(layout='P.o')")
    assert here.state.score == 10
    assert here.legal_names == ("east",)
    here = here.play("east")
    assert here.state.score == 9
    assert here.legal_names == ("east", "west")
    end = here.play("east")
    assert end.is_terminal  # all pellets eaten
    assert end.returns == (18.0,)


def test_being_caught_costs_fifty_and_ends_the_game():
    here = position("pacman(layout='oP.G')")
    end = here.play_all("east west")
    assert end.returns == (10 - 1 - 50, 50 + 1 - 10)
    walked = position("pacman(layout='oPG')").play("east")
    assert walked.returns == (-41.0, 41.0)  # he may also walk into the ghost


def test_the_game_ends_after_the_last_ghost_of_the_last_step():
    here = position("pacman(layout='P..G..Go', steps=1)").play("east")
    assert not here.is_terminal
    here = here.play("east")
    assert not here.is_terminal
    assert here.play("west").returns == (9.0, -9.0)


def test_ghosts_move_one_after_the_other_and_leave_pellets_alone():
    here = position("pacman(layout='P.../..Go/G..o')").play("east")
    assert (here.current_player, here.state.turn) == (1, 1)
    here = here.play("east")  # onto a pellet
    assert (here.current_player, here.state.turn) == (1, 2)
    here = here.play("east")
    assert here.current_player == 0
    assert here.state.left == 2


def test_random_ghosts_choose_every_free_neighbour_with_the_same_chance():
    here = position("pacman(layout='P.o/.G#/...', ghosts='random')").play("south")
    assert here.is_chance
    assert dict(here.chance_outcomes) == pytest.approx({0: 1 / 3, 2: 1 / 3, 3: 1 / 3})
    assert here.legal_names == ("north", "south", "west")
    assert here.players == 1


def test_who_is_walled_in_stays():
    here = position("pacman(layout='P.o/###/.#G')").play("east")
    assert here.legal_names == ("stay",)
    assert here.play("stay").current_player == 0
    assert position("pacman(layout='P#o', steps=2)").play_all("stay stay").returns == (8.0,)


# ------------------------------------------------------------ alone


def shortest_tour(layout):
    """Steps of the shortest walk through all pellets: breadth first over cell and pellets left."""
    rows = layout.split("/")
    cells = {(r, c): x for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"}
    start = next(cell for cell, x in cells.items() if x == "P")
    pellets = frozenset(cell for cell, x in cells.items() if x == "o")
    queue, seen = deque([(start, pellets, 0)]), {(start, pellets)}
    while queue:
        (r, c), left, steps = queue.popleft()
        if not left:
            return steps
        for cell in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            key = (cell, left - {cell})
            if cell in cells and key not in seen:
                seen.add(key)
                queue.append((*key, steps + 1))
    return None


@pytest.mark.parametrize(
    ("layout", "steps"),
    [("o.P.o", 8), ("Po/o.", 5), ("P.o/.#./o..", 7), (".P.o/o##.", 6), ("oP../.##o", 8)],
)
def test_alone_the_best_route_is_the_shortest_tour(layout, steps):
    """Every pellet is worth more than the way to it here: eat all, by the shortest walk."""
    here = position(f"pacman(layout={layout!r}, steps={steps})")
    tour = shortest_tour(layout)
    assert tour <= steps
    best = 10 + 10 * layout.count("o") - tour
    found = expectimax(here)
    assert found.value == best
    assert max_n(here).values == (best,)
    assert here.play_all(found.line).returns == (best,)


def test_the_lecture_example_of_the_value_of_a_state():
    """One pellet two steps away: 10 points, less 2 steps, and the pellet; a detour costs 2 more."""
    here = position("pacman(layout='.P.o', steps=6)")
    assert expectimax(here.play("east")).value == 18.0
    assert expectimax(here.play("west")).value == 16.0


@pytest.mark.parametrize(
    ("layout", "pellet", "value"),
    [("P.o", 0, 8), ("P......o", 0, 3), ("P.o", 10, 18), ("P......o", 10, 13), ("Po", 7, 16)],
)
def test_a_pellet_pays_what_is_said(layout, pellet, value):
    """With 0 it is the lecture's problem: 10 points, less 1 a move until he eats the pellet."""
    here = position(f"pacman(layout={layout!r}, pellet={pellet}, steps=7)")
    assert expectimax(here).value == value
    assert here.play_all(expectimax(here).line).returns == (value,)


def test_the_pellet_is_left_out_of_texts_where_it_pays_ten():
    assert game_text(parse_game("pacman(pellet=10)")) == "pacman()"
    assert parse_game("pacman('P.o', 'random', 9)") == PacMan("P.o", "random", 9, 10)


def test_books_and_networks_made_before_there_was_the_parameter_still_fit():
    before = "pacman(layout='P.o', ghosts='random', steps=9)"
    assert whole_text(PacMan("P.o", "random", 9)) == before
    assert whole_text(PacMan("P.o", "random", 9, 0)) == f"{before[:-1]}, pellet=0)"


def test_a_detour_costs_two_also_where_pellets_pay_nothing():
    here = position("pacman(layout='.P.o', steps=6, pellet=0)")
    assert expectimax(here.play("east")).value == 8.0
    assert expectimax(here.play("west")).value == 6.0


# ------------------------------------------------------------ with ghosts


def pair(layout, steps):
    """The same maze with adversarial and with random ghosts."""
    return (
        position(f"pacman(layout={layout!r}, steps={steps})"),
        position(f"pacman(layout={layout!r}, ghosts='random', steps={steps})"),
    )


def test_who_assumes_a_perfect_ghost_plays_differently():
    """Trapped between the wall and a perfect ghost he hurries to his end; else he gets away.

    Minimax: east eats (10 - 1 + 10 = 19) and is caught: -31. West, three steps to the other
    pellet and one back, is caught after 4 steps: 10 - 4 + 10 - 50 = -34.
    Expectimax: east, the ghost comes with chance 1/2: -31; else it is in its dead end and
    Pac-Man walks away, 3 steps more: 16; together -7.5. West is better.
    """
    adversarial, random = pair(TRAP, 4)
    values = {a: minimax(adversarial.play(a), player=0).value for a in ("east", "west")}
    assert values == {"east": -31.0, "west": -34.0}
    chances = {a: expectimax(random.play(a)).value for a in ("east", "west")}
    assert chances["east"] == -7.5
    assert chances["west"] == 12.875
    assert adversarial.action_name(minimax(adversarial).action) == "east"
    assert random.action_name(expectimax(random).action) == "west"


def outcome(here, policy):
    """The exact value of Pac-Man's policy, which says what to do in a position."""
    if here.is_terminal:
        return here.returns[0]
    if here.current_player == 0:
        return outcome(here.play(policy(here)), policy)
    if here.is_chance:
        return sum(p * outcome(here.play(a), policy) for a, p in here.chance_outcomes)
    return min(outcome(here.play(a), policy) for a in here.legal_actions)


def test_each_assumption_is_best_against_the_ghosts_it_is_about():
    """The table of the lecture: two ways to think, two kinds of ghosts, exact values."""
    adversarial, random = pair(TRAP, 4)

    def pessimist(here):
        return minimax(position(game_text(adversarial.game), here.text()), player=0).action

    def optimist(here):
        return expectimax(position(game_text(random.game), here.text())).action

    table = {
        (policy.__name__, ghosts): outcome(start, policy)
        for policy in (pessimist, optimist)
        for ghosts, start in (("perfect", adversarial), ("random", random))
    }
    assert table["pessimist", "perfect"] == minimax(adversarial).value == -31.0
    assert table["optimist", "random"] == expectimax(random).value == 12.875
    assert table["optimist", "perfect"] == -34.0
    assert table["pessimist", "random"] == -7.5


@pytest.mark.parametrize("layout", ["o.P.G", "oP.o/##G#", "P.o/.#./o.G", ".P.o/G..."])
def test_random_ghosts_are_never_worse_for_pac_man_than_perfect_ones(layout):
    adversarial, random = pair(layout, 4)
    for a in adversarial.legal_actions:
        worst = minimax(adversarial.play(a), player=0).value
        assert expectimax(random.play(a)).value >= worst - 1e-9


def test_the_default_search_works():
    for game in VARIANTS:
        here = Position(game)
        result = MCTS().search(here, simulations=2000, seed=1)
        spec = game.spec()
        assert result.action in here.legal_actions
        assert all(spec.lowest <= row.value <= spec.highest for row in result.moves)


# ------------------------------------------------------------ hooks, texts, drawing


@pytest.mark.parametrize("game", VARIANTS, ids=game_text)
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(Position(game), 5) > 15
    assert_uniform(Position(game))


def test_estimates_stay_in_range_in_a_long_corridor():
    here = position(f"pacman(layout='P{'.' * 390}o', steps=1)")
    (value,) = here.rules.evaluate(here.raw_state)
    assert value == 10.0
    # one step from a pellet: 0.5 * (10 - 1); a ghost three steps away: 10 / 4
    here = position("pacman(layout='oP..G')")
    assert here.rules.evaluate(here.raw_state) == (12.0, -12.0)


@given(st.sampled_from(VARIANTS), st.lists(st.integers(0, 11), max_size=60))
def test_every_printed_position_parses_back(game, choices):
    here = Position(game)
    for choice in choices:
        if not here.is_terminal:
            here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = Position.parse(game, here.text())
    assert again == here
    assert again.facts == here.facts


def test_every_position_of_random_games_parses_back():
    for game in VARIANTS:
        check_position_texts(Position(game), 5)


NUMBERS = st.integers(-3, 30).map(str)


@settings(max_examples=300)
@given(
    st.one_of(
        st.text(min_size=1),
        st.text("0123456789ox- ,", min_size=7),
        st.tuples(NUMBERS, NUMBERS, st.text("ox", min_size=5, max_size=5), *[NUMBERS] * 4).map(
            " ".join
        ),
    )
)
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint("pacman", text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 3 o 10 0 0", "seven words"),
        ("0 4 oo 10 0 0 0", "1 letters"),
        ("0 4 q 10 0 0 0", "1 letters"),
        ("0 4 o ten 0 0 0", "whole numbers"),
        ("0 +4 o 10 0 0 0", "whole numbers"),
        ("0 4 o 10 ٣ 0 0", "whole numbers"),
        ("0 - o 10 0 0 0", "1 ghosts stand on free cells"),
        ("0 3 o 10 0 0 0", "1 ghosts stand on free cells"),
        ("9 4 o 10 0 0 0", "1 ghosts stand on free cells"),
        ("-1 4 o 10 0 0 0", "1 ghosts stand on free cells"),
        ("0 4 o 10 21 0 0", "from 0 .* to 20"),
        ("0 4 x 20 0 0 0", "from 1 .* to 20"),
        ("0 4 o 10 0 1 0", "0 before the first step"),
        ("0 4 o 9 1 2 0", "turn must be from 0 to 1"),
        ("0 4 o 9 1 1 1", "caught is 1 where"),
        ("4 4 o 9 1 1 0", "caught is 1 where"),
        ("0 4 o 9 2 0 0", "the score is 8"),
        ("2 4 o 9 1 1 0", "must be eaten"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("pacman(layout='P.o#G')", text)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (PacMan("P.o/."), "rows of one length"),
        (PacMan(""), "rows of one length"),
        (PacMan("Pxo"), "unknown cell 'x'"),
        (PacMan("..o"), "one P"),
        (PacMan("PPo"), "one P"),
        (PacMan("P.."), "1 to 64 pellets"),
        (PacMan("P" + "o" * 65), "1 to 64 pellets"),
        (PacMan("PoGGGG"), "at most 3 ghosts"),
        (PacMan(ghosts="kind"), "adversarial or random"),
        (PacMan(steps=0), "1 to 1000"),
        (PacMan(pellet=-1), "pays 0 to 1000 points, not -1"),
    ],
)
def test_bad_parameters_are_refused(game, reason):
    with pytest.raises(InputError, match=reason):
        Position(game)


def test_the_game_text_parses_back():
    for game in VARIANTS:
        assert parse_game(game_text(game)) == game


def test_board_and_drawing_show_the_maze():
    here = position("pacman(layout='P.o/.#./G.o')").play("east")
    assert str(here).splitlines() == [". P o", ". # .", "G . o", "score 9, 19 steps left"]
    picture = here.svg()
    assert picture.count(f'fill="{INK}"') == 1  # a wall
    assert picture.count("#e8c33a") == 1  # Pac-Man
    assert picture.count('r="5"') == 2  # where the ghost may go
    assert picture.count('stroke-width="3"') == 1  # who moved last
    for before, after in itertools.pairwise(walk(Position(VARIANTS[4]), 1)):
        assert before.svg() != after.svg()
