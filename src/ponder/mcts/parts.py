"""The five parts of a Monte Carlo tree search, and what they find where they say nothing.

A part is a NamedTuple; its type selects the code, its fields are the parameters. What each kind
may say (compiled unless marked *plain*; `METHODS` is the same as a table). Where no default is
told, saying nothing means that nothing is done:

**select**, the tree policy: `terms` or `choose` at the least
    choose(self, game, parts, tree, work, depth, rng)   the child to go on to from path[depth], one
                          of first .. first + count - 1 of that node; default: untried children
                          first, then the highest score
    shared(self, game, parts, tree, work, depth, n, log)   the part of the formula that is the
                          same for all children: n visits of the parent, log = ln n; default: 0.0
    terms(self, shared, tree, child, visits, inverse, root, mean)   the terms whose sum is the
                          child's score, finite numbers: inverse = 1 / visits, root =
                          sqrt(1 / visits), mean as the backup rule sees it. ``TERMS`` names them
    score(self, shared, tree, child, visits, inverse, root, mean)   the score itself; default: the
                          sum of the terms
    weights(self, game, parts, tree, work, depth)   of a rule that draws: write the probability of
                          every child of path[depth] to work.scores; no default
    mixed(self)           shall the moves of a new node be put in random order? Where untried
                          children are not drawn, ties go to the one that stands first; default: no
    prepare(self, game, s, tree, first, count, work)   these children, of a node with state s, were
                          just made: write what the formula keeps with each of them
    arrive(self, game, s, tree, leaf, work)   a simulation has reached this leaf, state s
    after(self, tree, work, depth)            a simulation has been backed up
    catch_up(self, game, s, tree, node, first, count, work)   a session has switched to this rule:
                          write what it would have kept with this visited node, state s, and with
                          its `count` children from `first` on, whose actions are in work.actions
    renew(self, tree, work, node)             the same on the way up, the children being done
    explain(self, parts, tree, work, node, child)   *plain*: an `Account` of a child, by rules
                          that have neither terms nor weights; no default
    numbers(self, game, parts, tree, work, node, child)   *plain*: what the formula counts with at a
                          child, by name, for `why`, beside N, P, mean and spread
    deciding(self, parts, tree, work, depth)   *plain*: the rule that chooses at path[depth], by
                          rules that hold another; default: this one

**expand**: `wants` at the least
    wants(self, tree, node, visits)   shall this leaf, visited so often before, get children now?
    moves(self, game, s, node, out)   write the moves that become children of this node, state s;
                                    returns how many; default: all legal ones
    prepare(self, game, s, tree, node, first, count, work, rng)   these children were just made;
                                    their node does not know them yet. Returns how many of them
                                    are open to selection from the beginning, 1 or more; default:
                                    all
    swap(self, tree, one, other)    two children without a visit change places: all that is kept
                                    with them does; default: their actions
    widen(self, tree, node)         selection is about to choose among the node's children
    has_untried(self, tree, node)   is there an open child without a visit? Tried children stand
                                    before the others, so by default the last one tells
    in_order(self)                  are untried children tried in the order they stand? default: no
    total(self, tree, node)         how many children there are, open or not; default: all are open
    catch_up(self, game, s, tree, first, count, work)   a session has switched to this rule: write
                                    what it would have kept with these children of a node, state s

    A field called ``priors`` is a part of its own: see `ponder.mcts.priors`.

**evaluate**, the default policy: `estimate` at the least
    estimate(self, game, s, work, rng, longest)   write a utility per player, within the game's
                          range, to work.utilities; may change s, which is work.states[1]; False if
                          the game outlasted `longest` more actions. A rule of your own is not
                          asked about finished games: these count as they are
    given_priors(self)    *plain*: of a rule with PRIORS that is compiled, the priors part that
                          stands in for given() (`ponder.mcts.priors`); no default
    asking(self, position)   *plain*: a `Function` that is asked in place of this rule, or None; no
                          default
    after(self, tree, work, depth)            a simulation has been backed up

**backup**: `update` at the least
    update(self, tree, work, depth)    the path is work.path[0 .. depth], the leaf's utilities are
                          work.utilities: count one visit more of every node on the path, and write
                          what its value follows from
    worth(self, tree, child, inverse)  a visited child's value for the player who chose it, within
                          the range of utilities; default: value * inverse
    shown(self, tree, node, owner)     a node's value as people see it, for the player whom its
                                       statistics belong to: default `worth`, and where nobody
                                       chose the edge (dice, a chance root), the mean. Tables,
                                       trees, events and lines ask nothing else
    arrive(self, game, s, tree, leaf, work)   a simulation has reached this leaf, state s
    settled(self, tree, node)          is the node's value known? Then nobody goes below it;
                          default: no
    recall(self, tree, node, out)      write the value of a settled node, one utility per player
    closed(self, tree, node, child)    may selection leave this child out? default: no
    catch_up(self, game, s, tree, node, work)   a session has switched to this rule: write what
                          the state s of this visited node says
    renew(self, tree, work, node)      then, from the leaves to the root: the node's value anew,
                          from its ``sums`` and its children

**priors** and **fpu**, inside others
    fill(self, game, s, tree, first, count, work)   see `ponder.mcts.priors`
    value(self, tree, mean, mass)   see `ponder.mcts.select.puct`

**decide** runs once per search, in plain Python: see `ponder.mcts.decide`
    best(self, rows, seed)             *plain*: the index of the chosen row
    agreed(self, rows)                 *plain*: may the search end? default: yes

Rules that are not of this package are looked after (`ponder.mcts.watched`): a choice that is no
child, a score or a value that is not a finite number, more children opened than there are, an
estimate outside the range, and an update that does not count the visits end the search with one
line.

Any part may have the class attributes ``NEEDS``, fields of `ponder.mcts.tree.EXTRA_FIELDS` that it
keeps with every node, ``TRACE = True`` where it reads `work.trace`, and ``PRIORS = True`` where an
evaluate rule gives priors (`ponder.jit.constants` writes them); and the *plain* methods
``problem(self)``, a sentence if its parameters do not fit together, ``memory(self, spec,
simulations)``, a NamedTuple of arrays that it keeps for the whole search (found at
work.memory.select, .expand, .evaluate, .backup), ``fitted(self, position)``, the part with the
parameters that depend on the position filled in, and ``refusal(self, position, engine)``, a
sentence if it cannot work there. Threads in one tree share the memory, unless it has a method
``for_thread(self)``, which makes one of its own for each: for scratch space, not for tables.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.core.parts import distinguish, is_ours
from ponder.core.position import Position
from ponder.core.registry import NEEDED, RULE_EXAMINERS, load, misplaced
from ponder.errors import InputError
from ponder.mcts.backup.mean import GraphMean, Mean
from ponder.mcts.defaults import DEFAULTS, NoMemory
from ponder.mcts.expand import NthVisit, OneChild, Progressive
from ponder.mcts.keep import Keep, NoKeep, keep_for, new_kept
from ponder.mcts.priors import GivenPriors
from ponder.mcts.tree import MoveTrace, NoMoveTrace
from ponder.mcts.watched import watched


class Parts(NamedTuple):
    """What kernels get."""

    select: Any
    expand: Any
    evaluate: Any
    backup: Any
    keep: Any = NoKeep()


COMPILED_KINDS = ("select", "expand", "evaluate", "backup")
"""The fields of an engine that kernels see; `decide` is plain Python."""


class Memory(NamedTuple):
    """What each part keeps for the whole search."""

    select: Any
    expand: Any
    evaluate: Any
    backup: Any
    keep: Any = NoMemory()


_TERMS = "shared, tree, child, visits, inverse, root, mean"
METHODS = {
    "select": {
        "choose": "game, parts, tree, work, depth, rng",
        "shared": "game, parts, tree, work, depth, n, log",
        "terms": _TERMS,
        "score": _TERMS,
        "weights": "game, parts, tree, work, depth",
        "mixed": "",
        "prepare": "game, s, tree, first, count, work",
        "arrive": "game, s, tree, leaf, work",
        "after": "tree, work, depth",
        "catch_up": "game, s, tree, node, first, count, work",
        "renew": "tree, work, node",
        "explain": "parts, tree, work, node, child",
        "numbers": "game, parts, tree, work, node, child",
        "deciding": "parts, tree, work, depth",
    },
    "expand": {
        "wants": "tree, node, visits",
        "moves": "game, s, node, out",
        "prepare": "game, s, tree, node, first, count, work, rng",
        "swap": "tree, one, other",
        "widen": "tree, node",
        "has_untried": "tree, node",
        "in_order": "",
        "total": "tree, node",
        "catch_up": "game, s, tree, first, count, work",
    },
    "evaluate": {
        "estimate": "game, s, work, rng, longest",
        "given_priors": "",
        "asking": "position",
        "after": "tree, work, depth",
    },
    "backup": {
        "update": "tree, work, depth",
        "worth": "tree, child, inverse",
        "shown": "tree, node, owner",
        "arrive": "game, s, tree, leaf, work",
        "settled": "tree, node",
        "recall": "tree, node, out",
        "closed": "tree, node, child",
        "catch_up": "game, s, tree, node, work",
        "renew": "tree, work, node",
    },
    "priors": {"fill": "game, s, tree, first, count, work"},
    "fpu": {"value": "tree, mean, mass"},
    "decide": {"best": "rows, seed", "agreed": "rows"},
}
"""The arguments, besides self, of every method that a part of each kind may have."""
ANY_KIND = {
    "problem": "",
    "memory": "spec, simulations",
    "fitted": "position",
    "refusal": "position, engine",
}
"""Those that a part of any kind may have."""


def completed(kind: str, part: Any) -> Any:
    """The part, of a class that has the defaults of what it does not say; nested parts as well."""
    cls = type(part)
    if not any(callable(getattr(cls, name, None)) for name in NEEDED[kind]):
        needed = " or ".join(NEEDED[kind])
        raise InputError(f"{misplaced(kind, part)}; one of your own has a method {needed}")
    inner = (
        completed(field, value) if field in DEFAULTS else value
        for field, value in zip(part._fields, part, strict=True)
    )
    return _complete_class(kind, cls)._make(inner)  # type: ignore[arg-type]


@cache
def _complete_class(kind: str, cls: Any) -> Any:
    """The class with the defaults of its kind below it; the class itself stays as it is."""
    if issubclass(cls, DEFAULTS[kind]):
        return cls

    def again(self: Any) -> Any:
        """Pickled as what it was made of: no module has this class."""
        return completed, (kind, cls._make(self))

    names = ("__module__", "__qualname__", "__doc__")
    body = {"__slots__": (), "__reduce__": again, **{name: getattr(cls, name) for name in names}}
    made = type(cls.__name__, (cls, DEFAULTS[kind]), body)
    distinguish(made)
    return made


def parts_of(engine: Any, position: Position) -> Parts:
    """The engine's four compiled parts, fitted to the position and ready for kernels."""
    if not all(is_ours(type(getattr(engine, kind))) for kind in COMPILED_KINDS):
        for target in RULE_EXAMINERS.values():
            load(target)(engine, position)
    made = []
    for kind in COMPILED_KINDS:
        part = completed(kind, getattr(engine, kind))
        sentence = part.refusal(position, engine)
        if sentence:
            raise InputError(sentence)
        fitted = completed(kind, part.fitted(position))
        made.append(watched(kind, fitted, position.rules.spec))
    return with_given_priors(Parts(*made))


def with_given_priors(parts: Parts) -> Parts:
    """The parts, with the evaluator's own priors where the expand rule takes given ones.

    A compiled evaluate rule with priors has the *plain* method ``given_priors(self)``, a priors
    part; one that is called from outside writes them itself.
    """
    if not isinstance(getattr(parts.expand, "priors", None), GivenPriors):
        return parts
    if not hasattr(parts.evaluate, "given_priors"):
        return parts
    priors = completed("priors", parts.evaluate.given_priors())
    return parts._replace(expand=parts.expand._replace(priors=priors))


def with_keep(parts: Parts, spec: Spec, dice: bool) -> Parts:
    """The parts, with what they leave out noted for rules to come."""
    return parts._replace(keep=keep_for(fields_of(parts), spec, dice))


def for_graphs(parts: Parts, spec: Spec) -> Parts:
    """The parts for a tree whose positions share children: means must not be running sums."""
    if spec.players > 2 or (spec.players == 2 and not spec.zero_sum):
        raise InputError("transpositions are for one player, or two with opposite interests")
    if isinstance(parts.expand, Progressive):  # edges that find a position do not know its moves
        raise InputError("progressive() opens children for one edge alone: not with transpositions")

    def changed(part: Any) -> Any:
        if isinstance(part, Mean):
            return completed("backup", GraphMean())
        if "backup" in getattr(part, "_fields", ()):
            return part._replace(backup=changed(part.backup))
        return part

    return parts._replace(expand=looking(parts.expand), backup=changed(parts.backup))


def looking(expand: Any) -> Any:
    """The expand rule, made to look for untried children where a node's visits do not tell.

    `OneChild` counts on one visit per child. In graphs, with several threads, and after recycling
    (then UCB1's scores find untried children) a node may have more visits, or fewer.
    """
    return completed("expand", NthVisit(2)) if isinstance(expand, OneChild) else expand


def fields_of(parts: Parts) -> set[str]:
    """The node fields that the parts of the engine need."""
    return set().union(*(needs_of(getattr(parts, kind)) for kind in COMPILED_KINDS))


def needs_of(part: Any) -> set[str]:
    """The node fields that a part and the parts inside it need."""
    inner = [needs_of(value) for value in part if hasattr(type(value), "NEEDS")]
    return set(type(part).NEEDS).union(*inner)


def wants_trace(part: Any) -> bool:
    """Does the part, or one inside it, read the moves of the simulation?"""
    return bool(type(part).TRACE) or any(
        wants_trace(value) for value in part if hasattr(type(value), "TRACE")
    )


def trace_for(parts: Parts, spec: Spec) -> Any:
    """`NoMoveTrace`, unless a part reads the moves of the simulation."""
    engine = (getattr(parts, kind) for kind in COMPILED_KINDS)
    if not isinstance(parts.keep, Keep) and not any(map(wants_trace, engine)):
        return NoMoveTrace()
    actions = spec.distinct_actions or spec.max_actions
    longest = spec.max_length + 2
    return MoveTrace(
        np.zeros(longest, np.int32),
        np.zeros(longest, np.int8),
        np.zeros(1, np.int64),
        np.full((spec.players, actions), -1, np.int32),
    )


def memory_for(parts: Parts, spec: Spec, simulations: int | None) -> Memory:
    made = {kind: getattr(parts, kind).memory(spec, simulations) for kind in COMPILED_KINDS}
    kept = NoMemory() if isinstance(parts.keep, NoKeep) else new_kept(parts.keep, spec)
    return Memory(**made, keep=kept)


def for_thread(memory: Any) -> Any:
    """The memory of a part as one of several threads uses it: scratch space of its own."""
    return memory.for_thread() if hasattr(memory, "for_thread") else memory
