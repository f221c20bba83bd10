"""The one reader of JSON from outside: files, and messages of pages.

What is too large, nested too deeply, or has a number that no arithmetic survives is refused before
or while it is read, with a few words that say why.
"""

from __future__ import annotations

import json
import math
import re
from itertools import accumulate
from typing import Any

MOST_BYTES = 64 << 20
MOST_LEVELS = 100
"""Lists in lists in objects ..."""
MOST_DIGITS = 300
"""Of a whole number: as many as a floating-point number can hold."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def read_json(
    text: str | bytes, most_bytes: int = MOST_BYTES, most_digits: int = MOST_DIGITS
) -> Any:
    """The value in a JSON text; ValueError, in a few words, for everything else.

    NaN and Infinity are not JSON, nor are numbers that become infinite.
    """
    try:
        data = text.encode() if isinstance(text, str) else bytes(text)
    except UnicodeEncodeError:
        raise ValueError("it contains an unpaired surrogate") from None
    if len(data) > most_bytes:
        raise ValueError(f"{len(data):,} bytes, accepted: {most_bytes:,}")
    if levels(data) > MOST_LEVELS:
        raise ValueError(f"nested more than {MOST_LEVELS} levels deep")

    def whole(digits: str) -> int:
        if len(digits) > most_digits:
            raise ValueError(f"a number of {len(digits):,} digits, accepted: {most_digits}")
        return int(digits)

    return json.loads(
        data.decode(),
        parse_constant=_constant,
        parse_int=whole,
        parse_float=_fraction,
    )


def json_object(text: str | bytes) -> dict[str, Any]:
    """The JSON object in a text; ValueError for everything else."""
    found = read_json(text)
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def levels(data: bytes) -> int:
    """How deeply the brackets of a text are nested, those in strings aside."""
    if data.count(b"[") + data.count(b"{") <= MOST_LEVELS:
        return 0  # not worth a closer look
    brackets = _STRING.sub(b"", data).translate(None, _OTHERS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not JSON")


def _fraction(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
