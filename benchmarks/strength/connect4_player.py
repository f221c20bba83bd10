"""A network as it plays Connect Four in the measurements, in two ways: shared by their scripts."""

from __future__ import annotations

from typing import Any

from ponder.presets import alphazero


def connect4_player(network: str, simulations: int) -> Any:
    """Gumbel AlphaZero over all seven moves, which looks at both images of the board."""
    return alphazero(net=network, simulations=simulations, considered=7, images="average")


def plain_player(network: str, simulations: int) -> Any:
    """AlphaZero with nothing but its network: what the README shows."""
    return alphazero(net=network, simulations=simulations)
