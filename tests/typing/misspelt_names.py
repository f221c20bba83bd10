"""A user's program with misspelt names, each with what mypy says of it: see `test_typing`."""

import ponder
from ponder import (
    MCTS,
    AlphaBeta,
    Limit,
    MaxN,
    Minimax,
    position,
)
from ponder.backup import Max
from ponder.fpu import Loss
from ponder.select import PUCT, UCB1

start = position("connect4")
start.play_al("4 4")  # mypy: "Position" has no attribute "play_al"
engine = MCTS(select=UCB1(c=1.4), backup=Max(points=1), thread=2)  # mypy: argument "thread"
result = engine.search(start, simulatons=100)  # mypy: Unexpected keyword argument "simulatons"
result = engine.search(start, Limit(simulations=100), seed=1)
print(result.best_mvoe)  # mypy: "SearchResult" has no attribute "best_mvoe"
print(result.action, result.value, result.tree)
PUCT(c_init=2.0, fpu=Loss(), c_puct=1.0)  # mypy: Unexpected keyword argument "c_puct"
ponder.select.UCB1(1.0)
ponder.select.UCB2(1.0)  # mypy: Module has no attribute "UCB2"
ponder.expand.NthVisit(n="2")  # mypy: incompatible type "str"; expected "int"
AlphaBeta().search(start, depth=3)
Minimax(depth=3).search(start, node=3)  # mypy: Unexpected keyword argument "node"
engine.start(start).run(seconds=1, simulation=3)  # mypy: Unexpected keyword argument "simulation"
MaxN(pruning=True).start(start).run(depth=3)
