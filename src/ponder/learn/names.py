"""Parts and presets of learning by name: see `ponder.core.registry`."""

PARTS = {
    "evaluate": {
        "net": "ponder.learn.net:Net",
        "net_rollout": "ponder.learn.net_rollout:NetRollout",
    },
}

PRESETS = {"alphazero": "ponder.learn.presets:alphazero"}

STRONG = {
    "breakthrough(columns=6, rows=6, pawn_rows=0)": (
        "alphazero(net='breakthrough6', backup=solver())"
    ),
    "connect4(columns=7, rows=6, run=4, players=2)": "alphazero(net='connect4', backup=solver())",
    "hex(size=7, swap=False)": "alphazero(net='hex7')",
    "othello(columns=6, rows=6, scores=False)": "alphazero(net='othello6', backup=solver())",
}
"""Where a shipped network beats what `strong()` would take otherwise: docs/mcts/strong.md."""
