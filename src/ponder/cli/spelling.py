"""Output that cannot show every sign: what it lacks is written in ASCII.

Where the output is not in UTF-8 (``PYTHONIOENCODING=latin-1``, an old terminal), a sign that its
encoding does not have is replaced by what people would type for it.
"""

from __future__ import annotations

import codecs
import sys
import unicodedata

NAME = "ponder.spelling"
SIGNS = {
    "─━": "-",
    "│┃": "|",
    "├└┌┐┘┤┬┴┼╭╮╰╯": "+",
    "△▲▴": "^",
    "▽▼": "v",
    "□◇○": "o",
    "■●◆█⬡⬢": "#",
    "▸▶": ">",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "≠": "!=",
    "·•∙": ".",
    "…⋯": "...",
    "−–—": "-",
    "×": "x",
    "±": "+-",
    "÷": "/",
    "→": "->",
    "←": "<-",
    "↑": "^",
    "↓": "v",
    "∞": "inf",
    "√": "sqrt",
    "Σ∑": "sum",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "ε": "epsilon",
    "λ": "lambda",
    "μµ": "mu",
    "π": "pi",
    "σ": "sigma",
    "τ": "tau",
    "χ": "chi",
    "°": " degrees",
    "‘’": "'",
    "“”„": '"',
    "♔♕♖♗♘♙": "KQRBNP",
    "♚♛♜♝♞♟": "kqrbnp",
}
_ONE = {
    sign: text[i] if signs[0] in "♔♚" else text
    for signs, text in SIGNS.items()
    for i, sign in enumerate(signs)
}


def in_ascii(sign: str) -> str:
    """What stands for a sign: what people type, else its letter without marks, else ``?``."""
    if sign in _ONE:
        return _ONE[sign]
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(sign) or sign == "\ufe0e" else "?")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(in_ascii, error.object[error.start : error.end])), error.end


def spell_out() -> None:
    """Have both output streams replace what they cannot write, instead of failing."""
    codecs.register_error(NAME, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=NAME)
