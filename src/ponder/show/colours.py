"""The colours of all drawings of searches: sage, clay and ink on paper, light and dark."""

from __future__ import annotations

# role: (light, dark). Sage is good for MAX, clay is bad, and what was cut.
COLOURS = {
    "paper": ("#faf7f0", "#1e1c19"),
    "ink": ("#2f2a24", "#ece5d8"),
    "soft": ("#6b6358", "#b3aa9b"),
    "grey": ("#a0978a", "#7c756a"),
    "sage": ("#5f7f52", "#9dbb8d"),
    "clay": ("#b5532f", "#e0926f"),
}
