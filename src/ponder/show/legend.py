"""What the signs of a drawing mean: those that it has."""

from __future__ import annotations

from ponder.show.picture import Form, PictureNode


def legend(root: PictureNode) -> list[str]:
    """A few words for each sign in the picture."""
    nodes = list(root.walk())
    forms = {node.form for node in nodes}
    alone = Form.MIN not in forms
    said = {
        Form.MAX: "△ the player" if alone and Form.CHANCE in forms else "△ MAX",
        Form.MIN: "▽ MIN",
        Form.CHANCE: "○ chance",
        Form.LEAF: "□ leaf",
        Form.PLAYER: "⬡ a player, by number",
    }
    words = [text for form, text in said.items() if form in forms]
    monte_carlo = any(node.share is not None for node in nodes)
    if any(node.window for node in nodes):
        words.append("[α, β] the window of MAX on entering")
    if any(node.deciding is not None for node in nodes):
        words.append("underlined: what the player above compares")
    if any(node.line for node in nodes):
        words.append("green: most visited line" if monte_carlo else "green: best line")
    if any(node.cut or (node.reason and node.untried) for node in nodes):
        words.append("// cut")
    if any(node.unseen or node.untried for node in nodes):
        words.append("grey: untried" if monte_carlo else "grey: not looked at")
    if any(node.left_out and not node.children for node in nodes):
        words.append("⋯ more below")
    if any(node.open for node in nodes):
        words.append("dashed: not finished")
    if any(node.last for node in nodes):
        words.append("red: last simulation")
    if any(node.proven for node in nodes):
        words.append("double: proven")
    if monte_carlo:
        words.append("size: visits; colour: value, green is good for MAX")
    return words
