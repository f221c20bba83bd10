"""The hidden gem against exhaustive expectimax and averages over all lines."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint
from ponder import MCTS, InputError, Position, position
from ponder.core.registry import game_text, parse_game
from ponder.games.gem import CHANCES, SCENARIOS, Gem
from ponder.search.reference import expectimax

SEEDS = (0, 1, 2, 7, 2**63 - 1)


def expected(here):
    """The mean over the noise, once all moves are made."""
    return sum(p * here.play(a).returns[0] for a, p in here.chance_outcomes)


def random_value(game, move):
    """What uniform random play below a root move is worth: the mean of all lines."""
    start = Position(game).play(move)
    lines = itertools.product(range(4), repeat=game.plies - 1)
    values = [expected(start.play_all(line)) for line in lines]
    return sum(values) / len(values)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_hidden_values_are_those_of_exhaustive_expectimax(scenario, seed):
    start = Position(Gem(scenario, seed))
    found = [expectimax(start.play(a)).value for a in start.legal_actions]
    assert found == pytest.approx(start.game.true_values(), abs=1e-12)


@pytest.mark.parametrize("plies", [1, 2, 4])
def test_depth_does_not_change_the_hidden_values(plies):
    start = Position(Gem("pruning", 3, plies))
    found = [expectimax(start.play(a)).value for a in start.legal_actions]
    assert found == pytest.approx(start.game.true_values(), abs=1e-12)


@pytest.mark.parametrize("scenario", ["gem", "pruning"])
@pytest.mark.parametrize("seed", range(6))
def test_the_gem_is_best_but_looks_worse_under_random_play(scenario, seed):
    game = Gem(scenario, seed)
    a, _, c, _ = game.true_values()
    assert c == max(game.true_values()) > a
    assert random_value(game, "C") < random_value(game, "A")


@pytest.mark.parametrize("seed", range(6))
def test_in_the_plain_scenario_what_looks_best_is_best(seed):
    game = Gem("plain", seed)
    looks = [random_value(game, move) for move in "ABCD"]
    assert looks == sorted(looks, reverse=True)
    assert list(game.true_values()) == sorted(game.true_values(), reverse=True)


def test_twins_are_alike_in_value_but_not_in_spread():
    """The spread is the standard deviation of the result along the best line."""
    start = position("gem(scenario='twins')")
    spreads = []
    for move in "AC":
        end = start.play(move)
        assert expectimax(end).value == pytest.approx(0.4)
        while not end.is_chance:
            end = end.play(expectimax(end).action)
        mean = expected(end)
        assert mean == pytest.approx(0.4)
        square = sum(p * (end.play(a).returns[0] - mean) ** 2 for a, p in end.chance_outcomes)
        spreads.append(square**0.5)
    assert spreads == pytest.approx([0.05, 0.9])


@pytest.mark.parametrize("seed", range(2))
def test_without_gaps_every_line_below_a_move_is_worth_its_hidden_value(seed):
    game = Gem("noise", seed)
    wanted = [value for value in game.true_values() for _ in range(16)]
    assert lines(game) == pytest.approx(wanted)


def test_values_noises_and_gaps_can_be_given():
    game = Gem("noise", values=(1, 2, 0, 0), noises=(0, 0.5, 0, 0), gaps=(0, 0, 3, 0))
    start = Position(game)
    assert [expectimax(start.play(a)).value for a in "ABCD"] == pytest.approx([1, 2, 0, 0])
    results = [start.play_all(["B", "a", "a", a]).returns[0] for a in range(9)]
    assert results == pytest.approx([2 + 0.5 * (a - 4) / 2**0.5 for a in range(9)])
    assert random_value(game, "C") < -1.5
    assert game.spec().highest == pytest.approx(max(2 + 2**0.5, 9.0))


def test_the_noise_is_that_of_eight_coins():
    assert sum(CHANCES) == 1.0
    here = position("gem").play_all("C a d")
    assert [p for _, p in here.chance_outcomes] == list(CHANCES)
    assert here.legal_names == ("-4", "-3", "-2", "-1", "+0", "+1", "+2", "+3", "+4")
    # mean 0 and variance 1 in units of the root move's noise
    steps = [(a - 4) / 2**0.5 for a in range(9)]
    assert sum(p * x for p, x in zip(CHANCES, steps, strict=True)) == pytest.approx(0.0)
    assert sum(p * x * x for p, x in zip(CHANCES, steps, strict=True)) == pytest.approx(1.0)


def lines(game):
    """The results of all lines without noise."""
    start = Position(game)
    return [start.play_all([*line, 4]).returns[0] for line in itertools.product(range(4), repeat=3)]


def test_the_same_seed_is_the_same_tree_and_another_seed_another():
    assert lines(Gem("gem", 5)) == lines(Gem("gem", 5))
    assert len({tuple(lines(Gem("gem", seed))) for seed in range(20)}) == 20


def test_one_move_of_four_is_right_at_every_node():
    here = position("gem(plies=4)").play("C")
    for _ in range(3):
        values = [expectimax(here.play(a)).value for a in here.legal_actions]
        assert sum(v == pytest.approx(0.6) for v in values) == 1
        assert all(v <= 0.6 - 0.25 * 0.8 + 1e-12 for v in values if v != pytest.approx(0.6))
        here = here.play(values.index(max(values)))


def test_results_stay_within_the_promised_range():
    for scenario in SCENARIOS:
        spec = Gem(scenario).spec()
        for seed in range(3):
            start = Position(Gem(scenario, seed))
            for line in itertools.product(range(4), range(4), range(4), (0, 8)):
                assert spec.lowest <= start.play_all(line).returns[0] <= spec.highest


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_plain_rules_equal_compiled_rules(scenario):
    start = Position(Gem(scenario, 2**63 - 1))
    assert compare_plain_with_compiled(start, 5) == 25
    assert_uniform(start)


@pytest.mark.parametrize("seed", range(3))
def test_a_long_search_finds_the_gem(seed):
    start = position("gem")
    result = MCTS().search(start, simulations=50_000, seed=seed)
    assert start.action_name(result.action) == "C"
    spec = start.game.spec()
    assert all(spec.lowest <= row.value <= spec.highest for row in result.moves)


@given(st.lists(st.integers(0, 8), max_size=5))
def test_every_printed_position_parses_back(choices):
    here = position("gem(plies=4)")
    for choice in choices:
        here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = Position.parse(here.game, here.text())
    assert again == here
    assert again.facts == here.facts


def test_every_position_of_random_games_parses_back():
    check_position_texts(position("gem"), 10)


@settings(max_examples=300)
@given(st.one_of(st.text(min_size=1), st.text("ABCDabcd+-0123 ", min_size=1)))
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint("gem", text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("c a d", "unknown move 'c'"),
        ("C A", "unknown move 'A'"),
        ("C ab", "unknown move 'ab'"),
        ("C +2", "unknown move"),
        ("C a d +5", "up to 3 moves and a sample"),
        ("C a d a", "up to 3 moves and a sample"),
        ("C a d +2 +2", "up to 3 moves and a sample"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("gem", text)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Gem("ruby"), "accepted: gem, pruning, plain, twins, noise"),
        (Gem(values=(1.0, 2.0)), "values must be 4 numbers"),
        (Gem(values=(1.0, 2.0, 3.0, float("nan"))), "not a number"),
        (Gem(noises=(0.1, -0.1, 0.1, 0.1)), "noises must be 0 or more"),
        (Gem(gaps=(0.1, 0.1, 0.1, -1.0)), "gaps must be 0 or more"),
        (Gem(plies=0), "1 to 12"),
        (Gem(plies=13), "1 to 12"),
        (Gem(seed=-1), "seed must be 0"),
        (Gem(seed=2**63), "seed of Gem is out of range"),
    ],
)
def test_bad_parameters_are_refused(game, reason):
    with pytest.raises(InputError, match=reason):
        Position(game)


def test_the_game_text_parses_back():
    for game in (Gem(), Gem("twins", 3, 5), Gem("noise", values=(0.0, 1.0, 2.0, 3.0))):
        assert parse_game(game_text(game)) == game


def test_board_and_drawing_show_the_hidden_values():
    here = position("gem").play_all("A b")
    assert str(here) == "hidden values: A +0.35  B +0.10  C +0.60  D -0.20\nplayed: A b"
    picture = here.svg()
    assert picture.count("stroke-dasharray") == 1  # around the gem
    assert picture.count('r="30"') == 1  # the move played
    assert "played: A b" in picture
