"""Results of the lectures and the literature, reproduced. Begin reading at `ponder.lab.report`."""
