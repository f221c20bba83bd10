"""Every child as often as any other."""

from typing import NamedTuple

from ponder.jit import constants, inlined


@constants(TERMS=("visits",))
class Equal(NamedTuple):
    """The child visited least: N simulations for every move (pure Monte Carlo; Abramson 1990)."""

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        # the fewer visits, the higher the score
        return (-float(visits),)
