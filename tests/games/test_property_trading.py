"""Property trading against a second program of its rules, and exact values of the village."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_checks import check_position_texts
from plain_rules import compare_plain_with_compiled, complaint
from ponder import MCTS, Expectiminimax, InputError, Position, position, value_iteration
from ponder.core.terms import explain
from ponder.games.property_trading.boards import (
    BACK,
    BOARDS,
    DECK,
    FERRY,
    FORWARD,
    MOST_MATES,
    STREET,
    mates,
)
from ponder.games.property_trading.game import PropertyTrading
from reference.property_trading import Table

pytestmark = pytest.mark.plain

VILLAGE = "property_trading(board=village, turns={})"


# ------------------------------------------------------------------ the rules, step by step


def compare_everything(here, table):
    s = here.raw_state[0]
    for trader in table.traders:
        p = trader.number
        assert s.cash[p] == trader.cash
        assert bool(s.out[p]) == (not trader.playing)
        if trader.playing:
            assert (s.place[p], s.held[p]) == (trader.place, trader.tries)
    for deed in table.deeds.values():
        assert s.owner[deed.number] == (deed.owner.number + 1 if deed.owner else 0)
        assert s.houses[deed.number] == (-1 if deed.mortgaged else deed.houses)


def a_game(here, rng, prefer):
    """One game in both programs; the kinds of choices and outcomes that were met."""
    table = Table(here.game.data(), here.players, here.game.turns)
    play, said, met = table.play(), None, []
    while True:
        try:
            who, choices = play.send(said)
        except StopIteration:
            break
        compare_everything(here, table)
        assert not here.is_terminal
        assert set(here.legal_names) == set(choices)
        assert here.is_chance == (who is None)
        if who is None:
            chances = {here.action_name(a): p for a, p in here.chance_outcomes}
            assert chances == pytest.approx({name: float(p) for name, p in choices.items()})
            names, weights = list(choices), list(choices.values())
            said = rng.choices(names, list(map(float, weights)))[0]
        else:
            assert here.current_player == who
            liked = [name for name in sorted(choices) if name.startswith(prefer)]
            pool = liked if liked and rng.random() < 0.8 else sorted(choices)
            said = rng.choice(pool)
        met.append(said.partition("-")[0])
        here = here.play(said)
    assert here.is_terminal
    assert here.raw_state["turns"][0] == table.over
    compare_everything(here, table)
    assert here.returns == pytest.approx(table.shares())
    return met, table


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("property_trading", 8),
        ("property_trading(players=4, turns=200)", 5),
        ("property_trading(board=village, turns=60)", 40),
        ("property_trading(board=village, players=3, turns=60)", 40),
    ],
)
def test_rules_agree_at_every_step_with_a_second_program(text, games):
    rng, met, dropped = random.Random(11), set(), 0
    for number in range(games):
        # builders, misers and those who do anything: so that all rules are met
        prefer = (("buy", "build", "redeem", "bid", "roll"), ("roll", "leave", "pass"), ())[
            number % 3
        ]
        seen, table = a_game(position(text), rng, prefer)
        met.update(seen)
        dropped += sum(not trader.playing for trader in table.traders)
    assert {"roll", "buy", "leave", "pass", "bid", "build", "mortgage", "gain", "go"} <= met
    if "village" in text:
        assert {"pay", "sell", "redeem", "repair"} <= met
        assert dropped > 0


# ------------------------------------------------------------------ exact values


def exact(set_up, history=()):
    """The value for player 0 under best play, by plain recursion that plays the second program
    again from the beginning for every line: nothing is remembered."""
    table, first = set_up()
    play, said = table.play(first), None
    for word in (*history, None):
        try:
            who, choices = play.send(said)
        except StopIteration:
            return table.shares()[0]
        said = word
    values = {name: exact(set_up, (*history, name)) for name in sorted(choices)}
    if who is None:
        return sum(float(p) * values[name] for name, p in choices.items())
    return max(values.values()) if who == 0 else min(values.values())


@pytest.mark.parametrize("turns", [2, 3])
def test_the_village_has_the_values_of_plain_recursion(turns):
    wanted = exact(lambda: (Table(BOARDS["village"], 2, turns), 0))
    assert abs(wanted) > 1e-3
    assert value_iteration(position(VILLAGE.format(turns))).value == pytest.approx(wanted, abs=1e-9)


def table_at(here):
    """The second program at a position in which a turn begins."""
    s, game = here.raw_state[0], here.game
    table = Table(game.data(), game.players, game.turns - int(s.turns))
    for p, trader in enumerate(table.traders):
        trader.cash, trader.place, trader.tries = int(s.cash[p]), int(s.place[p]), int(s.held[p])
    for i, deed in table.deeds.items():
        deed.owner = table.traders[s.owner[i] - 1] if s.owner[i] else None
        deed.houses, deed.mortgaged = max(0, int(s.houses[i])), s.houses[i] < 0
    table.pack = [card for card in table.pack if not int(s.drawn) >> card & 1]
    return table, int(s.player)


@pytest.mark.parametrize(
    "text",
    [
        "plan player 0 turn 7 cash 35-12 at 0-1 held 0-0 owned 1:0=0,3:0=0,2:1=0 drawn -",  # build
        "plan player 1 turn 7 cash 3-4 at 5-0 held 0-0 owned 1:0=3,3:0=3,2:1=0 drawn 0",  # debts
        "plan player 0 turn 7 cash 14-9 at 4-4 held 3-2 owned 1:1=m,3:1=0,2:0=m drawn 1,2",  # fines
    ],
)
def test_houses_debts_and_fines_have_the_values_of_plain_recursion(text):
    here = position(VILLAGE.format(9), text)
    wanted = exact(lambda: table_at(here))
    assert value_iteration(here).value == pytest.approx(wanted, abs=1e-9)
    mine = wanted if here.current_player == 0 else -wanted  # it speaks for who is to move
    assert Expectiminimax().search(here, depth=40).value == pytest.approx(mine, abs=1e-9)


def remembered(here, known):
    """The same over the game itself, each position once."""
    if here.is_terminal:
        return here.returns[0]
    if here not in known:
        after = [remembered(here.play(a), known) for a in here.legal_actions]
        if here.is_chance:
            known[here] = sum(p * v for (_, p), v in zip(here.chance_outcomes, after, strict=True))
        else:
            known[here] = max(after) if here.current_player == 0 else min(after)
    return known[here]


def test_searches_find_the_exact_value():
    start = position(VILLAGE.format(3))
    wanted = remembered(start, {})
    assert value_iteration(start).value == pytest.approx(wanted, abs=1e-9)
    offered = start.play("3")
    found = Expectiminimax().search(offered, depth=30)
    assert found.value == pytest.approx(remembered(offered, {}), abs=1e-9)


# ------------------------------------------------------------------ the boards


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_laid_out_as_the_rules_need_it(name):
    data = BOARDS[name]
    squares = data.squares
    size = len(squares)
    assert size % 4 == 0  # a ring
    for i, one in enumerate(squares):
        assert bool(one.group) == (one.kind in (STREET, FERRY))
        assert len(mates(data, i)) <= MOST_MATES
        assert one.price % 10 == 0
        assert one.cost % 2 == 0
    groups = {one.group: one for one in squares if one.kind == STREET}
    assert all(one.cost == groups[one.group].cost for one in squares if one.kind == STREET)
    assert squares[data.jail].name == "lockup"
    # one card a turn at most: no card leads to another
    for card in data.cards:
        if card.kind == FORWARD:
            assert squares[card.amount].kind != DECK
        if card.kind == BACK:
            backward = [i - card.amount for i, one in enumerate(squares) if one.kind == DECK]
            assert all(squares[i % size].kind != DECK for i in backward)
    assert len({one.name for one in squares if one.group}) == sum(bool(o.group) for o in squares)


def test_the_town_has_forty_squares():
    assert len(BOARDS["town"].squares) == 40
    assert sum(one.kind == STREET for one in BOARDS["town"].squares) == 22 + 1


# ------------------------------------------------------------------ the estimate


def test_the_estimate_is_the_share_of_wealth_and_of_rents_to_come():
    text = "throw player 0 turn 10 cash 30-10 at 0-0 held 0-0 owned 1:0=1,3:0=1,2:1=0 drawn -"
    here = position("property_trading(board=village, turns=20)", text)
    # each has one rival: rounds min(12, 10 / 2) = 5, to one of 8 squares
    visits = 5 / 8
    mine, yours = 30 + 40 + 20 + visits * (8 + 8), 10 + 30 + visits * 4
    wanted = 2 * mine / (mine + yours) - 1
    assert here.rules.evaluate(here.raw_state) == pytest.approx((wanted, -wanted))
    assert explain(here, 1).value == pytest.approx(-wanted)


def test_a_game_that_is_over_is_worth_its_result():
    here = position("property_trading(board=village, turns=5)")
    rng = random.Random(3)
    while not here.is_terminal:
        here = here.play(rng.choice(here.legal_actions))
    assert here.rules.evaluate(here.raw_state) == pytest.approx(here.returns)


def test_a_search_builds_where_rents_will_come():
    text = "plan player 0 turn 8 cash 90-90 at 0-0 held 0-0 owned 1:0=0,3:0=0 drawn -"
    here = position("property_trading(board=village, turns=20)", text)
    result = MCTS().search(here, simulations=300, seed=1)
    assert here.action_name(result.action).startswith("build")


# ------------------------------------------------------------------ hooks, texts, drawing


@pytest.mark.parametrize(
    "game", [PropertyTrading(turns=40), PropertyTrading(3, "village", 20)], ids=str
)
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(Position(game), 2) > 60


def test_every_position_of_random_games_parses_back():
    for text in ("property_trading(players=3, turns=60)", VILLAGE.format(40)):
        check_position_texts(position(text), 3)


PLACED = "cash 40-40 at 1-0 held 0-0 owned {} drawn -"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello", "not a position"),
        ("rest player 0 turn 1 " + PLACED.format("-"), "not a position"),
        ("throw player 2 turn 1 " + PLACED.format("-"), "numbered 0 to 1"),
        ("throw player 0 turn 21 " + PLACED.format("-"), "over after 20"),
        ("throw player 0 turn 1 cash 40 at 1-0 held 0-0 owned - drawn -", "2 numbers each"),
        ("throw player 0 turn 1 cash 40-40 at 8-0 held 0-0 owned - drawn -", "0 to 7"),
        ("throw player 0 turn 1 cash 40-40 at 1-0 held 1-0 owned - drawn -", "is at square 4"),
        ("throw player 0 turn 1 cash 40-40 at 4-0 held 4-0 owned - drawn -", "0 to 3 tries"),
        ("throw player 0 turn 1 cash 40-9999999 at 4-0 held 1-0 owned - drawn -", "1000000"),
        ("throw player 0 turn 1 " + PLACED.format("0:0=0"), "cannot be owned"),
        ("throw player 0 turn 1 " + PLACED.format("1:0=0,1:1=0"), "named twice"),
        ("throw player 0 turn 1 " + PLACED.format("9:0=0"), "not a square"),
        ("throw player 0 turn 1 " + PLACED.format("1:2=0"), "does not play"),
        ("throw player 0 turn 1 " + PLACED.format("2:0=1"), "a ferry none"),
        ("throw player 0 turn 1 " + PLACED.format("1:0=2"), "evenly"),
        ("throw player 0 turn 1 " + PLACED.format("1:0=2,3:0=0"), "evenly"),
        ("throw player 0 turn 1 " + PLACED.format("1:0=1,3:0=m"), "evenly"),
        ("throw player 0 turn 1 " + PLACED.format("-") + " from 3", "where somebody plans"),
        ("plan player 0 turn 1 " + PLACED.format("-"), "nothing to choose"),
        ("offer player 1 turn 1 " + PLACED.format("-"), "pump is not for sale"),
        ("offer player 0 turn 1 " + PLACED.format("1:1=0"), "not for sale"),
        (
            "offer player 0 turn 1 cash 10-40 at 1-0 held 0-0 owned - drawn -",
            "cannot pay 20: it is an auction",
        ),
        ("draw player 0 turn 1 " + PLACED.format("-"), "no card is drawn"),
        ("throw player 0 turn 1 cash 4-4 at 1-0 held 0-0 owned - drawn 0,1,2", "shuffled"),
        ("throw player 0 turn 1 cash 4-4 at 1-0 held 0-0 owned - drawn 3", "from 0 to 2"),
        ("auction player 0 turn 1 " + PLACED.format("-"), "an auction, and nothing else"),
        (
            "auction player 0 turn 1 " + PLACED.format("-") + " asked 1 bid 1 by - passed -",
            "level 0",
        ),
        (
            "auction player 0 turn 1 " + PLACED.format("-") + " asked 1 bid 1 by 1 passed -",
            "has not passed",
        ),
        (
            "auction player 0 turn 1 cash 40-5 at 1-0 held 0-0 owned - drawn - "
            "asked 1 bid 1 by 0 passed -",
            "cannot bid more",
        ),
        ("debt player 0 turn 1 " + PLACED.format("1:0=0"), "a debt, and nothing else"),
        ("debt player 0 turn 1 " + PLACED.format("1:0=0") + " owes 9 to 1", "pays at once"),
        ("debt player 0 turn 1 " + PLACED.format("1:0=m") + " owes 90 to 1", "nothing to choose"),
        ("debt player 0 turn 1 " + PLACED.format("1:0=0") + " owes 90 to 0", "another player"),
        ("plan player 0 turn 20 " + PLACED.format("1:0=0"), "the game is over"),
        ("throw player 0 turn 1 cash 0-40 at 1-0 held x-0 owned 1:0=0 drawn -", "does not play"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("property_trading(board=village, turns=20)", text)


WORDS = st.sampled_from(
    (
        "plan",
        "throw",
        "offer",
        "auction",
        "draw",
        "debt",
        "from",
        "asked",
        "bid",
        "by",
        "passed",
        "owes",
        "to",
        "0",
        "1",
        "2",
        "7",
        "40",
        "9-9",
        "0-0",
        "1-3",
        "x-0",
        "-",
        "0,1",
        "1:0=0",
        "1:0=0,3:0=1",
        "2:1=m",
    )
)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(WORDS, max_size=24).map(" ".join),
        st.tuples(*[WORDS] * 8).map(
            lambda w: (
                f"{w[0]} player {w[1]} turn {w[2]} cash {w[3]} at {w[4]} held {w[5]} "
                f"owned {w[6]} drawn {w[7]}"
            )
        ),
    )
)
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint("property_trading(board=village)", text)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("players=1", "for 2 to 4 players, not 1"),
        ("players=9", "for 2 to 4 players, not 9"),
        ("board=moon", "town or village, not 'moon'"),
        ("turns=0", "1 to 10000 turns, not 0"),
    ],
)
def test_bad_parameters_are_refused(wrong, says):
    with pytest.raises(InputError, match=says):
        position(f"property_trading({wrong})")


def test_board_and_drawing_show_owners_houses_and_what_comes_next():
    text = "plan player 0 turn 8 cash 90-90 at 0-2 held 0-0 owned 1:0=1,3:0=1,2:1=m drawn -"
    here = position(VILLAGE.format(20), text)
    lines = str(here).splitlines()
    assert lines[0] == " 0  0 pump"
    assert lines[1] == "    1 Upper Street    20  player 0 #"
    assert lines[2] == " 1  2 Ferry           30  player 1 mortgaged"
    assert lines[8] == "player 0: cash 90, wealth 150"
    assert lines[-1].endswith("then rolls (turn 9 of 20)")
    picture = here.svg()
    ET.fromstring(picture)
    assert picture.count('width="7" height="7"') == 2  # houses
    assert picture.count("stroke-dasharray") == 1  # mortgaged
    assert picture.count('r="5"') == 2  # squares to manage
    after = here.play("build-1")
    assert "last: build-1" in after.svg()


def test_a_bid_is_named_by_its_price_on_the_drawing_too():
    here = position(VILLAGE.format(20)).play("3").play("leave")
    assert here.legal_names == ("pass", "bid-10", "bid-20", "bid-30", "bid-40")
    assert "last: bid-10" in here.play("bid-10").svg()
