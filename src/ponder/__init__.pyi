"""The public names of Ponder and where they are defined: the one list of them.

`ponder/__init__.py` reads these lines when a name is first asked for, so each is one import:
``from HOME import NAME as NAME``. Type checkers and editors read the same file.
"""

from ponder import backup as backup
from ponder import decide as decide
from ponder import evaluate as evaluate
from ponder import expand as expand
from ponder import fpu as fpu
from ponder import presets as presets
from ponder import priors as priors
from ponder import rules as rules
from ponder import select as select
from ponder.arena.game_files import read_games as read_games
from ponder.arena.match import match as match
from ponder.book.engine import open_book as open_book
from ponder.check.checking import check_game as check_game
from ponder.check.rules import check_rule as check_rule
from ponder.core.game import CHANCE as CHANCE
from ponder.core.game import Spec as Spec
from ponder.core.game import Term as Term
from ponder.core.game import record as record
from ponder.core.geometry import Geometry as Geometry
from ponder.core.limits import Limit as Limit
from ponder.core.moves import Move as Move
from ponder.core.moves import Outcome as Outcome
from ponder.core.position import Position as Position
from ponder.core.protocols import Action as Action
from ponder.core.protocols import Game as Game
from ponder.core.result import SearchResult as SearchResult
from ponder.core.score import Score as Score
from ponder.core.session import Session as Session
from ponder.core.start import engine as engine
from ponder.core.start import game as game
from ponder.core.start import position as position
from ponder.core.terms import explain as explain
from ponder.errors import CompileError as CompileError
from ponder.errors import GameError as GameError
from ponder.errors import IllegalAction as IllegalAction
from ponder.errors import InputError as InputError
from ponder.errors import PonderError as PonderError
from ponder.learn.fit import fit as fit
from ponder.learn.train import train as train
from ponder.learn.trained_network import load_network as load_network
from ponder.mcts.engine import MCTS as MCTS
from ponder.mcts.presets import Strong as Strong
from ponder.mcts.session import Sessions as Sessions
from ponder.mcts.view import SearchTree as SearchTree
from ponder.mcts.why import why as why
from ponder.search.alphabeta import AlphaBeta as AlphaBeta
from ponder.search.best_reply import BestReply as BestReply
from ponder.search.expectiminimax import Expectiminimax as Expectiminimax
from ponder.search.maxn import MaxN as MaxN
from ponder.search.minimax import Minimax as Minimax
from ponder.search.paranoid import Paranoid as Paranoid
from ponder.search.perft import perft as perft
from ponder.search.random import RandomPlayer as RandomPlayer
from ponder.search.solve import solve as solve
from ponder.search.value_iteration import value_iteration as value_iteration

__version__: str
__all__: list[str]
