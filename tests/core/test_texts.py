"""GAME and SPEC texts: parsed, printed back to themselves, refused with a reason."""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import sys
import time
from typing import Any, NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import MCTS, InputError, engine, game, position
from ponder.backup import Solver
from ponder.core.parts import Call, canonical, field_types, identical, parse_call
from ponder.core.registry import (
    ENGINES,
    GAMES,
    PARTS,
    PRESETS,
    game_text,
    load,
    parse_engine,
    parse_game,
    part_text,
    reads_back,
)
from ponder.select import UCB1


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
        (f"connect4(columns={10**30})", "columns of ConnectFour is out of range: whole numbers"),
        ("connect4(1, 2, 3, 4, 5)", "at most 4 parameters"),
        ("tictactoe(3)", "tictactoe has no parameters"),
        ("hex(swap=2)", "swap of Hex must be True or False, not 2"),
        ("chess(960)", "chess960 of Chess must be True or False, not 960"),
        ("connect4(5, columns=5)", "'columns' twice"),
        ("connect4(players=9)", "2 to 4 players"),
        ("connect4(columns=nim)", "columns of connect4 takes a plain value (a number"),
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
        (
            "mcts(threads=otto)",
            "threads takes a plain value (a number, a text in quotes, a tuple ...), not otto",
        ),
        ("mcts(threads='otto')", "threads of MCTS must be a whole number, not 'otto'"),
        ("mcts(parallel=rot)", "parallel must be tree, root, leaf, not 'rot'"),
        ("mcts(memory=1e400)", "memory of MCTS must be a finite number, not inf"),
        (f"mcts(simulations={10**30})", "simulations of MCTS is out of range"),
        ("mcts(select=ucb1(c=-1))", "c of ucb1 must be 0 or more, not -1"),
        ("mcts(select=ucb1(c=-1e400))", "c of UCB1 must be a finite number, not -inf"),
        ("mcts(select=puct(fpu=reduction(c=-1)))", "c of reduction must be 0 or more, not -1"),
        (
            "mcts(decide=ucb1())",
            "ucb1 is a select rule, not a decide rule (available: ",
        ),
        ("uct(c=3, select=ucb1_tuned())", "c is a parameter of the select that was replaced"),
        ("alphago_style(weight=0.3, evaluate=rollout())", "weight is a parameter of the evaluate"),
        ("alphago_style(temperature=1, expand=one_child())", "temperature is a parameter of the"),
        ("alphazero(call='f.py:f', evaluate=rollout())", "call is a parameter of the evaluate"),
        ("alphazero(call='f.py:f', c_init=1, select=puct())", "c_init is a parameter of the"),
        ("crazy_stone(points=9, select=ucb1(), backup=mean())", "points is a parameter of the"),
    ],
)
def test_bad_engine_texts_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError) as caught:
        engine(text)
    assert complaint in str(caught.value)


def numbers_of_parts():
    """Every parameter of every part that is a number, with the part's class and its kind."""
    for target in sorted({t for table in PARTS.values() for t in table.values()}):
        cls = load(target)
        for field, hint in field_types(cls).items():
            kinds = {hint, *get_args(hint)} & {int, float}
            if kinds:
                yield pytest.param(cls, field, kinds.pop(), id=f"{cls.__name__} {field}")


@pytest.mark.parametrize(("cls", "field", "kind"), list(numbers_of_parts()))
def test_no_part_takes_an_infinite_number_or_one_beyond_64_bits(cls, field, kind):
    needed = {"file": "x.book", "engine": MCTS(), "call": len, "table": "x.table"}
    given = {f: needed[f] for f in cls._fields if f not in cls._field_defaults}
    bad = (10**30, -(10**30)) if kind is int else (math.inf, -math.inf, 10**400)
    for value in bad:
        with pytest.raises(InputError, match=r"is out of range|must be a finite number"):
            canonical(cls(**{**given, field: value}))


def test_names_without_quotes_stand_for_texts_where_texts_are_meant():
    assert identical(engine("mcts(parallel=root)"), MCTS(parallel="root"))
    assert identical(engine("uct(parallel=root)"), MCTS(parallel="root"))
    assert identical(engine("strong(parallel=leaf)"), engine("strong(parallel='leaf')"))
    assert identical(engine("mcts(backup=solver(wins=tried))"), MCTS(backup=Solver(wins="tried")))


@pytest.mark.parametrize("name", ["mcts", "uct", "strong"])
@pytest.mark.parametrize("word", ["auto", "'auto'", "0"])
def test_auto_is_a_number_of_threads(name, word):
    assert engine(f"{name}(threads={word})").threads == 0
    assert canonical(MCTS(threads="auto")).threads == 0


def test_a_plain_game_gets_names_and_calls_as_the_texts_they_are(tmp_path):
    file = tmp_path / "named.py"
    file.write_text("class Named:\n    def __init__(self, *given): self.given = given\n")
    made = game(f"{file}:Named(tic_tac_toe, hex(board_size=5), (a, 1), 'x')")
    assert made.given == ("tic_tac_toe", "hex(board_size=5)", ("a", 1), "x")
    shown = "('tic_tac_toe', 'hex(board_size=5)', ('a', 1), 'x')"
    assert game_text(made).endswith(f":Named{shown}")
    assert game(game_text(made)).given == made.given


@pytest.mark.parametrize("read", [game, engine])
def test_only_texts_are_read(read):
    with pytest.raises(InputError, match=r"expected the text of an? .* not 3"):
        read(3)


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
        Part(1, math.inf),
        Part(1, 10**400),
        Part(2**63),
        Part(-(2**63) - 1),
        Part(math.inf),
        Part(several=(1, 2**63)),
        Part(maybe=-math.inf),
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


RULES = """
from typing import Any, NamedTuple

class Poly(NamedTuple):
    c: float = 1.0
    inner: Any = None
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return (mean, self.c * inverse)

def values(positions):
    return [[0.0, 0.0] for p in positions]

number = 3
"""


@pytest.fixture(params=["rules", "my rules (old)", "l'été, a=b"])
def rules_file(request, tmp_path, monkeypatch):
    """A file with a rule, in a folder with a plain or an odd name; the working directory above."""
    (tmp_path / request.param).mkdir()
    (tmp_path / request.param / "mine.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return f"{request.param}/mine.py"


def test_a_rule_in_a_file_of_ones_own_is_named_by_its_path(rules_file):
    name = f"{rules_file}:Poly"
    made = engine(f"mcts(select={name!r}(c=2), simulations=9)")
    assert type(made.select).__qualname__ == "Poly"
    assert made.select.c == 2.0
    assert made.simulations == 9


def test_its_text_has_the_whole_path_and_reads_back_to_the_same_from_anywhere(
    rules_file, tmp_path, monkeypatch
):
    made = engine(f"mcts(select=sequential_halving({rules_file + ':Poly'!r}(0.5)))")
    text = part_text(made)
    assert str(tmp_path / rules_file) in text or repr(str(tmp_path / rules_file))[1:-1] in text
    monkeypatch.chdir("/")
    assert identical(engine(text), made)
    assert part_text(engine(text)) == text


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("mcts(select=rules/mine.py:Poly)", None),
        ("mcts(select=./rules/mine.py:Poly(3))", None),
        ("mcts(rules/mine.py:Poly(c=3, inner=rules/mine.py:Poly(4)))", "Poly"),
    ],
)
def test_no_quotes_are_needed_where_the_path_is_plain(tmp_path, monkeypatch, text, inner):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    made = engine(text)
    assert type(made.select).__qualname__ == "Poly"
    assert made.select.inner is None if inner is None else made.select.inner.c == 4.0


def test_a_text_in_quotes_that_looks_like_a_file_stays_a_text():
    call = parse_call("mcts(evaluate=function(call='net.py:f'), note=\"a b.py:C(1)\")")
    assert call.kwargs["evaluate"].kwargs == {"call": "net.py:f"}
    assert call.kwargs["note"] == "a b.py:C(1)"


def test_a_function_of_a_file_needs_no_quotes_either(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    assert engine("alphazero(mine.py:values)").evaluate.call == "mine.py:values"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("mcts(select=nowhere.py:Poly())", "no such file: nowhere.py"),
        ("mcts(select=mine.py:Pole())", "has no 'Pole' (it has: Poly)"),
        ("mcts(select=mine.py:Poly(k=1))", "has no parameter 'k'; accepted: c, inner"),
        ("mcts(select=mine.py:number)", "is not a select rule: a rule is a NamedTuple"),
        ("mcts(simulations=mine.py:Poly())", "simulations must be a whole number"),
        ("mine.py:number", "is not an engine"),
        ("mcts(select=mine.py)", "cannot read"),
        ("mcts(select=mine.py:Poly:Poly)", "cannot read"),
    ],
)
def test_a_wrong_file_name_is_one_clear_line(tmp_path, monkeypatch, text, complaint):
    (tmp_path / "mine.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        engine(text)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


NEEDED = {"file": "x.book", "engine": MCTS(), "call": "net.py:f", "table": "x.table"}
"""Values for parameters without a default."""
BY_TYPE = {
    bool: st.booleans(),
    int: st.integers(0, 9) | st.integers(-(2**63), 2**63 - 1),
    float: st.floats(0, 1) | st.floats(allow_nan=False, allow_infinity=False),
    str: st.text(max_size=8),
}


def values_for(field, hint):
    """Values of a parameter, sensible or not: a text has to carry any."""
    if field in PARTS:
        return st.deferred(lambda: parts_of_kind(field))
    kinds = get_args(hint) or (hint,)
    found = [BY_TYPE[kind] for kind in kinds if kind in BY_TYPE]
    return st.one_of(*found, *([st.none()] if type(None) in kinds else []))


def parts_of_class(cls):
    """Parts of a class with some of their parameters; those that do not fit are left out."""
    hints = field_types(cls)
    needed = {f: NEEDED[f] for f in cls._fields if f not in cls._field_defaults}
    others = {f: values_for(f, hints.get(f)) for f in cls._fields if f not in needed}

    def made(fields):
        part = canonical(cls(**needed))
        for field, value in fields.items():
            with contextlib.suppress(InputError):
                part = canonical(part._replace(**{field: value}))
        return part

    return st.fixed_dictionaries({}, optional=others).map(made)


def parts_of_kind(kind):
    classes = [load(target) for target in PARTS[kind].values()]
    return (st.sampled_from(classes) | st.just(Mine)).flatmap(parts_of_class)


class Mine(NamedTuple):
    """A part of a user's, of whatever kind: imported with its file, not named by a text."""

    c: float = 0.5
    n: int = 1
    word: str = ""
    flag: bool = False
    select: Any = UCB1()
    backup: Any = None


@pytest.mark.plain
@pytest.mark.parametrize("target", sorted(set(ENGINES.values())))
@given(data=st.data())
@settings(max_examples=60)
def test_any_engine_with_any_parts_prints_back_to_itself(target, data):
    made = data.draw(parts_of_class(load(target)))
    text = part_text(made)
    assert identical(engine(text), made)
    assert part_text(engine(text)) == text
    assert reads_back(made)


@pytest.mark.plain
@pytest.mark.parametrize("preset", PRESETS)
def test_the_engine_of_a_preset_prints_back_to_itself(preset):
    made = engine(f"{preset}(net='x.network')" if preset == "alphazero" else preset)
    assert identical(engine(part_text(made)), made)


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """A module of the user's, imported as any other."""
    (tmp_path / "mine_imported.py").write_text(RULES + PLAIN_GAME)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield importlib.import_module("mine_imported")
    for name in set(sys.modules) - before:
        del sys.modules[name]


PLAIN_GAME = """
class Race:
    def __init__(self, length=3):
        self.length = length
    def start(self):
        return (0, 0)
    def current_player(self, state):
        return state[1]
    def legal_actions(self, state):
        return [1, 2]
    def apply_action(self, state, n):
        return (state[0] + n, 1 - state[1])
    def is_terminal(self, state):
        return state[0] >= self.length
    def returns(self, state):
        return (-1, 1) if state[1] == 0 else (1, -1)

LONG = Race(9)
"""


def test_an_imported_rule_is_named_by_its_file_which_is_not_run_again(imported):
    made = MCTS(select=imported.Poly(2.0))
    text = part_text(made)
    assert f"{imported.__file__}:Poly(c=2.0)" in text
    assert identical(engine(text), made)
    assert identical(parse_engine(text), made)  # nor where data name it: it has been run


def test_data_call_no_function_of_a_module_that_was_imported_for_other_reasons(imported):
    text = f"{os.__file__}:removedirs('nowhere')"
    with pytest.raises(InputError, match=r"needs the code in .*os\.py"):
        parse_engine(text)


@pytest.mark.plain
def test_data_use_no_class_of_ponder_or_python_that_they_name_by_its_file():
    """Rules that are only made by games are trusted to have fitting numbers and tables."""
    inner = importlib.import_module("ponder.games.connect4.bit_rules")
    public = importlib.import_module("ponder.mcts.select.ucb")
    pythons = importlib.import_module("tokenize")
    for text in (
        f"{inner.__file__}:BitRules(9, 9, 4, 2, 1, 1, 1)",
        f"{pythons.__file__}:TokenInfo(1, 'a', (1, 1), (1, 2), 'a')",
    ):
        with pytest.raises(InputError, match="needs the code in"):
            parse_game(text)
    with pytest.raises(InputError, match="needs the code in"):
        parse_engine(f"mcts(select={public.__file__}:UCB1(c=3))")


def test_a_class_that_no_file_has_cannot_be_read_back():
    class Inner(NamedTuple):
        c: float = 1.0

        def terms(self, shared, tree, child, visits, inverse, root, mean):
            return mean, self.c

    made = MCTS(select=Inner())
    assert part_text(made) == (
        "mcts(select=test_a_class_that_no_file_has_cannot_be_read_back.<locals>.Inner())"
    )
    assert not reads_back(made)


def test_a_plain_game_says_what_it_was_made_with(imported):
    named = f"{imported.__file__}:Race(length=5)"
    assert game_text(game(named)) == named
    assert game(game_text(game(named))).length == 5
    ready = game(f"{imported.__file__}:LONG")
    assert game(game_text(ready)) is ready
    assert reads_back(ready)
    made = imported.Race(7)  # by a program: nobody knows with what
    assert game_text(made) == "Race"
    assert not reads_back(made)


@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_that_are_not_closed_take_no_time(quote):
    text = quote + f"\\{quote}" * 200_000
    began = time.process_time()
    with pytest.raises(InputError):
        parse_call(text)
    assert time.process_time() - began < 2.0, "it would be minutes if each quote were tried"
    assert parse_call("it's.py:Game(a=1)").name == "it's.py:Game"
