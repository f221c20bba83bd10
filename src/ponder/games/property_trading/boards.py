"""The two boards of property trading: squares, prices, cards. Names and numbers are our own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

# Kinds of squares. STREET and FERRY can be owned.
QUIET, STREET, FERRY, DUES, DECK, ARREST = range(6)
# Kinds of cards.
GAIN, PAY, REPAIR, FORWARD, BACK, PRISON = range(6)
# Columns of the table of squares: for dues the price is what they cost; mates are the other
# squares of a group, -1 for none.
KIND, PRICE, RENT, COST, MATES = 0, 1, 2, 3, 4
MOST_MATES = 3


class Square(NamedTuple):
    name: str
    kind: int
    price: int = 0
    group: str = ""
    rent: int = 0
    """With one street, no houses."""
    cost: int = 0
    """Of a house."""


class Card(NamedTuple):
    kind: int
    amount: int = 0
    """Money, the square to go to, or how many squares back."""


class BoardData(NamedTuple):
    """A board and what is played with on it."""

    squares: tuple[Square, ...]
    cards: tuple[Card, ...]
    sides: int
    """Of both dice."""
    jail: int
    """The number of its square."""
    cash: int
    """With which everybody begins."""
    salary: int
    fine: int


def _street(name: str, group: str, price: int, cost: int) -> Square:
    return Square(name, STREET, price, group, price // 10, cost)


def _ferry(name: str, price: int) -> Square:
    return Square(name, FERRY, price, "ferries")


TOWN = BoardData(
    squares=(
        Square("Market Cross", QUIET),
        _street("Weaver Row", "clay", 50, 40),
        Square("deck", DECK),
        _street("Dyer Row", "clay", 50, 40),
        _ferry("North Ferry", 140),
        _street("Fuller Row", "clay", 60, 40),
        _street("Alder Walk", "leaf", 90, 50),
        Square("gate toll", DUES, 70),
        _street("Rowan Walk", "leaf", 90, 50),
        _street("Hazel Walk", "leaf", 100, 50),
        Square("the green", QUIET),
        _street("Cooper Lane", "amber", 130, 80),
        _street("Sawyer Lane", "amber", 130, 80),
        Square("deck", DECK),
        _street("Turner Lane", "amber", 140, 80),
        _street("Heron Quay", "water", 160, 90),
        _ferry("East Ferry", 140),
        _street("Plover Quay", "water", 160, 90),
        Square("deck", DECK),
        _street("Curlew Quay", "water", 170, 90),
        Square("lockup", QUIET),
        _street("Copper Yard", "rust", 200, 120),
        _street("Pewter Yard", "rust", 200, 120),
        _ferry("South Ferry", 140),
        _street("Bronze Yard", "rust", 210, 120),
        Square("deck", DECK),
        _street("Lantern Hill", "plum", 230, 130),
        _street("Beacon Hill", "plum", 230, 130),
        Square("market dues", DUES, 110),
        _street("Chimney Hill", "plum", 240, 130),
        Square("the orchard", QUIET),
        _street("Linden Court", "slate", 270, 160),
        _street("Walnut Court", "slate", 270, 160),
        Square("deck", DECK),
        _street("Mulberry Court", "slate", 280, 160),
        Square("to the lockup", ARREST),
        _ferry("West Ferry", 140),
        _street("Dovecote Park", "rose", 310, 180),
        Square("deck", DECK),
        _street("Fountain Park", "rose", 340, 180),
    ),
    cards=(
        Card(GAIN, 20),
        Card(GAIN, 60),
        Card(GAIN, 110),
        Card(GAIN, 160),
        Card(PAY, 10),
        Card(PAY, 45),
        Card(PAY, 90),
        Card(REPAIR, 20),
        Card(FORWARD, 0),
        Card(FORWARD, 16),
        Card(BACK, 6),
        Card(PRISON),
    ),
    sides=6,
    jail=20,
    cash=1100,
    salary=160,
    fine=45,
)

VILLAGE = BoardData(
    squares=(
        Square("pump", QUIET),
        _street("Upper Street", "clay", 20, 10),
        _ferry("Ferry", 30),
        _street("Lower Street", "clay", 20, 10),
        Square("lockup", QUIET),
        Square("deck", DECK),
        Square("toll", DUES, 10),
        Square("to the lockup", ARREST),
    ),
    cards=(Card(GAIN, 10), Card(REPAIR, 10), Card(FORWARD, 0)),
    sides=2,
    jail=4,
    cash=40,
    salary=10,
    fine=10,
)

BOARDS = {"town": TOWN, "village": VILLAGE}


def mates(board: BoardData, square: int) -> list[int]:
    """The other squares of the group."""
    group = board.squares[square].group
    if not group:
        return []
    return [i for i, one in enumerate(board.squares) if one.group == group and i != square]


@lru_cache
def tables(name: str) -> tuple[Any, Any]:
    """Squares and cards as numbers."""
    board = BOARDS[name]
    squares = np.full((len(board.squares), MATES + MOST_MATES), -1, np.int32)
    for i, one in enumerate(board.squares):
        squares[i, :MATES] = one.kind, one.price, one.rent, one.cost
        for j, mate in enumerate(mates(board, i)):
            squares[i, MATES + j] = mate
    return squares, np.array(board.cards, np.int32)
