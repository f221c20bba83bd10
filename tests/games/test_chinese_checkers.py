"""Chinese checkers against OpenSpiel, against walks on the star, and its texts."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts, check_symmetries, order_of
from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint, walk
from ponder import MCTS, InputError, perft, position
from ponder.core.rng import new_rng
from ponder.games.chinese_checkers.star import (
    GOAL_SUM,
    HOLE_AT,
    HOME_SUM,
    LONGEST_TURN,
    NAMES,
    PLACES,
    TIPS,
    corner,
    distance,
    tables,
)
from ponder.jit import kernel

START = position("chinese_checkers")
PLAYERS = (2, 3, 4, 6)
EMPTY = [
    ".".join([""] * (n + 1)) for n in (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
]


def game(players, horizon=1000):
    return f"chinese_checkers(players={players}, horizon={horizon})"


def board(pieces, ending):
    """A position from the holes of every symbol, such as {"1": "a1 b1"}."""
    cells = {name: symbol for symbol, names in pieces.items() for name in names.split()}
    rows = [
        "".join(cells.get(f"{'abcdefghijklmnopq'[r]}{i + 1}", ".") for i in range(len(row)))
        for r, row in enumerate(EMPTY)
    ]
    return "/".join(rows) + f" {ending}"


def forward(here, rng):
    """The best of eight random moves: such games come to an end."""
    rules, s = here.rules.part, here.raw_state[0]
    return max(rng.choices(here.legal_actions, k=8), key=lambda a: rules.order(s, a))


# ------------------------------------------------------------ OpenSpiel


@pytest.mark.parametrize(
    ("players", "games", "horizon"),
    [(2, 500, 200), (2, 10, 1000), (3, 60, 150), (4, 60, 150), (6, 60, 150)],
)
def test_rules_agree_with_openspiel_at_every_step(players, games, horizon):
    steps = compare_with_openspiel(
        position(game(players, horizon)),
        f"chinese_checkers(players={players},max_moves={horizon})",
        games,
        returns=lambda theirs: [r / (players - 1) for r in theirs],
        seed=players,
    )
    assert steps > games * horizon * 1.02  # chains of hops take more than one action


@pytest.mark.parametrize("players", PLAYERS)
def test_games_that_are_won_agree_with_openspiel(players):
    ends = Counter()

    def returns(theirs):
        ends[theirs.index(max(theirs)) if any(theirs) else "draw"] += 1
        return [r / (players - 1) for r in theirs]

    compare_with_openspiel(
        position(game(players)),
        f"chinese_checkers(players={players})",
        12,
        returns=returns,
        choose=forward,
        seed=3,
    )
    assert sum(n for who, n in ends.items() if who != "draw") >= 10
    assert len(ends) > 1


def test_perft_agrees_with_openspiel():
    pyspiel = pytest.importorskip("pyspiel")

    def count(state, depth):
        if depth == 0:
            return 1
        return sum(count(state.child(a), depth - 1) for a in state.legal_actions())

    for players in PLAYERS:
        state = pyspiel.load_game(f"chinese_checkers(players={players})").new_initial_state()
        for depth in (1, 2, 3) if players == 2 else (1, 2):
            assert perft(position(game(players)), depth) == count(state, depth)


# ------------------------------------------------------------ the star


def test_the_star_is_a_star():
    assert len(PLACES) == len(set(PLACES)) == len(set(NAMES)) == 121
    near = tables(2).near.reshape(121, 6).tolist()
    pairs = {(a, b) for a, row in enumerate(near) for b in row if b < 121}
    assert all((b, a) in pairs for a, b in pairs)
    assert pairs == {
        (a, b) for a in range(121) for b in range(121) if distance(PLACES[a], PLACES[b]) == 1
    }
    holes = [hole for number in range(6) for hole in corner(number)]
    assert len(holes) == len(set(holes)) == 60


def test_distances_are_those_of_a_walk():
    near = tables(2).near.reshape(121, 6).tolist()
    for tip in TIPS:
        layer, known, steps = {HOLE_AT[tip]}, {HOLE_AT[tip]: 0}, 0
        while layer:
            layer = {b for a in layer for b in near[a] if b < 121 and b not in known}
            steps += 1
            known.update(dict.fromkeys(layer, steps))
        assert known == {h: distance(PLACES[h], tip) for h in range(121)}


def test_only_the_goal_is_as_near_as_the_goal():
    ways = sorted(distance(place, TIPS[3]) for place in PLACES)
    assert sum(ways[:10]) == GOAL_SUM
    assert ways[10] > ways[9]
    assert sum(ways[-10:]) == HOME_SUM
    assert START.state.left.tolist() == [HOME_SUM, HOME_SUM]


def test_no_turn_is_longer_than_promised():
    """Holes joined by hops, and the largest such set."""
    far = tables(2).far.reshape(121, 6).tolist()
    sizes = set()
    for hole in range(121):
        reached, layer = {hole}, {hole}
        while layer:
            layer = {b for a in layer for b in far[a] if b < 121} - reached
            reached |= layer
        sizes.add(len(reached))
    assert max(sizes) - 1 == LONGEST_TURN


# ------------------------------------------------------------ rules by hand


def test_a_chain_goes_on_hop_by_hop_and_ends_by_passing_or_by_itself():
    text = board({"1": "i1 a1 b1 b2 c1 c2 c3 d1 d2 d3", "2": "i2 i4 n1 n2 n3 n4 o1 o2 o3 q1"}, 0)
    here = position("chinese_checkers", text).play("i1-i3")
    assert here.current_player == 0
    assert here.legal_names == ("i3-i5", "pass")
    assert here.text().split()[1:] == ["0", "i3,i1"]
    assert here.play("pass").current_player == 1
    assert here.play("i3-i5").current_player == 1  # nothing to hop over: the turn is over


def test_no_hole_is_entered_twice_in_a_chain():
    # Three pieces around which one could hop forever: i1 -> i3 -> k3 -> i1 is closed.
    text = board({"1": "i3 a1 b1 b2 c1 c2 c3 d1 d2 d3", "2": "i4 j5 j4 n1 n2 n3 n4 o1 o2 o3"}, 0)
    here = position("chinese_checkers", text).play("i3-i5")
    entered = ["i3", "i5"]
    while here.current_player == 0:
        (move,) = [name for name in here.legal_names if name != "pass"]
        entered.append(move.split("-")[1])
        here = here.play(move)
    assert entered == ["i3", "i5", "k5"]


def test_a_walled_in_player_passes():
    # All of 1 in its corner, and the two rows before it taken by 2 and 3.
    pieces = {
        "1": "a1 b1 b2 c1 c2 c3 d1 d2 d3 d4",
        "2": "e5 e6 e7 e8 e9 f5 f6 f7 f8 f9",
        "3": "m1 m2 m3 m4 l1 l2 l3 k1 k2 f4",
    }
    here = position(game(3), board(pieces, 0))
    assert here.legal_names == ("pass",)
    after = here.play("pass")
    assert (after.current_player, after.state.turns) == (1, 1)
    pieces["3"] = pieces["3"].replace("f4", "f3")
    assert position(game(3), board(pieces, 0)).legal_names == ("d1-f4",)


def test_filling_the_goal_wins_and_the_horizon_draws():
    pieces = {"1": "q1 p1 p2 o1 o2 o3 n1 n2 n3 m8", "2": "a1 b1 b2 c1 c2 c3 d1 d2 d3 i5"}
    here = position("chinese_checkers", board(pieces, 60))
    assert here.play("m8-m9").is_terminal is False
    won = here.play("m8-n4")
    assert won.returns == (1.0, -1.0)
    assert "1 has won" in str(won)
    late = position("chinese_checkers", board(pieces, 998))
    assert late.play_all("m8-m7 i5-i6").returns == (0.0, 0.0)
    assert late.play("m8-n4").returns == (1.0, -1.0)


def test_with_more_players_the_loss_is_shared():
    pieces = {
        "1": "q1 p1 p2 o1 o2 o3 n1 n2 n3 m8",
        "2": "i1 i2 i3 i4 h1 h2 h3 h4 g1 g2",
        "3": "a1 b1 b2 c1 c2 c3 d1 d2 d3 d4",
    }
    assert position(game(3), board(pieces, 60)).play("m8-n4").returns == (1.0, -0.5, -0.5)


# ------------------------------------------------------------ hooks


@pytest.mark.parametrize("players", PLAYERS)
def test_plain_rules_equal_compiled_rules(players):
    assert compare_plain_with_compiled(position(game(players, 60)), 3) > 3 * 60


def test_random_actions_are_uniform():
    long = walk(position(game(2, 60)), 5)
    assert_uniform(long[40])
    chain = next(here for here in long if here.state.hopping >= 0)
    assert_uniform(chain)


def test_two_players_have_a_mirror_and_more_have_none():
    assert START.rules.part.symmetries() == 2
    check_symmetries(position(game(2, 60)), 3)
    for players in (3, 4, 6):
        assert position(game(players)).rules.part.symmetries() == 1


def test_the_record_knows_pieces_and_ways_at_every_step():
    for players in PLAYERS:
        goals = [
            TIPS[(h + 3) % 6]
            for h in {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4)}.get(players, range(6))
        ]
        for here in walk(position(game(players, 40)), players):
            s = here.state
            for p in range(players):
                holes = [h for h in range(121) if s.cells[h] == p + 1]
                assert s.pieces[10 * p : 10 * p + 10].tolist() == holes
                assert s.left[p] == sum(distance(PLACES[h], goals[p]) for h in holes)


def test_estimates_are_expected_utilities():
    for players in PLAYERS:
        for here in walk(position(game(players, 60)), 1)[:-1:7]:
            values = here.rules.evaluate(here.raw_state)
            assert sum(values) == pytest.approx(0.0, abs=1e-12)
            assert all(-1 / (players - 1) <= v <= 1 for v in values)
    # ten steps ahead of one other: chances 1 : exp(-1), so 2 / (1 + exp(-1)) - 1
    s = START.raw_state.copy()
    s[0].left[0] -= 10
    assert START.rules.evaluate(s)[0] == pytest.approx(2 / (1 + np.exp(-1)) - 1)
    assert START.rules.evaluate(START.raw_state) == (0.0, 0.0)


def test_moves_towards_the_goal_come_first():
    assert order_of(START)["c1-e5"] == 2
    assert order_of(START)["d1-e5"] == 1
    assert set(order_of(walk(START, 2)[40]).values()) >= {-1, 0, 1}


@kernel
def _policy_game(rules, states, out, rng):
    while not rules.is_terminal(states[0]):
        rules.apply_action(states[0], rules.rollout_action(states[0], out, rng))
    return states[0].winner


def test_the_default_policy_comes_to_an_end_and_is_fair():
    """100 games; nearly all are won, by both players."""
    rng, out, wins = new_rng(1), np.zeros(60, np.int32), Counter()
    for _ in range(100):
        wins[_policy_game(START.rules.part, START.raw_state.copy(), out, rng)] += 1
    assert wins[-1] <= 5
    assert min(wins[0], wins[1]) >= 25


def test_the_default_search_works():
    start = position(game(2, 100))
    result = MCTS().search(start, simulations=2000, seed=1)
    assert result.action in start.legal_actions
    assert all(-1 <= row.value <= 1 for row in result.moves)


def test_the_search_wins_where_one_step_wins():
    pieces = {"1": "q1 p1 p2 o1 o2 o3 n1 n2 n3 m8", "2": "a1 b1 b2 c1 c2 c3 d1 d2 d3 i5"}
    here = position(game(2, 100), board(pieces, 90))
    assert here.action_name(MCTS().search(here, simulations=2000, seed=1).action) == "m8-n4"


# ------------------------------------------------------------ texts and drawing


@pytest.mark.parametrize("players", PLAYERS)
def test_every_position_of_random_games_parses_back(players):
    check_position_texts(position(game(players, 60)), 2)


@given(st.sampled_from(PLAYERS), st.lists(st.integers(0, 999), max_size=60))
def test_every_printed_position_parses_back(players, choices):
    here = position(game(players))
    for choice in choices:
        here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = position(game(players), here.text())
    assert again == here
    assert again.facts == here.facts
    assert again.raw_state.tobytes() == here.raw_state.tobytes()


@settings(max_examples=300)
@given(
    st.one_of(st.text(min_size=1), st.text("12./ 0ae,", min_size=1)),
    st.sampled_from(["", START.text().split()[0] + " "]),
    st.sampled_from(["", " 0", " 3 e5,c1"]),
)
def test_any_other_text_is_refused_in_one_line(text, before, after):
    assert "\n" not in complaint("chinese_checkers", before + text + after)


@given(st.data())
def test_shuffled_boards_are_positions_or_refused_in_one_line(data):
    """Ten pieces each anywhere, any turn, any two holes of a chain."""
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    holes = rng.sample(NAMES, 20)
    text = board({"1": " ".join(holes[:10]), "2": " ".join(holes[10:])}, rng.randrange(1002))
    if rng.random() < 0.7:
        text += " " + ",".join([rng.choice(holes), *rng.sample(NAMES, rng.randrange(1, 4))])
    reason = complaint("chinese_checkers", text)
    assert "\n" not in reason
    if not reason:
        here = position("chinese_checkers", text)
        assert position("chinese_checkers", here.text()) == here


ROWS = START.text().split()[0]
WON = board({"1": "q1 p1 p2 o1 o2 o3 n1 n2 n3 n4", "2": "i1 i2 i3 i4 i5 i6 i7 i8 i9 h1"}, 1)
CHAIN = START.play("c1-e5").text().split()[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ROWS, "17 rows"),
        (ROWS + " 0 e5,c1 0", "17 rows"),
        (ROWS[2:] + " 0", "17 rows of 1 2 3 4 13"),
        (ROWS + "/. 0", "17 rows of 1 2 3 4 13"),
        (ROWS.replace("1", "x", 1) + " 0", "unknown hole 'x'"),
        (ROWS.replace("1", "3", 1) + " 0", "unknown hole '3'"),
        (ROWS.replace("1", ".", 1) + " 0", "1 has 9"),
        (ROWS + " 1001", "from 0 to 1000"),
        (ROWS + " -1", "from 0 to 1000"),
        (ROWS + " 99999999999999999999", "from 0 to 1000"),
        (ROWS + " ٣", "from 0 to 1000"),
        (ROWS + " 0 e5", "at least two holes"),
        (ROWS + " 0 d1,e5,e5", "none twice"),
        (ROWS + " 0 z9,e5", "unknown hole 'z9'"),
        (ROWS + " 0 e5,c1", "must hold a piece of 1"),
        (ROWS + " 0 d1,d2", "must be empty"),
        (ROWS + " 0 d1,e5", "two steps apart"),
        (CHAIN + " 0 e5,c1", "cannot go on"),
        (WON.replace(" 1", " 2"), "moved last"),
        (WON.replace(" 1", " 0"), "moved last"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("chinese_checkers", text)


def test_a_won_position_is_over():
    assert position("chinese_checkers", WON).returns == (1.0, -1.0)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [("players=5", "2, 3, 4 or 6"), ("players=1", "2, 3, 4 or 6"), ("horizon=0", "1 to 100000")],
)
def test_bad_parameters_are_refused(parameters, reason):
    with pytest.raises(InputError, match=reason):
        position(f"chinese_checkers({parameters})")


def test_the_drawing_has_holes_pieces_the_last_move_and_the_targets():
    start = position(game(6))
    picture = start.svg()
    assert picture.count('r="7"') == 61  # empty holes
    assert picture.count('r="12"') == 60  # pieces
    assert picture.count('stroke-width="3"') == 0
    targets = {name.split("-")[1] for name in start.legal_names}
    assert picture.count('r="5"') == len(targets)
    after = start.play("c1-e5").svg()
    assert after.count('stroke-width="3"') == 2  # the hole left, and its direction


def test_the_board_is_drawn_as_openspiel_draws_it():
    pyspiel = pytest.importorskip("pyspiel")
    for players in PLAYERS:
        theirs = pyspiel.load_game(f"chinese_checkers(players={players})").new_initial_state()
        ours = position(game(players))
        for _ in range(5):
            ours, a = ours.play(ours.legal_actions[0]), ours.legal_actions[0]
            theirs.apply_action(a)
        lines = [line[2:] for line in str(ours).splitlines()[:17]]
        assert lines == str(theirs).splitlines()[:17]
