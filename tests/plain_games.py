"""Small games of ordinary Python objects, for tests of everything that must take those too."""

from __future__ import annotations


class Countdown:
    """Take 1 to `most` from the pile; whoever takes the last one wins."""

    def __init__(self, pile=5, most=2):
        self.pile, self.most = pile, most

    def start(self):
        return (self.pile, 0)

    def current_player(self, state):
        return state[1]

    def legal_actions(self, state):
        return [n for n in range(1, self.most + 1) if n <= state[0]]

    def apply_action(self, state, n):
        return (state[0] - n, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def returns(self, state):
        return (1, -1) if state[1] else (-1, 1)


class Hinted(Countdown):
    """With every hook that a plain game may have; the winner of the last stone gets it all."""

    max_length, max_actions = 12, 4

    def __init__(self, pile=12, most=4):
        super().__init__(pile, most)

    def evaluate(self, state):
        good = 0.5 if state[0] % (self.most + 1) else -0.5  # for the player to move
        return (good, -good) if state[1] == 0 else (-good, good)

    def order(self, state, n):
        return -((state[0] - n) % (self.most + 1))

    def winning_action(self, state):
        return state[0] if state[0] <= self.most else None

    def action_name(self, state, n):
        return f"take {n}"


class EinStein:
    """EinStein wuerfelt nicht on 3x3: a die of as many faces as stones a side names the stone to
    move; where it is gone, the next higher or lower one that is left moves. Player 0 starts at the
    top left and moves right, down or both; player 1 the other way. Stones in the way are taken,
    one's own too. Who reaches the opposite corner, or takes all the other's stones, wins.

    A state is (squares of player 0's stones, of player 1's, player, die); None: taken, not rolled.
    """

    def __init__(self, stones=3):
        self.stones = stones

    def start(self):
        corner = (0, 1, 3)[: self.stones]
        return corner, tuple(8 - square for square in corner), 0, None

    def current_player(self, state):
        return -1 if state[3] is None else state[2]

    def chance_outcomes(self, state):
        return [(face, 1 / self.stones) for face in range(1, self.stones + 1)]

    def legal_actions(self, state):
        own, player, die = state[state[2]], state[2], state[3]
        left = [number for number, square in enumerate(own, 1) if square is not None]
        lower = [n for n in left if n < die][-1:]
        higher = [n for n in left if n > die][:1]
        moves = []
        for number in [die] if die in left else lower + higher:
            row, column = divmod(own[number - 1], 3)
            for down, right in ((0, 1), (1, 0), (1, 1)):
                step = 1 if player == 0 else -1
                to = row + step * down, column + step * right
                if min(to) >= 0 and max(to) <= 2:
                    moves.append((number, 3 * to[0] + to[1]))
        return moves

    def apply_action(self, state, action):
        if state[3] is None:
            return (*state[:3], action)
        number, to = action
        sides = [[None if square == to else square for square in side] for side in state[:2]]
        sides[state[2]][number - 1] = to
        return tuple(sides[0]), tuple(sides[1]), 1 - state[2], None

    def is_terminal(self, state):
        return self.winner(state) is not None

    def winner(self, state):
        if 8 in state[0] or not any(square is not None for square in state[1]):
            return 0
        if 0 in state[1] or not any(square is not None for square in state[0]):
            return 1
        return None

    def returns(self, state):
        return (1, -1) if self.winner(state) == 0 else (-1, 1)
