"""Engines and presets of this layer by name: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

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

SOLVERS = {"solve": "ponder.search.solve:Solve"}

FORMATS = {
    "session": FileFormat(
        "a saved search",
        b'{"format": "ponder session ',
        "search.session",
        "ponder.search.example_files:write_session",
        "ponder.search.example_files:read_session",
    ),
}
