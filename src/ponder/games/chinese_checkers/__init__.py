"""Chinese checkers: read `star` (the board), `rules` (what is compiled), `game` (for people)."""

from ponder.games.chinese_checkers.game import ChineseCheckers

__all__ = ["ChineseCheckers"]
