"""Learning by self-play: networks evaluated inside the compiled search, and how they are trained.

Begin reading at `ponder.learn.network`, the network itself; then `ponder.learn.net`, the part of a
search; `ponder.learn.selfplay`, whole games without Python; `ponder.learn.training`, the loop.
"""
