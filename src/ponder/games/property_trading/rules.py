"""The rules of property trading: a machine whose `phase` says what comes next.

    PLAN     whose turn it is may build, sell, mortgage, redeem; then he throws (or pays his fine)
    THROW    chance: two dice
    OFFER    he has come to a square that nobody owns: buy it, or leave it to an auction
    AUCTION  `asked` bids more or passes for good
    DRAW     chance: one of the cards not yet drawn
    DEBT     he must sell houses or mortgage until he can pay

A phase in which there is nothing to choose is passed over. Every payment ends the turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Term
from ponder.games.property_trading.boards import (
    ARREST,
    BACK,
    COST,
    DECK,
    DUES,
    FERRY,
    FORWARD,
    GAIN,
    KIND,
    MATES,
    MOST_MATES,
    PAY,
    PRICE,
    PRISON,
    RENT,
    REPAIR,
    STREET,
)

PLAN, THROW, OFFER, AUCTION, DRAW, DEBT = range(6)
# Actions. From BID on the bids, from MANAGE on four for each square, then dice, then cards.
ROLL, PAY_FINE, BUY, LEAVE, PASS, BID = range(6)
BIDS = 4
"""Bids are half the price, the price, one and a half, twice the price."""
MANAGE = BID + BIDS
BUILD, SELL, MORTGAGE, REDEEM = range(4)
MOST_HOUSES, MORTGAGED = 4, -1
RENTS = (1, 4, 10, 22, 34)
"""Times the rent of the bare street, by houses."""
FERRY_RENTS = (0, 15, 35, 60, 90)
"""Percent of the price, by how many ferries their owner has."""
TRIES = 3
"""Throws for a double in the lockup."""
ROUNDS_AHEAD = 12
"""The estimate looks no further ahead."""


class PropertyTradingRules(NamedTuple):
    table: Any  # [squares, 7] i4: see `ponder.games.property_trading.boards`
    cards: Any  # [cards, 2] i4
    players: int
    turns: int
    sides: int
    jail: int
    cash: int
    salary: int
    fine: int

    def start(self, s):
        for p in range(self.players):
            s.cash[p] = self.cash
        s.phase = THROW

    def current_player(self, s):
        if s.phase == THROW or s.phase == DRAW:
            return CHANCE
        return np.int64(s.asked) if s.phase == AUCTION else np.int64(s.player)

    def first_throw(self):
        return MANAGE + 4 * self.table.shape[0]

    def first_card(self):
        return self.first_throw() + 4 * self.sides - 2

    # ------------------------------------------------------------ chance

    def chance_outcomes(self, s, out, p):
        n = 0
        if s.phase == DRAW:
            for card in range(self.cards.shape[0]):
                if s.drawn >> card & 1 == 0:
                    out[n] = self.first_card() + card
                    n += 1
            for i in range(n):
                p[i] = 1.0 / n
            return n
        share = 1.0 / (self.sides * self.sides)
        for total in range(2, 2 * self.sides + 1):  # of which a double is one way at most
            ways = min(total - 1, 2 * self.sides + 1 - total)
            first = self.first_throw() + 2 * (total - 2)
            if total % 2 == 0:
                out[n], p[n] = first + 1, share
                n += 1
                ways -= 1
            if ways > 0:
                out[n], p[n] = first, share * ways
                n += 1
        return n

    # ------------------------------------------------------------ decisions

    def legal_actions(self, s, out):
        n = 0
        if s.phase == OFFER:
            out[0], out[1] = BUY, LEAVE
            return 2
        if s.phase == AUCTION:
            out[0] = PASS
            n = 1
            for level in range(np.int64(s.bid) + 1, BIDS + 1):
                if self.bid_price(s, level) <= s.cash[s.asked]:
                    out[n] = BID + level - 1
                    n += 1
            return n
        first = np.int64(0)
        if s.phase == PLAN:
            out[0] = ROLL
            n = 1
            if self.may_pay_fine(s):
                out[1] = PAY_FINE
                n = 2
            first = np.int64(s.pointer)
        for square in range(first, self.table.shape[0]):
            if s.owner[square] == s.player + 1:
                for kind in range(4):
                    if self.may_manage(s, square, kind):
                        out[n] = MANAGE + 4 * square + kind
                        n += 1
        return n

    def may_pay_fine(self, s):
        return s.held[s.player] > 0 and s.cash[s.player] >= self.fine

    def may_manage(self, s, square, kind):
        """May the owner, whose turn it is, do this with the square? In debt: what brings money."""
        houses = s.houses[square]
        if kind == REDEEM:
            dear = s.cash[s.player] < self.redemption(square)
            return s.phase == PLAN and houses == MORTGAGED and not dear
        if houses == MORTGAGED:
            return False
        if kind == MORTGAGE:
            return self.most_houses(s, square) == 0
        if kind == SELL:
            return houses > 0 and houses == self.most_houses(s, square)
        return (
            s.phase == PLAN
            and self.table[square, KIND] == STREET
            and houses < MOST_HOUSES
            and s.cash[s.player] >= self.table[square, COST]
            and self.fewest_houses(s, square) == houses
        )

    def most_houses(self, s, square):
        """On any street of the group."""
        most = np.int64(s.houses[square])
        for i in range(MOST_MATES):
            mate = self.table[square, MATES + i]
            if mate >= 0:
                most = max(most, np.int64(s.houses[mate]))
        return most

    def fewest_houses(self, s, square):
        """On any street of the group; MORTGAGED where one is, or belongs to somebody else."""
        fewest = np.int64(s.houses[square])
        for i in range(MOST_MATES):
            mate = self.table[square, MATES + i]
            if mate >= 0:
                if s.owner[mate] != s.owner[square]:
                    return np.int64(MORTGAGED)
                fewest = min(fewest, np.int64(s.houses[mate]))
        return fewest

    def owned_of_group(self, s, square):
        """How many squares of the group its owner has, and are they all?"""
        owned, whole = 1, True
        for i in range(MOST_MATES):
            mate = self.table[square, MATES + i]
            if mate >= 0:
                if s.owner[mate] == s.owner[square]:
                    owned += 1
                else:
                    whole = False
        return owned, whole

    def redemption(self, square):
        """Half the price and a tenth of that, rounded up."""
        half = self.table[square, PRICE] // 2
        return (11 * half + 9) // 10

    def bid_price(self, s, level):
        return self.table[s.place[s.player], PRICE] * level // 2

    def rent(self, s, square):
        owned, whole = self.owned_of_group(s, square)
        if self.table[square, KIND] == FERRY:
            return self.table[square, PRICE] * FERRY_RENTS[owned] // 100
        houses = np.int64(s.houses[square])
        if houses == 0 and whole:
            return 2 * self.table[square, RENT]
        return RENTS[houses] * self.table[square, RENT]

    # ------------------------------------------------------------ what actions do

    def apply_action(self, s, a):
        a = np.int64(a)
        if s.phase == THROW:
            self.thrown(s, (a - self.first_throw()) // 2 + 2, (a - self.first_throw()) % 2 == 1)
        elif s.phase == DRAW:
            self.draw(s, a - self.first_card())
        elif s.phase == OFFER:
            if a == BUY:
                square = np.int64(s.place[s.player])
                s.cash[s.player] -= self.table[square, PRICE]
                s.owner[square] = s.player + 1
                self.end_turn(s)
            else:
                self.open_auction(s)
        elif s.phase == AUCTION:
            if a == PASS:
                s.passed |= 1 << np.int64(s.asked)
            else:
                s.bid = a - BID + 1
                s.bidder = s.asked + 1
            self.ask_next(s)
        elif a == ROLL:
            s.phase, s.pointer = THROW, 0
        elif a == PAY_FINE:
            s.cash[s.player] -= self.fine
            s.held[s.player] = 0
            self.plan(s)
        else:
            self.manage(s, (a - MANAGE) // 4, (a - MANAGE) % 4)
            if s.phase == DEBT:
                self.settle(s)
            else:
                s.pointer = (a - MANAGE) // 4 + 1
                self.plan(s)

    def plan(self, s):
        """Choose what to do before the throw, where there is a choice."""
        s.phase = PLAN
        if self.may_pay_fine(s):
            return
        for square in range(np.int64(s.pointer), self.table.shape[0]):
            if s.owner[square] == s.player + 1:
                for kind in range(4):
                    if self.may_manage(s, square, kind):
                        return
        s.phase, s.pointer = THROW, 0

    def manage(self, s, square, kind):
        if kind == BUILD:
            s.cash[s.player] -= self.table[square, COST]
            s.houses[square] += 1
        elif kind == SELL:
            s.cash[s.player] += self.table[square, COST] // 2
            s.houses[square] -= 1
        elif kind == MORTGAGE:
            s.cash[s.player] += self.table[square, PRICE] // 2
            s.houses[square] = MORTGAGED
        else:
            s.cash[s.player] -= self.redemption(square)
            s.houses[square] = 0

    def thrown(self, s, total, double):
        p = np.int64(s.player)
        if s.held[p] > 0 and not double:
            if s.held[p] == TRIES:  # the last try: he pays, and goes from here next turn
                s.held[p] = 0
                self.charge(s, self.fine, 0)
            else:
                s.held[p] += 1
                self.end_turn(s)
            return
        s.held[p] = 0
        self.forward(s, (np.int64(s.place[p]) + total) % self.table.shape[0])

    def forward(self, s, square):
        """Go on to a square, past the start if need be."""
        if square <= s.place[s.player]:
            s.cash[s.player] += self.salary
        s.place[s.player] = square
        self.land(s, square)

    def land(self, s, square):
        kind = self.table[square, KIND]
        if kind == DECK:
            s.phase = DRAW
        elif kind == DUES:
            self.charge(s, self.table[square, PRICE], 0)
        elif kind == ARREST:
            self.arrest(s)
        elif kind not in (STREET, FERRY) or s.owner[square] == s.player + 1:
            self.end_turn(s)
        elif s.owner[square] == 0:
            if s.cash[s.player] >= self.table[square, PRICE]:
                s.phase = OFFER
            else:
                self.open_auction(s)
        elif s.houses[square] != MORTGAGED:
            self.charge(s, self.rent(s, square), np.int64(s.owner[square]))
        else:
            self.end_turn(s)

    def arrest(self, s):
        s.place[s.player] = self.jail
        s.held[s.player] = 1
        self.end_turn(s)

    def draw(self, s, card):
        s.drawn |= 1 << card
        if s.drawn == (1 << self.cards.shape[0]) - 1:
            s.drawn = 0  # shuffled again
        kind, amount = self.cards[card, 0], self.cards[card, 1]
        if kind == GAIN:
            s.cash[s.player] += amount
            self.end_turn(s)
        elif kind == PAY:
            self.charge(s, amount, 0)
        elif kind == REPAIR:
            self.charge(s, amount * self.houses_of(s, s.player), 0)
        elif kind == FORWARD:
            self.forward(s, amount)
        elif kind == BACK:
            squares = self.table.shape[0]
            square = (np.int64(s.place[s.player]) - amount + squares) % squares
            s.place[s.player] = square
            self.land(s, square)
        elif kind == PRISON:
            self.arrest(s)

    def houses_of(self, s, p):
        n = 0
        for square in range(self.table.shape[0]):
            if s.owner[square] == p + 1:
                n += max(0, np.int64(s.houses[square]))
        return n

    # ------------------------------------------------------------ auctions

    def open_auction(self, s):
        s.phase = AUCTION
        s.asked = s.player
        self.ask_next(s)

    def ask_next(self, s):
        """The next in turn who can bid more; if there is none, the highest bid takes it."""
        p = np.int64(s.asked)
        for _ in range(self.players):
            p = p + 1 if p + 1 < self.players else np.int64(0)
            silent = s.out[p] != 0 or (s.passed >> p & 1) != 0 or s.bidder == p + 1
            if not silent and s.bid < BIDS and self.bid_price(s, s.bid + 1) <= s.cash[p]:
                s.asked = p
                return
        if s.bidder > 0:
            square = np.int64(s.place[s.player])
            s.cash[s.bidder - 1] -= self.bid_price(s, s.bid)
            s.owner[square] = s.bidder
        self.end_turn(s)

    # ------------------------------------------------------------ payments, ends

    def charge(self, s, amount, creditor):
        """Pay the bank (creditor 0) or player creditor - 1, then the turn is over."""
        s.debt = amount
        s.creditor = creditor
        self.settle(s)

    def settle(self, s):
        """Pay if there is enough; else sell; where there is nothing left to sell, drop out."""
        p = np.int64(s.player)
        if s.cash[p] < s.debt:
            s.phase = DEBT
            for square in range(self.table.shape[0]):
                if s.owner[square] == p + 1 and (
                    self.may_manage(s, square, SELL) or self.may_manage(s, square, MORTGAGE)
                ):
                    return
            s.debt = s.cash[p]
            s.out[p] = 1
            for square in range(self.table.shape[0]):
                if s.owner[square] == p + 1:  # all mortgaged by now
                    s.owner[square] = s.creditor
                    if s.creditor == 0:
                        s.houses[square] = 0
        s.cash[p] -= s.debt
        if s.creditor > 0:
            s.cash[s.creditor - 1] += s.debt
        self.end_turn(s)

    def end_turn(self, s):
        s.turns += 1
        s.debt, s.creditor = 0, 0
        s.bid, s.bidder, s.passed, s.asked, s.pointer = 0, 0, 0, 0, 0
        s.phase = THROW
        if not self.is_terminal(s):
            p = np.int64(s.player)
            for _ in range(self.players):
                p = p + 1 if p + 1 < self.players else np.int64(0)
                if s.out[p] == 0:
                    break
            s.player = p
            self.plan(s)

    def is_terminal(self, s):
        return s.turns >= self.turns or self.playing(s) == 1

    def playing(self, s):
        """How many have not dropped out?"""
        n = 0
        for p in range(self.players):
            if s.out[p] == 0:
                n += 1
        return n

    def returns(self, s, out):
        for p in range(self.players):
            out[p] = self.wealth(s, p)
        self.share(out)

    def wealth(self, s, p):
        """Cash, streets at their price (half of it if mortgaged), houses at what they cost."""
        worth = np.int64(s.cash[p])
        for square in range(self.table.shape[0]):
            if s.owner[square] == p + 1:
                houses, price = np.int64(s.houses[square]), np.int64(self.table[square, PRICE])
                if houses == MORTGAGED:
                    worth += price - price // 2
                else:
                    worth += price + houses * self.table[square, COST]
        return float(worth)

    def share(self, out):
        """Of the whole: 1 for all of it, 0 for as much as everybody else has."""
        total = 0.0
        for p in range(self.players):
            total += out[p]
        for p in range(self.players):
            share = out[p] / total if total > 0.0 else 1.0 / self.players
            out[p] = (self.players * share - 1.0) / (self.players - 1)

    # ------------------------------------------------------------ the estimate

    def evaluate(self, s, out):
        """The share of wealth, with the rents that may still come in counted to it."""
        visits = self.visits(s)
        for p in range(self.players):
            out[p] = self.wealth(s, p) + visits * self.rents(s, p)
        self.share(out)

    def visits(self, s):
        """How often the others will come to one square: as if all squares were equally likely."""
        if self.is_terminal(s):
            return 0.0
        playing = self.playing(s)
        rounds = min(ROUNDS_AHEAD, (self.turns - np.int64(s.turns)) / playing)
        return rounds * (playing - 1) / self.table.shape[0]

    def rents(self, s, p):
        """Of all squares of the player, as they stand."""
        total = 0
        for square in range(self.table.shape[0]):
            if s.owner[square] == p + 1 and s.houses[square] != MORTGAGED:
                total += self.rent(s, square)
        return float(total)

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        rents = float(self.visits(s)) * float(self.rents(s, player))
        return [Term("wealth", self.wealth(s, player), 1.0), Term("rents to come", rents, 1.0)]

    def squash(self, s: Any, player: int, score: float) -> float:
        """A share of what all have."""
        visits = float(self.visits(s))
        standings = [
            self.wealth(s, p) + visits * float(self.rents(s, p)) for p in range(self.players)
        ]
        total = sum(standings)
        share = score / total if total > 0 else 1 / self.players
        return (self.players * share - 1) / (self.players - 1)
