"""`Message`: one thing that a page may ask."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ponder.explorer.schema import Check


class Message(NamedTuple):
    """What a page may ask: the fields, those that must be there, and what it does."""

    does: str
    fields: Mapping[str, Check] = MappingProxyType({})
    needed: tuple[str, ...] = ()
    spawns: bool = False
    """Does it begin a worker where there is none? Others are refused then."""
