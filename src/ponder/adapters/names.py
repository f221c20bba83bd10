"""Games and players of other programs by name: see `ponder.core.registry`."""

ADAPTERS = {"openspiel": "ponder.adapters.openspiel:OpenSpielGame"}

ENGINES = {
    "openspiel_alphabeta": "ponder.adapters.openspiel_bots:OpenSpielAlphaBeta",
    "openspiel_mcts": "ponder.adapters.openspiel_bots:OpenSpielMCTS",
}
