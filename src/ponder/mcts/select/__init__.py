"""Select rules (tree policies): which child does a simulation go on to? See `ponder.mcts.parts`."""
