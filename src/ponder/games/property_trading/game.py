"""Property trading: throw dice, buy streets, build on them, and take rent from who comes there.

Two to four players and chance; `turns` turns in all. Utilities are shares of all wealth at the end:
1 for all of it, 0 for as much as everybody else has. Boards are in `boards.py`, the rules, phase
by phase, in `rules.py`; every rule and simplification is told in docs/games/property_trading.md.

A position is written as words and numbers (`text.py`):
``plan player 1 turn 7 cash 80-35 at 5-1 held 0-0 owned 1:0=0,3:0=2 drawn 1``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.game import Spec, record
from ponder.core.making import registered
from ponder.games.property_trading import drawing, text
from ponder.games.property_trading.boards import (
    BACK,
    BOARDS,
    FERRY,
    FORWARD,
    GAIN,
    PAY,
    PRISON,
    REPAIR,
    STREET,
    BoardData,
    tables,
)
from ponder.games.property_trading.rules import (
    BID,
    BIDS,
    BUILD,
    BUY,
    LEAVE,
    MANAGE,
    MORTGAGE,
    PASS,
    PAY_FINE,
    REDEEM,
    ROLL,
    SELL,
    PropertyTradingRules,
)

FEWEST, MOST, MOST_TURNS = 2, 4, 10_000
FIXED = {ROLL: "roll", PAY_FINE: "pay", BUY: "buy", LEAVE: "leave", PASS: "pass"}
MANAGING = {BUILD: "build", SELL: "sell", MORTGAGE: "mortgage", REDEEM: "redeem"}


@registered
class PropertyTrading(NamedTuple):
    """Streets, rents, houses, mortgages, a lockup, cards and auctions, for two to four players."""

    players: int = 2
    board: str = "town"
    turns: int = 120
    """Of all players together; then the richest is best off."""

    def problem(self) -> str | None:
        if not FEWEST <= self.players <= MOST:
            return f"property_trading is for {FEWEST} to {MOST} players, not {self.players}"
        if self.board not in BOARDS:
            return f"board of property_trading is {' or '.join(BOARDS)}, not {self.board!r}"
        if not 1 <= self.turns <= MOST_TURNS:
            return f"property_trading has 1 to {MOST_TURNS} turns, not {self.turns}"
        return None

    def data(self) -> BoardData:
        return BOARDS[self.board]

    def rules(self) -> PropertyTradingRules:
        data = self.data()
        return PropertyTradingRules(
            *tables(self.board),
            self.players,
            self.turns,
            data.sides,
            data.jail,
            data.cash,
            data.salary,
            data.fine,
        )

    def spec(self) -> Spec:
        data = self.data()
        squares, cards = len(data.squares), len(data.cards)
        ownable = sum(one.kind in (STREET, FERRY) for one in data.squares)
        throws = 4 * data.sides - 2
        return Spec(
            players=self.players,
            max_actions=max(2 + 2 * ownable, throws, cards, 1 + BIDS),
            # In a turn each square is managed once and the assets of each are sold once (four
            # houses and a mortgage); pay and roll, dice, a card, an offer, bids and passes
            max_length=self.turns * (6 * ownable + 5 + BIDS + self.players),
            # held: tries begun in the lockup, 0 if free; owner: player + 1; houses: -1 if
            # mortgaged; drawn: a bit for each card; creditor, bidder: player + 1; bid: its level;
            # passed: a bit for each player; pointer: the first square that may still be managed
            state=record(
                cash=("i4", self.players),
                drawn="i4",
                debt="i4",
                turns="i4",
                place=("i1", self.players),
                held=("i1", self.players),
                out=("i1", self.players),
                owner=("i1", squares),
                houses=("i1", squares),
                player="i1",
                phase="i1",
                pointer="i1",
                creditor="i1",
                bid="i1",
                bidder="i1",
                asked="i1",
                passed="i1",
            ),
            distinct_actions=MANAGE + 4 * squares + throws + cards,
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        data = self.data()
        dice = MANAGE + 4 * len(data.squares)
        cards = dice + 4 * data.sides - 2
        if a in FIXED:
            return FIXED[a]
        if a < MANAGE:
            return "bid" if s is None else f"bid-{self.bid_price(s, a - BID + 1)}"
        if a < dice:
            square, kind = divmod(a - MANAGE, 4)
            return f"{MANAGING[kind]}-{square}"
        if a < cards:
            total, double = divmod(a - dice, 2)
            return f"{total + 2}{'d' if double else ''}"
        return self.card_name(a - cards)

    def bid_price(self, s: Any, level: int) -> int:
        """Of the square that the player whose turn it is has come to."""
        return self.data().squares[int(s.place[s.player])].price * level // 2

    def card_name(self, card: int) -> str:
        kind, amount = self.data().cards[card]
        return {
            GAIN: f"gain-{amount}",
            PAY: f"lose-{amount}",
            REPAIR: f"repair-{amount}",
            FORWARD: f"go-to-{amount}",
            BACK: f"back-{amount}",
            PRISON: "arrest",
        }[kind]

    def board_text(self, s: Any) -> str:
        return text.board_text(self, s)

    def position_text(self, s: Any) -> str:
        return text.position_text(self, s)

    def parse_position(self, words: str, s: Any) -> None:
        text.parse_position(self, words, s)

    def board_svg(self, s: Any, last: Any = None, legal: Any = (), before: Any = None) -> str:
        return drawing.board_svg(self, s, last, legal, before)
