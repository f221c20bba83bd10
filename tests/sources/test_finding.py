"""A reader who knows a source finds what it says at the first try."""

from __future__ import annotations

import random

import pytest

from ponder.errors import InputError
from ponder.sources.finding import find, stem, words_of
from ponder.sources.statements import read_map

pytestmark = pytest.mark.plain
MAP = read_map()


def numbers(question: str) -> list[int]:
    return [s.number for s in find(question, MAP).statements]


ASKED = {
    "what does the lecture say about beam search, and how do I see it?": 168,
    "transposition table": 169,
    "opening book": 170,
    "endgames with five or six pieces": 171,
    "Chinook": 110,
    "Monopoly": 115,
    "Kriegspiel": 116,
    "utility tuples": 135,
    "Chernoff-Hoeffding": 241,
    "Boltzmann exploration": 233,
    "decaying epsilon": 230,
    "what's wrong with this subtree": 224,
    "backup negamax": 108,
    "best child": 105,
    "number of legal moves": 159,
    "100 seconds": 164,
    "pruning kills the gem": 6,
    "Chang Fu Marcus": 44,
    "central limit theorem": 26,
    "squared norm of theta": 95,
    "cross-entropy": 94,
    "Ruy Lopez alpha-beta": 62,
    "virtual visit": 85,
    "KGS rank": 200,
    "60 55 40": 187,
    "quiescent position": 166,
    "random ordering b^0.75m": 147,
    "asymptotic optimality definition": 225,
    "ϵ-greedy": 228,
}
"""Words of a reader who knows only the source, and the statement meant."""


DRAWN = {
    3: "executive summary, five-year-old, high school: levels",
    25: "the floor is the whole point of selectivity over pruning",
    50: "Table 1 mean squared error",
    80: "edge values kept in nodes",
    84: "small epsilon in the denominator",
    85: "expansion as a visit",
    94: "cross-entropy loss",
    122: "chess utility infinity",
    132: "strategies against suboptimal opponents",
    150: "cannot search to leaves",
    160: "White slightly better",
    215: "definition of a default policy",
    227: "greedy in the limit",
    232: "epsilon 0.2: 0.8 and 0.02",
    248: "applications where they perform best",
}
"""Fifteen statements drawn by a seed, and what a reader of the source alone would ask."""


def test_the_fifteen_are_those_of_the_seed():
    drawn = random.Random(2012).sample(range(1, 251), 15)
    assert sorted(drawn) == list(DRAWN)


@pytest.mark.parametrize("number", DRAWN)
def test_a_statement_drawn_by_a_seed_is_found_at_the_first_try(number):
    assert numbers(DRAWN[number])[0] == number


@pytest.mark.parametrize("question", ASKED)
def test_a_question_leads_to_its_statement_first(question):
    assert numbers(question)[0] == ASKED[question]


def test_all_words_must_be_there():
    for s in find("minimax backups", MAP).statements:
        stems = {stem(word) for word in words_of(" ".join(map(str, s)))}
        assert {stem("minimax"), stem("backups")} <= stems


def test_endings_do_not_matter():
    assert numbers("pruned branch") == numbers("pruning branches") != []


def test_the_name_of_a_source_keeps_to_it():
    assert {s.source for s in find("basel policy", MAP).statements} == {"basel"}
    assert {s.source for s in find("Helmert", MAP).statements} == {"basel"}
    assert len(find("Helmert", MAP).statements) == 38


def test_a_heading_leads_to_all_that_stands_below_it():
    asked = set(numbers("why MCTS"))
    assert {s.number for s in MAP.under("tsinghua", "Why MCTS")} <= asked


def test_a_number_alone_is_a_statement():
    assert numbers("168") == [168]


def test_without_a_statement_that_has_all_words_the_best_come_and_it_says_so():
    found = find("Monopoly Chinook", MAP)
    assert found.partial
    assert {s.number for s in found.statements} >= {110, 115}


def test_a_word_that_is_nowhere_is_told():
    assert find("beam zyzzyva", MAP).missing == ["zyzzyva"]


@pytest.mark.parametrize("typed", ["quiescense", "Hoefding", "transpositon"])
def test_a_misspelt_word_is_answered_with_the_nearest(typed):
    with pytest.raises(InputError, match=r"nearest: (quiescence|hoeffding|transposition)"):
        find(typed, MAP)


def test_a_question_of_empty_words_is_refused():
    with pytest.raises(InputError, match="says nothing to look for"):
        find("what is it", MAP)
