"""Search trees as a person would draw them: a model, one layout, an SVG and a terminal writer.

Begin reading at `ponder.show.picture`, then `ponder.show.draw`.
"""
