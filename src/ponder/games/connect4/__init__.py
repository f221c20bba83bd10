"""Connect Four: `game` is the game for people, `bit_rules` and `cell_rules` are its rules."""

from ponder.games.connect4.bit_rules import BitRules, FourRules, KeyedRules, UsualRules
from ponder.games.connect4.cell_rules import CellRules
from ponder.games.connect4.game import ConnectFour

__all__ = ["BitRules", "CellRules", "ConnectFour", "FourRules", "KeyedRules", "UsualRules"]
