"""Games and players of other programs."""
