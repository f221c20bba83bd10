"""Does a game keep the contract of `ponder.core.game` (or `ponder.core.plain`), a rule that of
`ponder.mcts.parts`?

    >>> from ponder import check_game, game
    >>> check_game(game("tictactoe"), games=2).ok
    True

`check_game` plays random games and looks at every state: the rules run as plain Python with guarded
arrays beside the compiled rules, and everything they say is compared with what was promised.
Read `checking` and `walk` first, then `record_game` (compiled games) or `plain_game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ponder.check.checking import check_game
    from ponder.check.rules import check_rule

__all__ = ["check_game", "check_rule"]

if not TYPE_CHECKING:  # late: `names`, beside it, is read before the games that are checked

    def __getattr__(name: str) -> object:
        if name == "check_game":
            from ponder.check.checking import check_game

            return check_game
        if name == "check_rule":
            from ponder.check.rules import check_rule

            return check_rule
        raise AttributeError(f"module 'ponder.check' has no attribute {name!r}")
