"""Games made from other games: ``class Mine(Breakthrough)`` with an `evaluate` of its own.

Kernels see what ``rules()`` gives, a NamedTuple of another class, in which nothing of `Mine` is. So
they get a class with the methods of both: those of the rules, and in their place those that the
user has written. In it a method finds the fields of the rules, then those of the game; under
``base_NAME`` the method whose place it took; and helpers of the game and of its own.

Where a method is written anew, others may no longer be true, such as the quick draw of a random
move where legal moves are others: they are left out, unless they are written anew too.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

from ponder.core.hooks import FOLLOWS, FOR_PEOPLE, OPTIONAL, REQUIRED
from ponder.core.parts import distinguish, is_ours
from ponder.errors import InputError
from ponder.jit import methods_of
from ponder.jit.methods import constants_of

HOOKS = {*REQUIRED, *OPTIONAL}
_APART = {*HOOKS, *FOR_PEOPLE, "spec", "rules", "problem"}
_NUMBERS = (bool, int, float)


def _classes_below(cls: type) -> list[type]:
    """The classes whose methods take the place of others: those before the one that says what the
    rules are, or is of this package."""
    for i, base in enumerate(cls.__mro__):
        if "rules" in vars(base) or is_ours(base):
            return list(cls.__mro__[:i])
    return []


def overridden(cls: type) -> dict[str, Any]:
    """The hooks for kernels that classes below the one with the rules have written."""
    found: dict[str, Any] = {}
    for base in reversed(_classes_below(cls)):
        for name, value in vars(base).items():
            if name in HOOKS:
                found[name] = _checked(base, name, value)
    return found


def _checked(cls: type, name: str, value: Any) -> Any:
    if not isinstance(value, types.FunctionType):
        raise InputError(
            f"{name} of {cls.__name__} is a {type(value).__name__}: write it as a method, with def"
        )
    if "__class__" in value.__code__.co_freevars:
        raise InputError(
            f"{name} of {cls.__name__} uses super(), which does not compile: "
            f"what it takes the place of is called self.base_{name}(...)"
        )
    return value


def with_own_hooks(game: Any, rules: Any) -> Any:
    """The rules of the game, with the hooks that its own class has written."""
    cls: Any = type(game)
    own = overridden(cls)
    if rules is not game:
        _refuse_unheard(cls, type(rules), own)
    return _combined(game, rules, own) if own else rules


def _refuse_unheard(cls: type, rules: type, own: dict[str, Any]) -> None:
    """A hook that stands beside `rules()` and not in what that gives would never be asked."""
    written = methods_of(rules)
    for name, method in methods_of(cls).items():
        if name in OPTIONAL and name not in written and name not in own:
            raise InputError(
                f"{name} of {cls.__name__} is never asked: kernels see what its rules() gives, "
                f"a {rules.__name__} without {name}; write it there"
            )
        beside = "rules" in vars(cls) and vars(cls).get(name) is method
        if beside and name in HOOKS and is_ours(rules) and not is_ours(cls):
            raise InputError(
                f"{name} of {cls.__name__} is never asked: its rules() gives {rules.__name__} of "
                "Ponder; leave out rules(), and the method takes the place of the shipped one"
            )


def _combined(game: Any, rules: Any, own: dict[str, Any]) -> Any:
    cls: Any = type(game)
    below = _classes_below(cls)
    base: Any = type(rules) if rules is not game else cls.__mro__[len(below)]
    dropped = {name for hook in own for name in FOLLOWS.get(hook, ())} - set(own)
    body = {name: fact for name, fact in _facts(base).items() if name not in dropped}
    body |= {f"base_{name}": body[name] for name in own if name in body}
    for name, fact in _facts(cls).items():  # helpers and numbers of the game, and the user's own
        if name not in _APART and (name not in body or any(name in vars(c) for c in below)):
            body[name] = fact
    body |= own
    fields = dict(zip(rules._fields, rules, strict=True))
    for name, value in zip(game._fields, game, strict=True):
        if name not in fields and name not in body and _is_number(value):
            fields[name] = value
    new: Any = NamedTuple  # type checkers would take what it makes for a class without methods
    made = new(cls.__name__, [(name, Any) for name in fields])
    for name, fact in body.items():
        if name not in fields:
            setattr(made, name, fact)
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.rules"
    distinguish(made)
    return made(**fields)


def _facts(cls: type) -> dict[str, Any]:
    """The methods of a class and the numbers written into it."""
    return {**constants_of(cls), **methods_of(cls)}


def _is_number(value: Any) -> bool:
    inside = value if type(value) is tuple and value else (value,)
    return all(isinstance(number, _NUMBERS) for number in inside)
