"""Statements by the words of a reader: what ``ponder sources WORD...`` looks up.

A statement is found if every word of the question occurs in it, in any of its fields; endings
count for little (*prune* finds *pruning*), and words that say nothing (*what*, *how*, *about*) are
left out. A word that names a source (*basel*, *coulom*) keeps to that source; a number alone is
a statement's. Where no statement has all the words, those come that have the rarest of them.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

from ponder.errors import InputError, quoted
from ponder.sources.statements import Map, Statement

_SILENT = """
a about all an and any are as at be been but by can command could describe did do does each
explain find for from get give given has have here how i if in into is it its lecture lesson let
like look may me my of on one or our page paper say says see should show shows slide slides so
some source sources statement tell than that the their them then there these they this to us was
we were what when where which who why will with would you your
"""
SILENT = frozenset(_SILENT.split())
"""Words that every question may have."""
ENDINGS = (
    *("ations", "ation", "ings", "ing", "ives", "ive", "ers", "er", "ies", "ied"),
    *("es", "ed", "al", "s", "e", "y"),
)
LEAST_STEM = 3
FIELDS = (
    ("heading", 4.0),
    ("words", 5.0),
    ("statement", 4.0),
    ("command", 1.5),
    ("where", 1.5),
    ("reason", 1.0),
    ("state", 1.0),
)
"""Where a word may stand, and how much it counts there (tried on the questions of the tests)."""
WHOLE_HEADING = 20.0
SPELLINGS = {
    "ϵ": " epsilon ",
    "ε": " epsilon ",
    "τ": " tau ",
    "α": " alpha ",
    "β": " beta ",
    "μ": " mu ",
    "σ": " sigma ",
    "θ": " theta ",
    "π": " pi ",
    "√": " sqrt ",
    "γ": " gamma ",
    "λ": " lambda ",
}


class Found(NamedTuple):
    """What a search found."""

    statements: list[Statement]
    """The best first."""
    missing: list[str]
    """Words that no statement of the chosen sources has."""
    partial: bool
    """Does none of them have all the words that occur somewhere?"""


def find(question: str, among: Map) -> Found:
    """The statements that have the words of the question, the best first.

    Refuses a question of which no word occurs, with the nearest words there are.
    """
    asked = words_of(question)
    sources = [key for key in among.sources if any(names(among, key, word) for word in asked)]
    pool = [s for s in among.statements if not sources or s.source in sources]
    numbered = [s for s in pool if asked == [str(s.number)]]
    if numbered:
        return Found(numbered, [], False)
    wanted = [
        word
        for word in dict.fromkeys(asked)
        if word not in SILENT and not any(names(among, key, word) for key in sources)
    ]
    if not wanted:
        if sources:
            return Found(pool, [], False)
        raise InputError(
            f"{quoted(question)} says nothing to look for: name a thing, such as alpha-beta, or a "
            f"source: {', '.join(among.sources)}"
        )
    stems = {word: stem(word) for word in wanted}
    index = {s.number: {f: stems_of(field(s, f)) for f, _ in FIELDS} for s in pool}
    rarity = {
        word: math.log(1 + len(pool) / max(1, sum(has(index[s.number], stems[word]) for s in pool)))
        for word in wanted
    }
    known = [w for w in wanted if any(has(index[s.number], stems[w]) for s in pool)]
    missing = [word for word in wanted if word not in known]
    if not known:
        raise InputError(unknown(missing, among, sources))

    def score(s: Statement) -> float:
        fields = index[s.number]
        return sum(
            rarity[word] * max((w for f, w in FIELDS if stems[word] in fields[f]), default=0.0)
            for word in known
        ) + phrase(question, s)

    having = [s for s in pool if all(has(index[s.number], stems[word]) for word in known)]
    partial = not having
    if partial:
        having = [s for s in pool if any(has(index[s.number], stems[word]) for word in known)]
    ranked = sorted(having, key=lambda s: (-score(s), s.number))
    if partial:  # what has only a common word of the question answers it worse than nothing
        ranked = [s for s in ranked if score(s) >= 0.6 * score(ranked[0])]
    return Found(ranked, missing, partial)


def words_of(text: str) -> list[str]:
    """The words of a text in small letters; signs such as ε are spelled out."""
    text = text.casefold()
    for sign, name in SPELLINGS.items():
        text = text.replace(sign, name)
    return re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text)


def stem(word: str) -> str:
    """The word without its ending: *pruned*, *prunes* and *pruning* are one word."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_STEM:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > LEAST_STEM and word[-1] == word[-2] else word


def stems_of(text: str) -> set[str]:
    return {stem(word) for word in words_of(text)}


def field(s: Statement, name: str) -> str:
    value = getattr(s, name)
    return value if isinstance(value, str) else " ".join(value)


def has(fields: dict[str, set[str]], wanted: str) -> bool:
    return any(wanted in found for found in fields.values())


def names(among: Map, key: str, word: str) -> bool:
    """Does the word stand for the source as a whole?"""
    return word == key or word in among.sources[key].names


def phrase(question: str, s: Statement) -> float:
    """More where words stand side by side in both, as *beam search*; most for a whole heading."""
    asked = [stem(w) for w in words_of(question) if w not in SILENT]
    pairs = set(itertools.pairwise(asked))
    total = WHOLE_HEADING if set(asked) == stems_of(s.heading) else 0.0
    for name, weight in FIELDS[:3]:
        there = [stem(w) for w in words_of(field(s, name))]
        total += weight * len(pairs & set(itertools.pairwise(there)))
    return total


def unknown(missing: Iterable[str], among: Map, sources: list[str]) -> str:
    """One line: what was not found, and the nearest words that would be."""
    vocabulary = {
        word
        for s in among.statements
        for name, _ in FIELDS[:3]
        for word in words_of(field(s, name))
        if word not in SILENT and len(word) > LEAST_STEM and not word.isdecimal()
    }
    vocabulary |= {
        name for source in among.sources.values() for name in (source.key, *source.names)
    }
    near = [close for word in missing for close in get_close_matches(word, sorted(vocabulary), 3)]
    where = f" of {', '.join(sources)}" if sources else ""
    hint = f"; nearest: {', '.join(dict.fromkeys(near))}" if near else ""
    hint = hint or "; ponder sources lists the headings"
    return f"no statement{where} has {quoted(' '.join(missing))}{hint}"
