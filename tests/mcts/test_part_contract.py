"""The contract of parts is stated once: its table, its text, the defaults and the callers agree."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from pathlib import Path

import pytest

import ponder.mcts.parts as contract
from ponder import MCTS
from ponder.check.structure import PEOPLE_ARGUMENTS, RECORD_ARGUMENTS
from ponder.core.hooks import FOR_PEOPLE, OPTIONAL, REQUIRED
from ponder.core.parts import field_types
from ponder.core.registry import NEEDED, PARTS, load
from ponder.jit import methods_of
from ponder.mcts import protocols
from ponder.mcts.parts import ANY_KIND, METHODS

MCTS_FILES = sorted(Path(contract.__file__).parent.rglob("*.py"))


def arguments(method) -> str:
    return ", ".join(list(inspect.signature(method).parameters)[1:])


def test_the_text_of_the_contract_names_every_method_with_its_arguments():
    text = contract.__doc__
    told = re.findall(r"^    (\w+)\(self(?:, )?([^)]*)\)", text, re.MULTILINE)
    table = [pair for methods in METHODS.values() for pair in methods.items()]
    assert sorted(told) == sorted(table)
    flowing = " ".join(text.split())
    for name, given in ANY_KIND.items():
        assert f"``{name}(self{', ' if given else ''}{given})``" in flowing


def calls(file: Path) -> set[tuple[str, str]]:
    """(kind, method) of all calls such as ``parts.backup.worth(...)``."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value
        if isinstance(owner, ast.Attribute) and owner.attr in METHODS:
            found.add((owner.attr, node.func.attr))
    return found


def test_what_is_called_on_a_part_is_in_the_contract():
    called = set().union(*map(calls, MCTS_FILES))
    assert ("backup", "worth") in called
    beyond = {
        (kind, name)
        for kind, name in called
        if name not in METHODS[kind] and name not in ANY_KIND and not name.startswith("_")
    }
    assert not beyond


@pytest.mark.parametrize("kind", METHODS)
def test_the_defaults_and_the_shipped_parts_take_the_arguments_of_the_contract(kind):
    classes = [load(target) for target in PARTS[kind].values()]
    if kind in contract.DEFAULTS:
        classes.append(contract.DEFAULTS[kind])
    for cls in classes:
        own = methods_of(cls)
        for name, wanted in {**METHODS[kind], **ANY_KIND}.items():
            if name in own:
                assert arguments(own[name]) == wanted, f"{cls.__name__}.{name}"


PROTOCOLS = {
    "select": (protocols.ScoringRule, protocols.ChoosingRule),
    "expand": (protocols.ExpandRule,),
    "evaluate": (protocols.EvaluateRule,),
    "backup": (protocols.BackupRule,),
    "decide": (protocols.DecideRule,),
    "priors": (protocols.PriorsRule,),
    "fpu": (protocols.FPURule,),
}


def asked_for(protocol) -> dict[str, str]:
    """The methods of a protocol, with their arguments."""
    return {name: arguments(method) for name, method in methods_of(protocol).items()}


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_the_protocol_of_a_kind_asks_for_what_is_looked_for_at_run_time(kind):
    methods = {name: m for one in PROTOCOLS[kind] for name, m in methods_of(one).items()}
    assert {*methods} == {*NEEDED[kind]}
    for name, method in methods.items():
        assert arguments(method) == METHODS[kind][name]
        for parameter in [*inspect.signature(method).parameters.values()][1:]:
            assert parameter.kind is parameter.POSITIONAL_ONLY, "a rule names them as it likes"


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_every_shipped_rule_has_what_the_protocol_of_its_kind_asks_for(kind):
    for target in PARTS[kind].values():
        own = {name: arguments(method) for name, method in methods_of(load(target)).items()}
        assert any(asked_for(one).items() <= own.items() for one in PROTOCOLS[kind]), target


def test_the_parts_of_an_engine_are_typed_by_the_protocols():
    for place, hint in field_types(MCTS).items():
        if place in PROTOCOLS:
            accepted = {*(typing.get_args(hint) or (hint,))} - {protocols.LeafFunction}
            assert accepted == {*PROTOCOLS[place]}


def test_every_hook_of_a_game_is_known_to_the_check():
    assert set(RECORD_ARGUMENTS) == {*REQUIRED, *OPTIONAL}
    assert set(PEOPLE_ARGUMENTS) == set(FOR_PEOPLE)


def test_completing_a_part_leaves_its_class_as_it_was():
    from ponder.mcts.parts import completed
    from ponder.select import UCB1, SequentialHalving

    before = {cls: dict(vars(cls)) for cls in (UCB1, SequentialHalving)}
    whole = completed("select", SequentialHalving(UCB1(1.5)))
    assert not whole.select.mixed()  # a default
    assert whole == SequentialHalving(UCB1(1.5))
    assert isinstance(whole, SequentialHalving)
    assert completed("select", whole) == whole
    assert type(completed("select", whole)) is type(whole)
    assert {cls: dict(vars(cls)) for cls in before} == before
    assert not hasattr(UCB1, "mixed")


def test_a_completed_part_can_be_pickled():
    import pickle

    from ponder.mcts.parts import completed
    from ponder.select import UCB1

    whole = completed("select", UCB1(1.5))
    again = pickle.loads(pickle.dumps(whole))
    assert again == whole
    assert type(again) is type(whole)
