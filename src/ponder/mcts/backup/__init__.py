"""Backup rules: how does an evaluation change the path above it? See `ponder.mcts.parts`."""
