"""Does a game keep the contract of `ponder.core.game` (or `ponder.core.plain`)?

    >>> from ponder import game
    >>> from ponder.check import check
    >>> check(game("tictactoe"), games=2).ok
    True

`check` plays random games and looks at every state: the rules run as plain Python with guarded
arrays beside the compiled rules, and everything they say is compared with what was promised.
Read `checking` and `walk` first, then `record_game` (compiled games) or `plain_game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ponder.check.checking import check

__all__ = ["check"]

if not TYPE_CHECKING:  # late: `names`, beside it, is read before the games that are checked

    def __getattr__(name: str) -> Any:
        if name != "check":
            raise AttributeError(f"module 'ponder.check' has no attribute {name!r}")
        from ponder.check.checking import check

        return check
