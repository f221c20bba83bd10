"""Property trading in words: the board for people, positions to type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ponder.core.game import rules_of
from ponder.errors import InputError, quoted
from ponder.games.property_trading.boards import DECK, FERRY, STREET, mates
from ponder.games.property_trading.rules import (
    AUCTION,
    BIDS,
    DEBT,
    DRAW,
    MORTGAGED,
    MOST_HOUSES,
    OFFER,
    PLAN,
    THROW,
    TRIES,
)

if TYPE_CHECKING:
    from ponder.games.property_trading.game import PropertyTrading

PHASES = ("plan", "throw", "offer", "auction", "draw", "debt")
MOST_CASH = 1_000_000
EXAMPLE = "plan player 1 turn 7 cash 80-35 at 5-1 held 0-0 owned 1:0=0,3:0=2 drawn 1"
_FORM = re.compile(
    r"(?P<phase>\w+) player (?P<player>\d) turn (?P<turn>\d{1,5}) cash (?P<cash>[\d-]+) "
    r"at (?P<at>[\d-]+) held (?P<held>[\dx-]+) owned (?P<owned>[\d:=m,]+|-) "
    r"drawn (?P<drawn>[\d,]+|-)(?: from (?P<pointer>\d{1,2}))?"
    r"(?: asked (?P<asked>\d) bid (?P<bid>\d) by (?P<bidder>\d|-) passed (?P<passed>[\d,]+|-))?"
    r"(?: owes (?P<debt>\d{1,6}) to (?P<creditor>\d|-))?",
    re.ASCII,
)


def board_text(game: PropertyTrading, s: Any) -> str:
    """Who has what, and what comes next."""
    data, lines = game.data(), []
    width = max(len(one.name) for one in data.squares)
    for i, one in enumerate(data.squares):
        here = "".join(str(p) for p in range(game.players) if s.place[p] == i and not s.out[p])
        line = f"{here:>{game.players}} {i:>2} {one.name:<{width}}"
        if one.kind in (STREET, FERRY):
            line += f" {one.price:>4}"
            if s.owner[i]:
                houses = int(s.houses[i])
                state = "mortgaged" if houses == MORTGAGED else "#" * houses
                line += f"  player {s.owner[i] - 1} {state}"
        lines.append(line.rstrip())
    rules = rules_of(game)
    for p in range(game.players):
        held = f", in the lockup, try {s.held[p]}" if s.held[p] else ""
        line = f"player {p}: cash {s.cash[p]}, wealth {rules.wealth(s, p):g}{held}"
        lines.append(f"player {p} has dropped out" if s.out[p] else line)
    lines.append(what_comes(game, s))
    return "\n".join(lines)


def what_comes(game: PropertyTrading, s: Any) -> str:
    """Whose decision it is, and about what."""
    if rules_of(game).is_terminal(s):
        return f"the game is over after {s.turns} turns"
    place = game.data().squares[s.place[s.player]].name
    who = {
        PLAN: f"player {s.player} may build, sell, mortgage or redeem, then rolls",
        THROW: f"player {s.player} throws the dice",
        OFFER: f"player {s.player} may buy {place}",
        AUCTION: f"auction of {place}: {_bid(game, s)}; player {s.asked} is asked",
        DRAW: f"player {s.player} draws a card",
        DEBT: f"player {s.player} owes {s.debt} and must sell or mortgage",
    }
    return f"{who[int(s.phase)]} (turn {s.turns + 1} of {game.turns})"


def _bid(game: PropertyTrading, s: Any) -> str:
    if not s.bidder:
        return "no bid yet"
    return f"player {s.bidder - 1} bids {game.bid_price(s, int(s.bid))}"


def _list(numbers: list[int]) -> str:
    return ",".join(map(str, numbers)) or "-"


def position_text(game: PropertyTrading, s: Any) -> str:
    players = range(game.players)
    owned = [
        f"{i}:{owner - 1}={'m' if s.houses[i] == MORTGAGED else int(s.houses[i])}"
        for i, owner in enumerate(map(int, s.owner))
        if owner
    ]
    drawn = [i for i in range(len(game.data().cards)) if int(s.drawn) >> i & 1]
    words = [
        f"{PHASES[s.phase]} player {s.player} turn {s.turns}",
        f"cash {'-'.join(str(int(s.cash[p])) for p in players)}",
        f"at {'-'.join(str(int(s.place[p])) for p in players)}",
        f"held {'-'.join('x' if s.out[p] else str(int(s.held[p])) for p in players)}",
        f"owned {','.join(owned) or '-'} drawn {_list(drawn)}",
    ]
    if s.pointer:
        words.append(f"from {s.pointer}")
    if s.phase == AUCTION:
        passed = [p for p in players if int(s.passed) >> p & 1]
        bidder = int(s.bidder) - 1 if s.bidder else "-"
        words.append(f"asked {s.asked} bid {s.bid} by {bidder} passed {_list(passed)}")
    if s.phase == DEBT:
        words.append(f"owes {s.debt} to {int(s.creditor) - 1 if s.creditor else '-'}")
    return " ".join(words)


def parse_position(game: PropertyTrading, words: str, s: Any) -> None:
    found = _FORM.fullmatch(words.strip())
    if not found or found["phase"] not in PHASES:
        raise InputError(
            f"{quoted(words)} is not a position of property_trading, such as {EXAMPLE} (what comes "
            "next, whose turn, turns over; for each player cash, square, tries in the lockup or x; "
            "squares:owner=houses or m for mortgaged; cards drawn)"
        )
    _players(game, found, s)
    _owned(game, found["owned"], s)
    cards = _numbers(found["drawn"], len(game.data().cards) - 1, "cards drawn")
    s.drawn = sum(1 << card for card in cards)
    if len(cards) == len(game.data().cards):
        raise InputError("when the last card is drawn all are shuffled again: drawn -")
    s.pointer = int(found["pointer"] or 0)
    if s.pointer and (found["phase"] != "plan" or s.pointer > len(game.data().squares)):
        raise InputError("from is written where somebody plans: the first square still to come")
    _phase(game, found, s)


def _players(game: PropertyTrading, found: re.Match[str], s: Any) -> None:
    data = game.data()
    columns = [found[name].split("-") for name in ("cash", "at", "held")]
    if any(len(column) != game.players or "" in column for column in columns):
        raise InputError(f"cash, at and held have {game.players} numbers each, joined by -")
    for p, (cash, place, held) in enumerate(zip(*columns, strict=True)):
        if held not in ("x", *map(str, range(TRIES + 1))):
            raise InputError(f"held is 0 to {TRIES} tries, or x for who has dropped out")
        if len(cash) > 7 or int(cash) > MOST_CASH:
            raise InputError(f"nobody has more than {MOST_CASH} in cash")
        if len(place) > 2 or int(place) >= len(data.squares):
            raise InputError(f"squares are numbered 0 to {len(data.squares) - 1}")
        s.cash[p], s.place[p], s.out[p] = int(cash), int(place), held == "x"
        s.held[p] = 0 if held == "x" else int(held)
        if s.held[p] and s.place[p] != data.jail:
            raise InputError(f"who is held is at square {data.jail}")
    s.player, s.turns = int(found["player"]), int(found["turn"])
    if s.player >= game.players:
        raise InputError(f"players are numbered 0 to {game.players - 1}")
    if s.turns > game.turns:
        raise InputError(f"the game is over after {game.turns} turns")


def _owned(game: PropertyTrading, words: str, s: Any) -> None:
    data = game.data()
    for word in [] if words == "-" else words.split(","):
        found = re.fullmatch(r"(\d{1,2}):(\d)=(\d|m)", word, re.ASCII)
        square = int(found[1]) if found else -1
        if not found or square >= len(data.squares):
            raise InputError(f"{quoted(word)} is not a square, its owner and its houses: 3:0=2")
        one = data.squares[square]
        if one.kind not in (STREET, FERRY) or s.owner[square]:
            raise InputError(f"square {square} cannot be owned, or is named twice")
        if int(found[2]) >= game.players or s.out[int(found[2])]:
            raise InputError(f"player {found[2]} does not play: square {square} is not his")
        houses = MORTGAGED if found[3] == "m" else int(found[3])
        if houses > (MOST_HOUSES if one.kind == STREET else 0):
            raise InputError(f"square {square} has 0 to {MOST_HOUSES} houses, a ferry none")
        s.owner[square], s.houses[square] = int(found[2]) + 1, houses
    for square, one in enumerate(data.squares):
        group = [square, *mates(data, square)]
        built = [int(s.houses[i]) for i in group]
        if one.kind == STREET and max(built) > 0:
            whole = len({int(s.owner[i]) for i in group}) == 1
            if not whole or max(built) - min(built) > 1 or min(built) < 0:
                raise InputError(
                    f"houses stand evenly on all streets of one owner's group: not so at {square}"
                )


def _phase(game: PropertyTrading, found: re.Match[str], s: Any) -> None:
    """What comes next, and what belongs to it."""
    rules, phase = rules_of(game), PHASES.index(found["phase"])
    s.phase = phase
    over = bool(rules.is_terminal(s))
    if over and (phase != THROW or found["asked"] or found["debt"] or found["pointer"]):
        raise InputError("the game is over: what comes next is written throw")
    if not over and s.out[s.player]:
        raise InputError(f"player {s.player} has dropped out: it cannot be his turn")
    if (found["asked"] is not None) != (phase == AUCTION):
        raise InputError("an auction, and nothing else, has: asked 0 bid 1 by 1 passed -")
    if (found["debt"] is not None) != (phase == DEBT):
        raise InputError("a debt, and nothing else, has: owes 40 to 1 (or - for the bank)")
    place = int(s.place[s.player])
    one = game.data().squares[place]
    free = one.kind in (STREET, FERRY) and not s.owner[place]
    if phase in (OFFER, AUCTION) and not free:
        raise InputError(f"{one.name} is not for sale")
    if phase == OFFER and s.cash[s.player] < one.price:
        raise InputError(f"player {s.player} cannot pay {one.price}: it is an auction at once")
    if phase == DRAW and one.kind != DECK:
        raise InputError(f"no card is drawn at {one.name}")
    if phase == AUCTION:
        _auction(game, found, s)
    if phase == DEBT:
        s.debt = int(found["debt"])
        s.creditor = 0 if found["creditor"] == "-" else int(found["creditor"]) + 1
        if s.creditor > game.players or s.creditor == s.player + 1 or s.out[s.creditor - 1]:
            raise InputError("the debt is to another player who has not dropped out, or to -")
    if not over and phase in (PLAN, DEBT) and not _has_choice(game, s):
        raise InputError(f"player {s.player} has nothing to choose: no such {PHASES[phase]}")
    if phase == DEBT and s.cash[s.player] >= s.debt:
        raise InputError("who has enough pays at once: no debt")


def _has_choice(game: PropertyTrading, s: Any) -> bool:
    rules, first = rules_of(game), int(s.pointer) if s.phase == PLAN else 0
    managed = any(
        rules.may_manage(s, square, kind)
        for square in range(first, len(game.data().squares))
        if s.owner[square] == s.player + 1
        for kind in range(4)
    )
    return managed or bool(s.phase == PLAN and rules.may_pay_fine(s))


def _auction(game: PropertyTrading, found: re.Match[str], s: Any) -> None:
    s.asked, s.bid = int(found["asked"]), int(found["bid"])
    s.bidder = 0 if found["bidder"] == "-" else int(found["bidder"]) + 1
    passed = _numbers(found["passed"], game.players - 1, "players who passed")
    s.passed = sum(1 << p for p in passed)
    last = game.players - 1
    if s.asked > last or s.bidder > last + 1 or (s.bidder > 0) != (s.bid > 0) or s.bid >= BIDS:
        raise InputError(f"bids have level 0 (nobody's) to {BIDS - 1}, players number 0 to {last}")
    if s.asked in passed or s.asked == s.bidder - 1 or s.out[s.asked]:
        raise InputError("who is asked has not passed, has not bid highest and has not dropped out")
    rules = rules_of(game)
    if rules.bid_price(s, s.bid + 1) > s.cash[s.asked]:
        raise InputError(f"player {s.asked} cannot bid more and would not be asked")
    if s.bidder and rules.bid_price(s, s.bid) > s.cash[s.bidder - 1]:
        raise InputError(f"player {s.bidder - 1} cannot pay the bid")


def _numbers(words: str, last: int, what: str) -> list[int]:
    numbers = [] if words == "-" else [int(word or last + 1) for word in words.split(",")]
    if len(set(numbers)) != len(numbers) or any(n > last for n in numbers):
        raise InputError(f"{what} are different numbers from 0 to {last}, or -")
    return numbers
