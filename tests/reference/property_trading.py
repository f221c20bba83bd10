"""Property trading written a second time, as it is played: from top to bottom, no phases.

`table_game(board, players, turns)` is a generator. It yields (player, choices), where somebody
chooses, or (None, {outcome: chance}), and is sent what was chosen, by name. What has only one
possibility is yielded only where a choice is asked in earnest, as the page says. When it ends, its
value is (wealth of each player, a dictionary that tells everything).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

HOUSE_RENTS = {0: 1, 1: 4, 2: 10, 3: 22, 4: 34}
FERRY_SHARES = {1: Fraction(15, 100), 2: Fraction(35, 100), 3: Fraction(3, 5), 4: Fraction(9, 10)}


class Deed:
    def __init__(self, number, square):
        self.number, self.square = number, square
        self.owner = None
        self.houses, self.mortgaged = 0, False


class Trader:
    def __init__(self, number, cash):
        self.number, self.cash = number, cash
        self.place, self.tries, self.playing = 0, 0, True


class Table:
    """The whole game; `play` is the generator."""

    def __init__(self, board, players, turns):
        self.board, self.turns = board, turns
        self.traders = [Trader(i, board.cash) for i in range(players)]
        self.deeds = {i: Deed(i, one) for i, one in enumerate(board.squares) if one.group}
        self.pack = list(range(len(board.cards)))
        self.over = 0

    # ---- groups, money

    def group(self, deed):
        return [d for d in self.deeds.values() if d.square.group == deed.square.group]

    def monopoly(self, deed):
        return all(d.owner is deed.owner for d in self.group(deed))

    def is_ferry(self, deed):
        return deed.square.group == "ferries"

    def rent(self, deed):
        if self.is_ferry(deed):
            count = sum(d.owner is deed.owner for d in self.group(deed))
            return int(deed.square.price * FERRY_SHARES[count])
        bare = deed.square.rent
        if deed.houses == 0 and self.monopoly(deed):
            return bare * 2
        return bare * HOUSE_RENTS[deed.houses]

    def wealth(self, trader):
        total = trader.cash
        for deed in self.deeds.values():
            if deed.owner is trader:
                price = deed.square.price
                total += price / 2 if deed.mortgaged else price
                total += deed.houses * deed.square.cost
        return total

    # ---- what an owner may do with a deed

    def raising(self, deed):
        """What brings money."""
        houses = [d.houses for d in self.group(deed)]
        if deed.mortgaged:
            return []
        if deed.houses:
            return ["sell"] if deed.houses == max(houses) else []
        return ["mortgage"] if self.is_ferry(deed) or not any(houses) else []

    def spending(self, deed, cash):
        """What costs money."""
        if deed.mortgaged:
            return ["redeem"] if cash >= self.price_to_redeem(deed) else []
        group = self.group(deed)
        if self.is_ferry(deed) or not self.monopoly(deed) or any(d.mortgaged for d in group):
            return []
        fewest = min(d.houses for d in group) == deed.houses
        return ["build"] if fewest and deed.houses < 4 and cash >= deed.square.cost else []

    def price_to_redeem(self, deed):
        half = deed.square.price // 2
        return -(-half * 11 // 10)

    def do(self, what, deed):
        owner, square = deed.owner, deed.square
        if what == "build":
            deed.houses, owner.cash = deed.houses + 1, owner.cash - square.cost
        elif what == "sell":
            deed.houses, owner.cash = deed.houses - 1, owner.cash + square.cost // 2
        elif what == "mortgage":
            deed.mortgaged, owner.cash = True, owner.cash + square.price // 2
        else:
            deed.mortgaged, owner.cash = False, owner.cash - self.price_to_redeem(deed)

    # ---- the game

    def play(self, turn_of=0):
        for _ in range(self.turns):
            trader = self.traders[turn_of]
            yield from self.turn(trader)
            self.over += 1
            left = [t for t in self.traders if t.playing]
            if len(left) == 1:
                break
            later = [t for t in left if t.number > turn_of]
            turn_of = (later or left)[0].number

    def turn(self, trader):
        yield from self.preparation(trader)
        total, double = yield from self.throw()
        if trader.tries and not double:
            trader.tries += 1
            if trader.tries == 4:
                trader.tries = 0
                yield from self.must_pay(trader, self.board.fine, None)
            return
        trader.tries = 0
        yield from self.advance(trader, trader.place + total)

    def preparation(self, trader):
        """Deeds in the order of the board, each once; the fine at any time."""
        begin = 0
        while True:
            choices = {}
            for deed in self.deeds.values():
                if deed.owner is trader and deed.number >= begin:
                    for what in self.raising(deed) + self.spending(deed, trader.cash):
                        choices[f"{what}-{deed.number}"] = (what, deed)
            if trader.tries and trader.cash >= self.board.fine:
                choices["pay"] = ("pay", None)
            if not choices:
                return
            said = yield trader.number, {"roll", *choices}
            if said == "roll":
                return
            what, deed = choices[said]
            if what == "pay":
                trader.cash, trader.tries = trader.cash - self.board.fine, 0
            else:
                self.do(what, deed)
                begin = deed.number + 1

    def throw(self):
        counts = Counter()
        for one, other in product(range(1, self.board.sides + 1), repeat=2):
            counts[f"{one + other}{'d' if one == other else ''}"] += 1
        ways = sum(counts.values())
        said = yield None, {name: Fraction(n, ways) for name, n in counts.items()}
        return int(said.rstrip("d")), said.endswith("d")

    def advance(self, trader, to):
        """Forward; `to` is beyond the board where the start is passed."""
        if to >= len(self.board.squares):
            trader.cash += self.board.salary
            to -= len(self.board.squares)
        trader.place = to
        yield from self.arrive(trader)

    def arrive(self, trader):
        here = trader.place
        name = self.board.squares[here].name
        if here in self.deeds:
            yield from self.at_deed(trader, self.deeds[here])
        elif name == "deck":
            yield from self.card(trader)
        elif name in ("gate toll", "market dues", "toll"):
            yield from self.must_pay(trader, self.board.squares[here].price, None)
        elif name == "to the lockup":
            trader.place, trader.tries = self.board.jail, 1

    def at_deed(self, trader, deed):
        if deed.owner is None:
            if trader.cash >= deed.square.price:
                said = yield trader.number, {"buy", "leave"}
                if said == "buy":
                    trader.cash -= deed.square.price
                    deed.owner = trader
                    return
            yield from self.auction(trader, deed)
        elif deed.owner is not trader and not deed.mortgaged:
            yield from self.must_pay(trader, self.rent(deed), deed.owner)

    def auction(self, trader, deed):
        steps = [deed.square.price * k // 2 for k in (1, 2, 3, 4)]
        n = len(self.traders)
        order = [self.traders[(trader.number + 1 + i) % n] for i in range(n)]
        silent = {t for t in order if not t.playing}
        high, price, i = None, 0, 0
        unasked = 0  # in a row: when all were passed over nobody can bid more
        while unasked < n:
            bidder = order[i % n]
            i += 1
            possible = [step for step in steps if price < step <= bidder.cash]
            if bidder in silent or bidder is high or not possible:
                unasked += 1
                continue
            unasked = 0
            said = yield bidder.number, {"pass", *(f"bid-{step}" for step in possible)}
            if said == "pass":
                silent.add(bidder)
            else:
                high, price = bidder, int(said.removeprefix("bid-"))
        if high:
            high.cash -= price
            deed.owner = high

    def card(self, trader):
        names = {self.named(card): card for card in self.pack}
        said = yield None, {name: Fraction(1, len(names)) for name in names}
        self.pack.remove(names[said])
        if not self.pack:
            self.pack = list(range(len(self.board.cards)))
        word, _, number = said.rpartition("-")
        if said == "arrest":
            trader.place, trader.tries = self.board.jail, 1
        elif word == "gain":
            trader.cash += int(number)
        elif word == "lose":
            yield from self.must_pay(trader, int(number), None)
        elif word == "repair":
            houses = sum(d.houses for d in self.deeds.values() if d.owner is trader)
            yield from self.must_pay(trader, houses * int(number), None)
        elif word == "go-to":
            to, size = int(number), len(self.board.squares)
            yield from self.advance(trader, to if to > trader.place else to + size)
        else:
            assert word == "back"
            trader.place = (trader.place - int(number)) % len(self.board.squares)
            yield from self.arrive(trader)

    def named(self, card):
        words = ("gain", "lose", "repair", "go-to", "back", "arrest")
        kind, amount = self.board.cards[card]
        return words[kind] if words[kind] == "arrest" else f"{words[kind]}-{amount}"

    def must_pay(self, trader, amount, creditor):
        while trader.cash < amount:
            choices = {
                f"{what}-{deed.number}": (what, deed)
                for deed in self.deeds.values()
                if deed.owner is trader
                for what in self.raising(deed)
            }
            if not choices:
                trader.playing = False
                amount = trader.cash
                for deed in self.deeds.values():
                    if deed.owner is trader:
                        deed.owner = creditor
                        deed.mortgaged = creditor is not None
                break
            said = yield trader.number, set(choices)
            self.do(*choices[said])
        trader.cash -= amount
        if creditor:
            creditor.cash += amount

    def shares(self):
        """Utilities: 1 for all that there is, 0 for as much as everybody else."""
        worth = [self.wealth(t) for t in self.traders]
        n, total = len(worth), sum(worth)
        return [(n * w / total - 1) / (n - 1) if total else 0.0 for w in worth]
