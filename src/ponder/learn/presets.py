"""AlphaZero's search, with a network of Ponder's or any other."""

from __future__ import annotations

from typing import Unpack

from ponder.core.making import registered
from ponder.errors import InputError
from ponder.learn.net import Net
from ponder.mcts.decide import Improved
from ponder.mcts.engine import MCTS
from ponder.mcts.evaluate.function import Function
from ponder.mcts.expand import AllChildren
from ponder.mcts.presets import made_of, refuse_lost
from ponder.mcts.priors import GivenPriors
from ponder.mcts.protocols import LeafFunction, MCTSFields, PartsByName
from ponder.mcts.select.gumbel import Gumbel
from ponder.mcts.select.puct import PUCT, Loss, Reduction


@registered
def alphazero(
    call: LeafFunction | str | None = None,
    batch: int = 16,
    c_init: float = 1.25,
    c_base: float = 19652.0,
    net: str = "",
    module: str = "",
    considered: int = 0,
    images: str = "one",
    **options: Unpack[MCTSFields],
) -> MCTS:
    """AlphaZero's search (Silver et al. 2018): PUCT over all children with priors.

    `net` names a network that Ponder has trained: its file, the folder of its run, or one that
    comes with Ponder (`ponder.learn.net`). It is evaluated inside the search, or beside it for
    `batch` leaves at a time (with a `module` of your own, FILE.py:NAME), and a child without a
    visit counts a little less than its siblings, as in self-play. With images="average" it looks at
    every image of the board under the game's symmetries: stronger, and slower. Or else `call` is
    any function: `call(positions)` gives the values of `batch` leaves at a time and the
    probabilities of their moves (`ponder.mcts.evaluate.function`); a child without a visit counts
    as lost. `c_init` and `c_base` are those of PUCT. The noise at the root of self-play games is
    not added.

    With `considered` above 0 (16 is usual) it is Gumbel AlphaZero (Danihelka et al. 2022), for few
    simulations: see `gumbel`. Then the number of simulations must be given.
    """
    if (call is None) == (not net):
        raise InputError(
            "alphazero needs a network, net='connect4' or a file, or else a function, call="
        )
    if module and not net:
        raise InputError("module says where the code of a network is: give the network, net=")
    if images != "one" and not net:
        raise InputError("images says how a network sees a board: give the network, net=")
    refuse_lost("net" if net else "call", True, options, "evaluate")
    refuse_lost("c_init", c_init != 1.25, options, "select")
    refuse_lost("c_base", c_base != 19652.0, options, "select")
    refuse_lost("considered", considered != 0, options, "select")
    if considered and (c_init, c_base) != (1.25, 19652.0):
        raise InputError("c_init and c_base are of PUCT: with considered, gumbel selects")
    asked = Net(net, images=images, batch=batch, module=module) if net else Function(call, batch)
    puct = PUCT(c_init, c_base, fpu=Reduction() if net else Loss())
    parts: PartsByName = {
        "select": Gumbel(considered) if considered else puct,
        "expand": AllChildren(priors=GivenPriors()),
        "evaluate": asked,
    }
    if considered:
        parts["decide"] = Improved()
    return made_of(parts, options)
