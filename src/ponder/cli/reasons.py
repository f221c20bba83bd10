"""What `ponder search --why` prints: the select rule's terms, a line for each move."""

from __future__ import annotations

from typing import Any

UNSIGNED = ("P", "spread", "floor", "probability")


def reasons_text(rows: Any, moves: str, visits: int, *, everything: bool, totals: bool) -> str:
    """Each move as the select rule sees it: what the terms are made of, the terms, their sum."""
    from ponder.core.result import SHOWN

    count = len(rows)
    rows = rows if everything else rows[:SHOWN]
    counts = {row.numbers["N"] for row in rows}
    numbers = [
        name
        for name in ("P", "mean", "spread", "floor")
        if any(name in row.numbers for row in rows)
    ]
    terms = list(dict.fromkeys(name for row in rows for name in row.terms))
    # a mean that is a term of its own is not shown twice
    if "mean" in terms or "value" in terms:
        numbers = [name for name in numbers if name != "mean"]
    names = [*(("W",) if totals else ()), *numbers, *terms]
    width = max(4, *(len(row.name) for row in rows))
    wide = [max(8, len(name)) for name in names]
    heads = "  ".join(f"{name:>{w}}" for name, w in zip(names, wide, strict=True))
    where = f"why, after {moves}" if moves else "why"
    # the formulas count the root once more than simulations came to it
    made = f" ({visits:,} simulations, and 1 for the root)" if counts == {visits + 1} else ""
    lines = [
        "",
        f"{where}   N = {', '.join(f'{n:,.0f}' for n in sorted(counts))}{made}",
        f"{'move':{width}}  {'visits':>9}  {heads}  {'score':>9}",
    ]
    for row in rows:
        known = {**row.numbers, **row.terms}
        if totals and row.total is not None:
            known["W"] = row.total
        cells = (
            f"{known[name]:>{'' if name in UNSIGNED else '+'}{w}.4f}" if name in known else " " * w
            for name, w in zip(names, wide, strict=True)
        )
        score = f"{row.score:>+9.4f}" if row.score is not None else " " * 9
        shown = f"{row.name:{width}}  {row.visits:>9,}  {'  '.join(cells)}  {score}  {row.remark}"
        lines.append(shown.rstrip())
    if len(rows) < count:
        lines.append(f"... and {count - len(rows):,} more moves; --all shows them")
    return "\n".join(lines)
