"""GAME and SPEC texts: parsed, printed back to themselves, refused with a reason."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder import MCTS, UCB1, InputError, engine, game, position
from ponder.core.parts import Call, canonical, identical, parse_call
from ponder.core.registry import ENGINES, GAMES, PARTS, game_text, load, part_text


@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_prints_back_to_its_name(name):
    made = game("tree('[1, 2]')" if name == "tree" else name)
    assert game_text(made).startswith(f"{name}(")
    assert identical(game(game_text(made)), made)


@pytest.mark.parametrize(
    "target", sorted({*ENGINES.values(), *(t for p in PARTS.values() for t in p.values())})
)
def test_every_registered_part_exists_and_prints_back(target):
    cls = load(target)
    needed = {"file": "x.book", "engine": MCTS(), "call": len, "table": "x.table"}
    part = cls(**{f: needed[f] for f in cls._fields if f not in cls._field_defaults})
    assert part_text(part).endswith(")")


def test_parameters_by_place_and_by_name_are_the_same():
    assert game("connect4(5, 4)") == game("connect4(rows=4, columns=5)")
    assert game_text(game("connect4(7, 6, 4)")) == "connect4()"


def test_nested_parts():
    made = engine("mcts(select=ucb1(c=1), evaluate=rollout(), backup=mean(), simulations=10)")
    assert identical(made, MCTS(select=UCB1(1.0), simulations=10))
    assert part_text(made) == "mcts(select=ucb1(c=1.0), simulations=10)"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("conect4", "did you mean connect4"),
        ("connect4(width=5)", "no parameter 'width'; accepted: columns, rows, run, players"),
        ("connect4(columns=0)", "at least 1"),
        ("connect4(columns=2.5)", "columns of ConnectFour must be a whole number, not 2.5"),
        ("connect4(columns='a')", "must be a whole number"),
        ("connect4(1, 2, 3, 4, 5)", "at most 4 parameters"),
        ("tictactoe(3)", "tictactoe has no parameters"),
        ("hex(swap=2)", "swap of Hex must be True or False, not 2"),
        ("chess(960)", "chess960 of Chess must be True or False, not 960"),
        ("connect4(5, columns=5)", "'columns' twice"),
        ("connect4(players=9)", "2 to 4 players"),
        ("connect4(columns=nim)", "must be a plain value"),
        ("connect4(", "cannot read"),
        ("", "cannot read"),
        ("3", "not a value"),
        ("connect4(columns=1+1)", "cannot read"),
        ("lambda: 1", "cannot read"),
        ("missing.py:Game", "no such file"),
        ("missing.py", "say which game in it"),
        ("a.b(c)", "cannot read"),
    ],
)
def test_bad_game_texts_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError) as caught:
        game(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("mtcs()", "did you mean mcts"),
        ("mcts(select=ucb2())", "unknown select rule 'ucb2'"),
        ("mcts(select=ucb1(c='x'))", "must be a number"),
        ("mcts(simulations=0)", "simulations must be a whole number above 0"),
        ("mcts(seconds=-1)", "seconds must be a number above 0"),
        ("mcts(simulations=ucb1())", "takes a plain value"),
    ],
)
def test_bad_engine_texts_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError) as caught:
        engine(text)
    assert complaint in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_call_or_an_input_error(text):
    try:
        call = parse_call(text)
    except InputError:
        return
    assert isinstance(call, Call)


class Part(NamedTuple):
    whole: int = 1
    real: float = 2.0
    flag: bool = False
    word: str = "w"
    several: tuple[int, ...] = (1, 2)
    maybe: float | None = None


class Other(NamedTuple):
    whole: int = 1


def test_fields_are_coerced_to_their_annotated_types():
    made = canonical(Part(2.0, 3, 1, "x", [4, 5.0], 6))
    assert made == (2, 3.0, True, "x", (4, 5), 6.0)
    assert [type(v) for v in made] == [int, float, bool, str, tuple, float]


@pytest.mark.parametrize(
    "bad",
    [
        Part(1.5),
        Part("1"),
        Part(1, "2"),
        Part(1, float("nan")),
        Part(flag="yes"),
        Part(word=1),
        Part(several=3),
        Part(several=("a",)),
        Part(maybe="b"),
    ],
)
def test_fields_of_the_wrong_kind_are_refused(bad):
    with pytest.raises(InputError):
        canonical(bad)


def test_equal_tuples_of_two_classes_are_not_identical():
    assert Other(1) == (1,)
    assert not identical(Other(1), (1,))
    assert identical(Other(1), Other(1))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("garbage", ["x" * 5000, "q " * 2500, "9/" * 2500], ids=["x", "q", "9"])
def test_of_long_garbage_a_message_repeats_only_the_beginning(name, garbage):
    with pytest.raises(InputError) as caught:
        position(name, garbage)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text", ["x" * 5000, f"mcts(select={'u' * 5000}())", f"mcts({'c' * 5000}=1)", "(" * 3000]
)
def test_of_a_long_engine_text_too(text):
    with pytest.raises(InputError) as caught:
        engine(text)
    assert len(str(caught.value)) < 700
