"""A small game of ordinary Python objects, for the signature: take 1 or 2 from a pile of 9."""

from __future__ import annotations


class Takeaway:
    """Whoever takes the last one wins. A state is (what is left, player)."""

    players = 2

    def start(self) -> tuple[int, int]:
        return 9, 0

    def current_player(self, state: tuple[int, int]) -> int:
        return state[1]

    def legal_actions(self, state: tuple[int, int]) -> list[int]:
        return [n for n in (1, 2) if n <= state[0]]

    def apply_action(self, state: tuple[int, int], n: int) -> tuple[int, int]:
        return state[0] - n, 1 - state[1]

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def returns(self, state: tuple[int, int]) -> tuple[int, int]:
        return (1, -1) if state[1] == 1 else (-1, 1)
