"""A picture of a search tree as an outline for a terminal: Unicode, and colour where there is."""

from __future__ import annotations

from typing import Any

from ponder.show.legend import legend
from ponder.show.picture import PictureNode, TreePicture

GOOD, BAD, FAINT = "green", "red", "dim"


def outline(picture: TreePicture) -> Any:
    """The drawing as a Rich text; ``str()`` of it is plain."""
    from rich.text import Text

    made = Text()
    made.append(picture.title, "bold")
    for fact in picture.facts:
        made.append(f"\n{fact}")
    made.append("\n\n")
    _write(made, picture.root, "", "")
    made.append("\n" + "  ·  ".join(legend(picture)), FAINT)
    return made


def _write(made: Any, node: PictureNode, before: str, below: str) -> None:
    """The line of a node after the text `before`, and those of its children after `below`."""
    made.append(before, FAINT)
    edge = " ".join(filter(None, (node.edge, f"({node.probability})" if node.probability else "")))
    style = _style(node)
    if edge:
        made.append("// " if node.cut else "", BAD)
        made.append(f"{edge}  ", style)
    made.append(node.form.value + node.mark, style)
    if node.values:
        made.append(" ")
        _write_values(made, node, style)
    if node.window:
        made.append(f"  {node.window}", FAINT)
    if node.reason:
        made.append(f"  {node.reason}", BAD)
    if node.proven:
        made.append("  proven", GOOD)
    for remark in (*node.remarks, f"({node.left_out})" if node.left_out else ""):
        made.append(f"  {remark}" if remark else "", FAINT)
    if node.last:
        made.append("  ←", BAD)
    made.append("\n")
    for i, child in enumerate(node.children):
        end = i == len(node.children) - 1
        _write(made, child, below + ("└─ " if end else "├─ "), below + ("   " if end else "│  "))


def _style(node: PictureNode) -> str:
    if node.unseen:
        return FAINT
    return f"bold {GOOD}" if node.line else "bold" if node.chosen else ""


def _write_values(made: Any, node: PictureNode, style: str) -> None:
    if len(node.values) == 1:
        made.append(node.value, style or "bold")
        return
    made.append("(")
    for i, value in enumerate(node.values):
        made.append(value, "bold underline" if i == node.deciding else "")
        made.append(")" if i == len(node.values) - 1 else ", ")
