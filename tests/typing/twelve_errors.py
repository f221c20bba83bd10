"""A user's program with twelve errors that a type checker should find: see `test_typing`."""

from ponder import MCTS, AlphaBeta, engine, game, position
from ponder.backup import Max
from ponder.decide import MostVisits
from ponder.select import UCB1

start = position("connect4")
result = MCTS().search(start, simulations=100, seed=1)
session = MCTS().start(start, seed=1)

MCTS(select=MostVisits())  # error: a decide rule as select
MCTS(backup=UCB1(c=1.4))  # error: a select rule as backup
MCTS(decide=Max())  # error: a backup rule as decide
MCTS(select=UCB1(c=1.4), thread=2)  # error: a misspelt option of MCTS
engine("mcts()").serch(start, simulations=100)  # error: a misspelt method of an engine
game("connect4").spek()  # error: a misspelt method of a game
print(result.line_name)  # error: a misspelt name of a result
start.play(None)  # error: play(None)
session.change(slect=UCB1(c=0.5))  # error: a misspelt part in change
AlphaBeta().search(start, simulations=100)  # error: a limit that alpha-beta has not
session.run(simulation=100)  # error: a misspelt limit of run
UCB1(c="1.4")  # error: a text as a number of a rule
