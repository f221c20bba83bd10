"""Evaluate rules (default policies): what is a leaf worth? See `ponder.mcts.parts`."""
