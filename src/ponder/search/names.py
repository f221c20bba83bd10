"""Engines and presets of this layer by name: see `ponder.core.registry`."""

ENGINES = {
    "alphabeta": "ponder.search.alphabeta:AlphaBeta",
    "best_reply": "ponder.search.best_reply:BestReply",
    "expectiminimax": "ponder.search.expectiminimax:Expectiminimax",
    "maxn": "ponder.search.maxn:MaxN",
    "minimax": "ponder.search.minimax:Minimax",
    "paranoid": "ponder.search.paranoid:Paranoid",
    "random": "ponder.search.random:RandomPlayer",
}

PRESETS = {"plain_alphabeta": "ponder.search.alphabeta:plain_alphabeta"}

WORKS = {"solve": "ponder.search.solve:Solve"}
