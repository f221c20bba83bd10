"""Expand rules: when does a leaf get its children, and which of them?"""

from ponder.mcts.expand import (
    AllChildren,
    EnoughChildren,
    NthVisit,
    OneChild,
    Progressive,
    RootOnly,
)

__all__ = ["AllChildren", "EnoughChildren", "NthVisit", "OneChild", "Progressive", "RootOnly"]
