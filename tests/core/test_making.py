"""Wrong arguments of engines, parts, games and presets are told in one sentence."""

from __future__ import annotations

import inspect
import pickle

import pytest

from ponder import (
    MCTS,
    AlphaBeta,
    BestReply,
    Expectiminimax,
    InputError,
    MaxN,
    Minimax,
    Paranoid,
    engine,
    match,
    position,
    solve,
)
from ponder.backup import Mean
from ponder.core.parts import identical
from ponder.core.registry import ENGINES, GAMES, NEEDED, PARTS, PRESETS, SOLVERS, a_rule, load
from ponder.expand import AllChildren
from ponder.select import PUCT, UCB1, SequentialHalving

pytestmark = pytest.mark.plain

CLASSES = sorted({*GAMES.values(), *ENGINES.values(), *SOLVERS.values()}.union(
    *(table.values() for table in PARTS.values())
))  # fmt: skip


@pytest.mark.parametrize("target", CLASSES)
def test_a_misspelt_parameter_is_told_with_the_nearest_one(target):
    cls = load(target)
    for field in cls._fields:
        misspelt = field[:-1] + "_" + field[-1] if len(field) > 1 else field + "_"
        with pytest.raises(InputError) as refused:
            cls(**{misspelt: 1})
        assert f"{cls.__name__} has no parameter {misspelt!r}; did you mean" in str(refused.value)
        assert f"accepted: {', '.join(cls._fields)}" in str(refused.value)
    if not cls._fields:
        with pytest.raises(InputError, match="has no parameter 'c'; accepted: none"):
            cls(c=1)


@pytest.mark.parametrize("target", CLASSES)
def test_too_many_twice_given_and_missing_arguments_are_told(target):
    cls = load(target)
    with pytest.raises(InputError, match=r"takes at most|has no parameters"):
        cls(*range(len(cls._fields) + 1))
    if cls._fields and cls._fields[0] not in NEEDED:
        with pytest.raises(InputError, match="twice"):
            cls(1, **{cls._fields[0]: 1})
    if any(field not in cls._field_defaults for field in cls._fields):
        with pytest.raises(InputError, match="needs"):
            cls()


@pytest.mark.parametrize("target", CLASSES)
def test_what_is_no_part_is_refused_where_it_is_given(target):
    cls = load(target)
    needed = dict.fromkeys(set(cls._fields) - set(cls._field_defaults), "x")
    for field in set(cls._fields) & set(NEEDED):
        for wrong in ("ucb1", 3, UCB1):
            with pytest.raises(InputError, match=f"{field}|rule"):
                cls(**{**needed, field: wrong})


@pytest.mark.parametrize("name", PRESETS)
def test_presets_say_it_too(name):
    preset = load(PRESETS[name])
    needed = {"net": "connect4"} if "net" in inspect.signature(preset).parameters else {}
    with pytest.raises(InputError, match="'secnds'; did you mean seconds"):
        preset(secnds=9, **needed)
    with pytest.raises(InputError):
        preset(*range(99))


def test_the_sentence_says_what_fits():
    with pytest.raises(InputError) as refused:
        MCTS(select="ucb1")
    assert str(refused.value).startswith("'ucb1' is not a select rule (available: best_child, ")
    assert str(refused.value).endswith("; a text is read by engine('mcts(select=ucb1)')")
    with pytest.raises(InputError, match=r"must be a part, UCB1\(\), not the class UCB1"):
        MCTS(select=UCB1)
    with pytest.raises(InputError, match=r"^mean\(\) is a backup rule, not a select rule"):
        SequentialHalving(select=Mean())


def test_a_rule_that_is_no_namedtuple_is_refused():
    class Ordinary:
        def terms(self, shared, tree, child, visits, inverse, root, mean):
            return (mean,)

        def best(self, rows, seed):
            return 0

    for field in ("select", "decide"):
        with pytest.raises(InputError) as refused:
            MCTS(**{field: Ordinary()})
        said = f"{field} of MCTS must be a NamedTuple, as all rules are, not an object of class"
        assert str(refused.value) == f"{said} Ordinary"


RULES = [(kind, name) for kind in NEEDED for name in PARTS[kind]]
HOLDERS = {
    **dict.fromkeys(("select", "expand", "evaluate", "backup", "decide"), (MCTS, "mcts({})")),
    "priors": (AllChildren, "mcts(expand=all_children({}))"),
    "fpu": (PUCT, "mcts(select=puct({}))"),
}


@pytest.mark.parametrize("place", NEEDED)
def test_every_part_is_refused_in_every_place_of_another_kind(place):
    """In Python and in the text of an engine: the part, what it is, the place, and what fits."""
    holder, text = HOLDERS[place]
    fits = f"{a_rule(place)} (available: {', '.join(PARTS[place])}"
    for kind, name in RULES:
        if kind == place or name in PARTS[place]:  # blend and minimax of two kinds, say
            continue
        cls = load(PARTS[kind][name])
        needed = dict.fromkeys(set(cls._fields) - set(cls._field_defaults), "x")
        with pytest.raises(InputError) as refused:
            holder(**{place: cls(**needed)})
        said = str(refused.value)
        assert said.startswith(f"{name}("), said
        assert f" is {a_rule(kind)}, not {fits}" in said
        with pytest.raises(InputError) as refused:
            engine(text.format(f"{place}={name}()"))
        assert str(refused.value).startswith(f"{name} is {a_rule(kind)}, not {fits}")


def test_an_engine_and_a_game_are_no_parts():
    with pytest.raises(InputError, match=r"^mcts\(\) is an engine, not a select rule"):
        MCTS(select=MCTS())
    with pytest.raises(InputError, match=r"^uct is an engine, not an evaluate rule"):
        engine("mcts(evaluate=uct())")
    with pytest.raises(InputError, match=r"^connect4 is a game, not a backup rule"):
        engine("mcts(backup=connect4())")


def test_a_text_says_it_as_python_does():
    with pytest.raises(InputError, match="mcts has no parameter 'selct'; did you mean select"):
        engine("mcts(selct=ucb1)")
    with pytest.raises(InputError, match="uct has no parameter 'cc'; did you mean c"):
        engine("uct(cc=1)")


def test_what_is_right_is_made_as_before():
    for cls in (MCTS, AlphaBeta, UCB1):
        names = [*inspect.signature(cls).parameters]
        assert names == list(cls._fields)
        assert identical(cls(), cls._make(cls._field_defaults.values()))
        assert identical(pickle.loads(pickle.dumps(cls())), cls())
        assert identical(cls()._replace(), cls())
    assert MCTS(evaluate=len).evaluate is len


@pytest.mark.parametrize(
    "cls", [MCTS, AlphaBeta, BestReply, Expectiminimax, MaxN, Minimax, Paranoid]
)
def test_a_misspelt_argument_of_a_search_is_told_with_the_nearest_one(cls):
    for name in ("search", "start"):
        with pytest.raises(InputError) as refused:
            getattr(cls(), name)(position("nim"), sedd=3)
        said = f"{name} of {cls.__name__} has no parameter 'sedd'; did you mean seed? accepted: "
        assert str(refused.value).startswith(said)
    with pytest.raises(InputError, match="'second'; did you mean seconds"):
        cls().search(position("nim"), second=3)


def test_so_is_one_of_match_and_solve():
    with pytest.raises(InputError, match="match has no parameter 'seeds'; did you mean seed"):
        match("nim", "random()", "random()", seeds=2)
    with pytest.raises(InputError, match="solve has no parameter 'methd'; did you mean method"):
        solve(position("nim"), methd="alphabeta")


def test_too_many_or_too_few_arguments_of_a_call_are_one_sentence():
    with pytest.raises(InputError, match="search of MCTS: missing a required argument"):
        MCTS().search()
    with pytest.raises(InputError, match=r"match: multiple values for argument 'game'; by name"):
        match("nim", "random()", "random()", game=2)
    with pytest.raises(InputError, match=r"match: missing a required argument: 'second'"):
        match("nim", "random()")


def test_a_file_of_a_function_is_read_by_engine_alone():
    with pytest.raises(InputError, match=r"'a\.py:f' is not an evaluate rule .* read by engine\("):
        MCTS(evaluate="a.py:f")
    with pytest.raises(InputError, match=r"'a\.py' is a file: a function of it is 'a\.py:NAME'"):
        engine("mcts(evaluate='a.py')")


def test_a_fault_inside_a_search_stays_what_it_is():
    class Broken:
        def is_set(self):
            raise TypeError("a fault of the person's own")

    with pytest.raises(TypeError, match="person's own"):
        MCTS().search(position("nim"), simulations=50, stop=Broken())


def test_a_class_below_tells_it_too():
    class Mine(AlphaBeta):
        pass

    assert type(Mine(3)) is Mine
    with pytest.raises(InputError, match="did you mean depth"):
        Mine(dept=3)
