"""Endgame tables: the value of every position of a bounded set, found backwards from its ends.

Begin reading at `ponder.endgame.retrograde` (the induction), then `positions` (any game), `chess`
(classes of few men), `bearoff` (backgammon), `storage` (the files) and `tables` (asking them).
"""
