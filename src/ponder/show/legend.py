"""What the signs of a drawing mean: those that it has."""

from __future__ import annotations

from ponder.show.picture import Form, TreePicture

TABLE, SEARCHED = "in the table", "searched"
"""Remarks on nodes of a classical search."""


def legend(picture: TreePicture) -> list[str]:
    """A few words for each sign in the picture."""
    nodes = list(picture.root.walk())
    forms = {node.form for node in nodes}
    maximiser = "the player" if picture.alone else "MAX"
    said = {
        Form.MAX: f"△ {maximiser}",
        Form.MIN: "▽ MIN",
        Form.CHANCE: "○ chance",
        Form.LEAF: "□ leaf",
        Form.PLAYER: "⬡ a player, by number",
    }
    words = [text for form, text in said.items() if form in forms]
    monte_carlo = any(node.share is not None for node in nodes)
    if any(node.window for node in nodes):
        words.append("[α, β] the window of MAX on entering")
    if any(node.window.endswith("⁺]") for node in nodes):
        words.append("[α, α⁺] a null window: more than α, or not?")
    if any(value.startswith(("≤", "≥")) for node in nodes for value in node.values):
        words.append("≤ ≥ a bound")
    if any(node.deciding is not None for node in nodes):
        words.append("underlined: what the player above compares")
    if any(node.line for node in nodes):
        words.append("green: most visited line" if monte_carlo else "green: best line")
    if any(node.chosen and not node.line for node in nodes):
        words.append(f"bold: a node's {'most visited' if monte_carlo else 'best'} move")
    if any(node.cut or (node.reason and node.untried) for node in nodes):
        words.append("// cut")
    if any(node.unseen or (node.untried and node.children) for node in nodes):
        words.append("grey: untried" if monte_carlo else "grey: not looked at")
    if any(node.left_out and not node.children for node in nodes):
        words.append("⋯ more below")
    if any(node.open for node in nodes):
        words.append("dashed: not finished")
    if any(node.last for node in nodes):
        words.append("red: last simulation")
    if any(node.proven for node in nodes):
        words.append("double: proven")
    if any(TABLE in node.remarks for node in nodes):
        words.append(f"{TABLE}: known from elsewhere in the search")
    if any(remark.startswith(SEARCHED) for node in nodes for remark in node.remarks):
        words.append(f"{SEARCHED} several times: what the last one found")
    if monte_carlo:
        whose = "the player that is named" if Form.PLAYER in forms else maximiser
        words.append(f"size: visits; colour: value, green is good for {whose}")
    return words
