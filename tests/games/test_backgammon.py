"""Backgammon against OpenSpiel, GNU Backgammon's plays and exact bear-off numbers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from functools import cache, lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import MCTS, IllegalAction, InputError, position
from ponder.core.draw import LAST
from ponder.core.game import new_states
from ponder.core.rng import new_rng
from ponder.games.backgammon import Backgammon
from ponder.games.backgammon.drawing import centre
from ponder.games.backgammon.game import MAX_ACTIONS, MAX_TURNS
from ponder.games.backgammon.text import steps

# ------------------------------------------------------------------ OpenSpiel, step by step
#
# OpenSpiel's points are 0 to 23 in the counting of o, who moves down; x moves up. An action is
# 26 * second + first (+ 676 if the lower die goes first); 24 is the bar, 25 no move.


def their_board(state):
    """(x's checkers, o's checkers) by place, as we count them, read from OpenSpiel's tensor."""
    x = state.observation_tensor(0)
    sides = []
    for side in (0, 1):
        counts = [0] * 26
        for point in range(24):
            units = x[4 * (24 * side + point) : 4 * (24 * side + point) + 4]
            count = int(units[0] + 2 * units[1] + 3 * units[2] + (units[3] + 3) * (units[3] > 0))
            counts[24 - point if side == 0 else point + 1] = count
        sides.append(counts)
    bar, off = (x[192], x[195]), (x[193], x[196])
    for side in (0, 1):
        sides[side][25], sides[side][0] = int(bar[side]), int(off[side])
    return tuple(map(tuple, sides))


def our_board(p):
    return tuple(map(tuple, p.raw_state["checkers"][0].tolist()))


def their_moves(action, player, high, low):
    """The (place, target) moves of OpenSpiel's action, in its order."""
    low_first, action = divmod(action, 676)
    dice = (low, high) if low_first else (high, low)
    moves = []
    for digit, die in zip((action % 26, action // 26), dice, strict=True):
        if digit == 24:
            moves.append((25, 25 - die))
        elif digit < 24:
            place = 24 - digit if player == 0 else digit + 1
            moves.append((place, place - die))
    return moves


def result(board, player, moves):
    """What (place, target) moves do: own checkers changed, blots hit. Equal for equal results."""
    change, hits = {}, set()
    for place, end in moves:
        target = max(end, 0)
        change[place] = change.get(place, 0) - 1
        change[target] = change.get(target, 0) + 1
        if target and board[1 - player][25 - target] == 1:
            hits.add(target)
    return frozenset((p, n) for p, n in change.items() if n), frozenset(hits)


def our_moves(action, high, low):
    """The (place, target) moves of our action, in any order."""
    p, q = divmod(action, 26)
    return [(place, place - die) for place, die in ((p, high), (q, low)) if place]


@lru_cache
def their_outcomes(first, theirs, ours):
    """OpenSpiel's outcome for each of ours, after the chances have been compared.

    OpenSpiel has 36 ordered rolls where we have 21; of the 30 first rolls, its even ones let x
    begin. Both give the two dice of a roll one after the other: 12, 21, 13, 31 ... 65, 11 ... 66.
    """
    ordered = [(i, j) for i in range(6) for j in range(i + 1, 6)]
    dice = [roll for low, high in ordered for roll in ((low, high), (high, low))]
    dice += [(i, i) for i in range(6)]
    chances, outcomes = defaultdict(float), {}
    for outcome, p in theirs:
        high, low = max(dice[outcome]), min(dice[outcome])
        name = 6 * low + high if first and outcome % 2 else 6 * high + low
        chances[name] += p
        outcomes[name] = outcome
    assert dict(ours) == pytest.approx(chances)
    return outcomes


def compare_game(game, start, rng):
    """One random game in both programs; returns the number of steps."""
    ours, theirs, count = start, game.new_initial_state(), 0
    while True:
        count += 1
        board = our_board(ours)
        assert board == their_board(theirs), str(ours)
        assert ours.is_terminal == theirs.is_terminal(), str(ours)
        if ours.is_terminal:
            assert list(ours.returns) == theirs.returns(), str(ours)
            return count
        player = ours.current_player
        assert player == theirs.current_player(), str(ours)
        if ours.is_chance:
            chances = ours.chance_outcomes
            outcomes = their_outcomes(count == 1, tuple(theirs.chance_outcomes()), chances)
            (roll,) = rng.choices(ours.legal_actions, [p for _, p in chances])
            ours = ours.play(roll)
            theirs.apply_action(outcomes[roll])
            high, low = ours.raw_state["high"][0], ours.raw_state["low"][0]
            high, low = int(high), int(low)
            continue
        legal = {result(board, player, our_moves(a, high, low)): a for a in ours.legal_actions}
        assert len(legal) == len(ours.legal_actions), f"a position twice in\n{ours}"
        results = {
            result(board, player, their_moves(a, player, high, low)): a
            for a in theirs.legal_actions()
        }
        assert legal.keys() == results.keys(), str(ours)
        choice = rng.choice(list(legal))
        ours = ours.play(legal[choice])
        theirs.apply_action(results[choice])


@pytest.mark.parametrize(
    ("scoring", "theirs", "games"),
    [(3, "full_scoring", 300), (2, "enable_gammons", 100), (1, "winloss_scoring", 100)],
)
def test_rules_agree_with_openspiel_at_every_step(scoring, theirs, games):
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(f"backgammon(scoring_type={theirs})")
    rng = random.Random(scoring)
    start = position(f"backgammon(scoring={scoring})")
    assert sum(compare_game(game, start, rng) for _ in range(games)) > 150 * games


# ------------------------------------------------------------------ GNU Backgammon


def test_opening_plays_reach_as_many_positions_as_gnu_backgammon_lists(corpora):
    listed = defaultdict(list)
    for line in (corpora / "backgammon/gnubg_start_position_plays.tsv").read_text().splitlines():
        if not line.startswith("#"):
            roll, _, play, *_ = line.split("\t")
            listed["".join(sorted(roll, reverse=True))].append(play)
    assert len(listed) == 21
    opening = position("backgammon").text()[:-1]
    for roll, plays in listed.items():
        p = position("backgammon", opening + f"x {roll}")
        ends = {p.play(a) for a in p.legal_actions}
        if roll[0] == roll[1]:
            ends = {q.play(a).key for q in ends for a in q.legal_actions}
        assert len(ends) == len(plays), roll
        if roll[0] != roll[1]:  # their notation is ours
            assert {p.parse_action(play) for play in plays} == set(p.legal_actions)


# ------------------------------------------------------------------ the rules one by one


def names(text):
    return set(position("backgammon", text).legal_names)


@pytest.mark.parametrize(
    ("text", "plays"),
    [
        # both dice if possible: after 20/14 the five would be shut out
        ("x 24:1 20:1 / o 16:2 10:2 6:2 / x 65", {"24/13"}),
        # either die alone, but not both: the higher one
        ("x 20:1 / o 16:2 / x 65", {"20/14"}),
        # only the lower one can be played
        ("x 20:1 / o 16:2 11:2 / x 65", {"20/15"}),
        ("x 20:1 / o 11:2 10:2 / x 65", {"pass"}),
        # the bar comes first
        ("x bar:1 6:2 / o 20:2 / x 61", {"bar/18"}),
        ("x bar:2 6:2 / o 6:2 / x 61", {"bar/24"}),
        ("x bar:2 6:2 / o 6:2 1:2 / x 61", {"pass"}),
        ("x bar:2 6:2 / o 7:2 / x 61", {"bar/24 bar/19"}),
        ("x bar:3 6:2 / o 7:2 / x 66", {"bar/19(2)"}),
        ("x bar:3 6:2 / o 6:2 / o 66", {"6/off(2)"}),
        # a larger die bears off from the highest point only
        ("x 5:1 3:1 / o 1:2 / x 64", {"5/off 3/off", "5/1 3/off"}),
        ("x 6:1 4:1 / o 1:2 / x 42", {"6/off", "6/2 4/2"}),
        ("x 7:1 2:1 / o 1:2 / x 61", {"7/off", "7/1 2/1"}),
        ("x 7:1 6:1 1:1 / o 1:2 / x 61", {"7/off", "7/1 6/5"}),
        ("x 1:1 / o 1:2 / x 65", {"1/off"}),
        # hits, and a run that hits on the way or not
        ("x 13:1 / o 15:1 1:1 / x 32", {"13/10*/8", "13/8"}),
        ("x 8:1 6:1 / o 20:1 / x 31", {"8/5* 6/5", "8/4", "8/5*/4", "8/7 6/3", "6/2", "6/5*/2"}),
    ],
)
def test_plays_are_those_of_the_rules(text, plays):
    assert names(text) == plays


def test_a_double_is_two_actions_of_two_moves():
    p = position("backgammon").play("31").play("8/5 6/5").play("66")
    p = p.play("24/18(2)")
    assert p.current_player == 1
    p = p.play("13/7(2)")
    assert p.is_chance
    assert our_board(p)[1][7] == 2


def test_a_double_of_which_one_move_can_be_made_ends_the_turn():
    p = position("backgammon", "x 8:1 / o 23:2 / x 33").play("8/5")
    assert p.is_chance
    assert p.text() == "x 5:1 / o 23:2 / o / turn 1"


@pytest.mark.parametrize(
    ("loser", "values"),
    [
        ("6:14", (1, 1, 1)),
        ("10:15", (1, 2, 2)),
        ("19:1 6:14", (1, 2, 3)),
        ("bar:1 6:14", (1, 2, 3)),
    ],
)
def test_gammons_and_backgammons_count_as_the_parameter_says(loser, values):
    for scoring, value in zip((1, 2, 3), values, strict=True):
        game = f"backgammon(scoring={scoring})"
        p = position(game, f"x {loser} / o 1:1 / o 21").play("1/off")
        assert p.returns == (-value, value)
        assert position(game, p.text()) == p


def test_other_scorings_are_refused():
    with pytest.raises(InputError, match="scoring must be 1"):
        position("backgammon(scoring=4)")


def test_a_game_without_end_is_a_draw():
    game = Backgammon()
    s = new_states(game.spec().state, 1)[0]
    game.parse_position(f"x 20:1 / o 11:2 10:2 / x 65 / turn {MAX_TURNS - 1}", s)
    assert not game.is_terminal(s)
    game.apply_action(s, 0)
    out = np.ones(2)
    game.returns(s, out)
    assert game.is_terminal(s)
    assert out.tolist() == [0.0, 0.0]


# ------------------------------------------------------------------ exact numbers of races


@cache
def best(p):
    """The value of the race to x, by plain expectimax over the rules."""
    if p.is_terminal:
        return p.returns[0]
    if p.is_chance:
        return sum(chance * best(p.play(a)) for a, chance in p.chance_outcomes)
    values = [best(p.play(a)) for a in p.legal_actions]
    return max(values) if p.current_player == 0 else min(values)


@pytest.mark.parametrize(
    ("x", "o", "wins"),
    [
        ("6:1", "1:1", 3 / 4),
        ("6:2", "1:1", 1 / 9),
        ("6:1 5:1", "6:1 5:1", 0.7720022146),
        ("6:1 2:1", "6:1 2:1", 79945 / 104976),
        ("6:1 4:1", "2:1 1:2", 2101 / 2592),
    ],
)
def test_races_are_won_as_often_as_exact_tables_say(x, o, wins):
    value = best(position("backgammon(scoring=1)", f"x {x} / o {o} / x"))
    assert (value + 1) / 2 == pytest.approx(wins, abs=1e-9)


# ------------------------------------------------------------------ hooks


def random_positions(n, seed):
    """Positions in which a player is to move, from random games."""
    rng = random.Random(seed)
    found = []
    while len(found) < n:
        p = position("backgammon")
        while not p.is_terminal:
            if not p.is_chance:
                found.append(p)
            p = p.play(rng.choice(p.legal_actions))
    return rng.sample(found, n)


def test_random_actions_are_uniform_over_the_legal_ones():
    from scipy import stats

    game, out = Backgammon(), np.zeros(MAX_ACTIONS, np.int32)
    special = [
        "x 24:2 13:5 8:3 6:5 / o 24:2 13:5 8:3 6:5 / x 31",
        "x 24:2 13:5 8:3 6:5 / o 24:2 13:5 8:3 6:5 / o 11",
        "x 13:1 9:2 / o 15:1 14:1 / x 32",
        "x bar:1 6:2 8:3 / o 20:1 / x 61",
        "x 7:1 6:2 5:1 2:3 / o 1:2 / x 52",
    ]
    positions = [position("backgammon", text) for text in special] + random_positions(60, 5)
    rng, least = new_rng(3), 1.0
    for p in positions:
        s, legal = p.raw_state[0], p.legal_actions
        draws = [int(game.random_action(s, out, rng)) for _ in range(40 * len(legal))]
        counts = [draws.count(a) for a in legal]
        assert sum(counts) == len(draws), f"an illegal action in\n{p}"
        if len(legal) > 1:
            least = min(least, stats.chisquare(counts).pvalue)
    assert least > 1e-4  # 65 tests: by chance about once in 150 seeds; the seed is fixed


def test_plain_python_and_compiled_rules_agree():
    game = Backgammon()
    out, chances = np.zeros(MAX_ACTIONS, np.int32), np.zeros(MAX_ACTIONS)
    rng = random.Random(8)
    for _ in range(5):
        p = position("backgammon")
        states = new_states(game.spec().state, 1)
        s = states[0]
        game.start(s)
        while not p.is_terminal:
            assert not game.is_terminal(s)
            assert game.current_player(s) == p.current_player
            n = game.chance_outcomes(s, out, chances) if p.is_chance else game.legal_actions(s, out)
            assert tuple(out[:n].tolist()) == p.legal_actions
            action = rng.choice(p.legal_actions)
            p = p.play(action)
            game.apply_action(s, action)
            assert states.tobytes() == p.raw_state.tobytes()
            assert int(game.key(s)) == p.key
        assert game.is_terminal(s)


LOG = """
import random
from ponder import position
rng, p, log = random.Random(5), position("backgammon"), []
while not p.is_terminal:
    p = p.play(rng.choice(p.legal_actions))
    log.append((p.legal_actions, p.chance_outcomes, p.rules.evaluate(p.raw_state), p.key))
print(log, p.returns)
"""


def test_a_game_in_plain_mode_is_the_same_to_the_last_bit():
    logs = []
    for plain in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": plain}
        command = [sys.executable, "-W", "error", "-c", LOG]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        logs.append(run.stdout)
    assert len(logs[0]) > 10000
    assert logs[0] == logs[1]


def test_the_estimate_is_antisymmetric_and_in_range():
    for p in random_positions(200, 6):
        x, o = p.rules.evaluate(p.raw_state)
        assert x == -o
        assert abs(x) < 2.0


def test_the_estimate_beats_random_play():
    rng = random.Random(2)
    won = 0
    for number in range(24):
        greedy, p = number % 2, position("backgammon(scoring=1)")
        while not p.is_terminal:
            if p.is_chance:
                (action,) = rng.choices(p.legal_actions, [c for _, c in p.chance_outcomes])
            elif p.current_player == greedy:
                action = max(
                    p.legal_actions,
                    key=lambda a, p=p: p.rules.evaluate(p.play(a).raw_state)[p.current_player],
                )
            else:
                action = rng.choice(p.legal_actions)
            p = p.play(action)
        won += p.returns[greedy] > 0
    assert won >= 23


def test_the_default_search_finds_a_legal_play():
    p = position("backgammon").play("31")
    result = MCTS().search(p, simulations=2000, seed=1)
    assert result.action in p.legal_actions
    assert all(-3 <= value <= 3 for value in result.values)


# ------------------------------------------------------------------ text and drawing


def test_names_are_unique_and_parse_back():
    for p in random_positions(400, 7):
        assert len(set(p.legal_names)) == len(p.legal_actions)
        for a in p.legal_actions:
            assert p.parse_action(p.action_name(a)) == a


def test_plays_may_be_written_in_other_ways():
    p = position("backgammon").play("31")
    wanted = p.parse_action("8/5 6/5")
    for text in ("6/5 8/5", "6/5+8/5", " 8/5  6/5 ", "8/5* 6/5"):
        assert p.parse_action(text) == wanted
    assert p.parse_action("24/23/20") == p.parse_action("24/20")
    assert position("backgammon").play_all("13 8/5+6/5 12").current_player == 0
    with pytest.raises(IllegalAction, match="8/4 6/5"):
        p.play("8/4 6/5")


def test_a_run_that_could_hit_in_two_ways_must_say_which():
    p = position("backgammon", "x 13:1 / o 15:1 14:1 / x 32")
    assert set(p.legal_names) == {"13/10*/8", "13/11*/8"}
    assert p.action_name(p.parse_action("13/11/8")) == "13/11*/8"
    with pytest.raises(IllegalAction):
        p.play("13/8")


def test_plays_of_two_words_are_read_between_commas_or_joined():
    start = position("backgammon")
    p = start.play("31").play("8/5 6/5").play("52").play("13/8 13/11")
    assert start.play_all("31, 8/5 6/5, 52, 13/8 13/11") == p
    assert start.play_all("31 8/5+6/5 52 13/8+13/11") == p
    assert start.play("31").play_all("8/5+6/5 52, 13/11 13/8") == p
    with pytest.raises(IllegalAction, match=r"move 2: .*legal: .*8/5 6/5, "):
        start.play_all("31, 8/5 6/6")


def test_plays_of_two_words_are_listed_with_commas():
    p = position("backgammon", "x 6:2 / o 6:2 / x 21")
    assert p.legal_text() == "6/3, 6/5 6/4"
    assert p.legal_text(1) == "6/3, ..."
    with pytest.raises(IllegalAction, match="legal: 6/3, 6/5 6/4"):
        p.play("7/5")


def test_every_position_of_random_games_parses_back():
    rng = random.Random(4)
    for _ in range(10):
        p = position("backgammon")
        while True:
            again = position("backgammon", p.text())
            assert again == p
            assert again.raw_state.tobytes() == p.raw_state.tobytes()
            if p.is_terminal:
                break
            p = p.play(rng.choice(p.legal_actions))


places = st.lists(st.sampled_from([*range(1, 25), 25]), max_size=15)


@settings(max_examples=500, deadline=None)
@given(
    places, places, st.sampled_from(["x", "o", "x 31", "o 66", "x 22 half"]), st.integers(0, 999)
)
def test_every_arrangement_that_is_accepted_prints_and_parses_back(x, o, turn, turns):
    def side(where):
        return " ".join(f"{'bar' if w == 25 else w}:{where.count(w)}" for w in sorted(set(where)))

    try:
        p = position("backgammon", f"x {side(x)} / o {side(o)} / {turn} / turn {turns}")
    except InputError:
        clash = any(25 - w in o for w in x if w != 25)
        assert clash or not x or not o
        return
    again = position("backgammon", p.text())
    assert again.raw_state.tobytes() == p.raw_state.tobytes()
    assert p.is_terminal or p.legal_actions


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.text(max_size=60), st.text("xo-bar/:0123456789 turnhalf", max_size=60)))
def test_any_other_text_is_refused_in_one_line_or_read_as_it_is_written(text):
    game = Backgammon()
    states = new_states(game.spec().state, 2)
    try:
        game.parse_position(text, states[0])
    except InputError as refusal:
        assert str(refusal).isprintable()  # noqa: PT017 - most texts are refused, not all
    else:
        game.parse_position(game.position_text(states[0]), states[1])
        assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x 6:1", "is not a position"),
        ("x 6:1 / o 25:1 / x", "not point:checkers"),
        ("x 6:0 / o 1:1 / x", "not point:checkers"),
        ("x 6:1 6:2 / o 1:1 / x", "twice"),
        ("x 6:16 / o 1:1 / x", "16 checkers"),
        ("x 6:1 / o 19:1 / x", "same point"),
        ("x / o / x", "both cannot"),
        ("x / o 1:1 / x", "has won"),
        ("x / o 1:1 / o 21", "has won"),
        ("x 6:1 / o 1:1 / z", "whose turn"),
        ("x 6:1 / o 1:1 / x 70", "whose turn"),
        ("x 6:1 / o 1:1 / x 31 half", "whose turn"),
        ("x 6:1 / o 1:1 / -", "start position only"),
        ("x 6:1 / o 1:1 / x / turn 1001", "number of turns"),
        ("x 6:1 / o 1:1 / x 21 / turn 1000", "no dice"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError, match=complaint):
        position("backgammon", text)


def test_the_drawing_shows_checkers_dice_and_legal_points():
    p = position("backgammon", "x bar:1 13:7 / o 24:2 / x 31")
    picture = ET.fromstring(p.svg())
    kinds = [part.tag.rpartition("}")[2] for part in picture.iter()]
    assert kinds.count("polygon") == 24
    # 1 on the bar, 5 and a number on 13, 2 of o, and one mark for each place to move from
    starts = {step[0] for a in p.legal_actions for step in steps(p.state, a)}
    assert kinds.count("circle") == 1 + 5 + 2 + len(starts)
    words = [part.text for part in picture.iter() if part.tag.endswith("text")]
    assert "7" in words
    assert "x to play 31" in words
    assert position("backgammon").svg().startswith("<svg")


def rings(p):
    """The rings that mark the last play: (x, y, radius)."""
    circles = ET.fromstring(p.svg()).iter("{http://www.w3.org/2000/svg}circle")
    return [
        tuple(float(c.get(k)) for k in ("cx", "cy", "r"))
        for c in circles
        if c.get("fill") == "none"
    ]


def test_the_drawing_marks_what_the_last_player_did():
    rolled = position("backgammon").play("31")
    assert rings(rolled) == []
    assert rolled.svg().count(f'stroke="{LAST}"') == 2  # the dice
    marks = rings(rolled.play("8/5 6/5"))
    assert [r for *_, r in marks] == [6, 6, 17, 17]
    left, reached = marks[:2], marks[2:]
    assert {x for x, *_ in left} == {centre(6), centre(8)}
    assert {x for x, *_ in reached} == {centre(5)}
    run = rings(position("backgammon").play("64").play("24/14"))
    assert [(x, r) for x, _, r in run] == [(centre(24), 6), (centre(14), 17)]
    mirrored = rings(
        position("backgammon").play("46").play("24/14")
    )  # o counts from the other side
    assert [(x, r) for x, _, r in mirrored] == [(centre(1), 6), (centre(11), 17)]
    off = position("backgammon", "x 2:1 1:2 / o 1:1 / x 21").play("2/off 1/off")
    assert [r for *_, r in rings(off)] == [6, 6, 4, 4]
    assert rings(position("backgammon", rolled.play("8/5 6/5").text())) == []


def test_the_board_is_drawn_as_text():
    lines = str(position("backgammon").play("31")).splitlines()
    assert lines[1] == "|  x  .  .  .  o  .|   |  o  .  .  .  .  x|"
    assert lines[-1] == "x bar 0 off 0, o bar 0 off 0; x to play 31"
