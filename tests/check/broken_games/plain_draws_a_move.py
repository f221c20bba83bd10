"""A die is thrown inside apply_action; the states are objects that only equal themselves."""

import random

from plain_countdown import PlainCountdown

FINDING = "memory"
SAYS = "outside the state"


class State:
    def __init__(self, pile, player):
        self.pile, self.player = pile, player

    def __getitem__(self, place):
        return (self.pile, self.player)[place]


class Game(PlainCountdown):
    def start(self):
        return State(40, 0)

    def apply_action(self, state, action):
        taken = min(state.pile, action + (random.random() < 0.5))
        return State(state.pile - taken, 1 - state.player)
