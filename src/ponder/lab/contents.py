"""Which experiments there are."""

from __future__ import annotations

EXPERIMENTS = {
    "ordering": "leaves that alpha-beta visits, with the worst, a random and the best move order",
    "effort": "how deep alpha-beta gets with the nodes of a minimax search of depth 4",
    "deepening": "iterative deepening: what the shallower searches save the last one",
    "parts": "what each part of the alpha-beta engine brings: nodes and time without it",
    "depth": "a ply more, two plies more: matches of depth d against d - 1 and d - 2",
    "horizon": "chess with and without quiescence search: how often a shallow search is misled",
    "scale": "which changes of the evaluation's scale change decisions, with and without chance",
    "weights": "an evaluation fitted to the results of self-play: what a piece is worth in pawns",
    "learning": "self-play: searches against the policy they teach, AlphaGo's lambda, what helps",
    "star": "Star1 and Star2: leaves that expectiminimax saves on random trees, and why not more",
    "cooperation": "three players, each for itself: two gain together, and why",
    "rational": "minimax play against opponents that are not perfect",
    "bandit": "regret of the select rules on three arms: what is lost on the way, and at the end",
    "optimality": "which select rules and backups find the minimax value in the limit",
    "pgame": "random minimax trees: how often UCT, Monte Carlo and its minimax variant fail",
    "shape": "branching and depth: how often a search of wider and of deeper trees fails",
    "growth": "children at the second visit: nodes and depth of the tree against simulations",
    "puct": "PUCT's exploration term over the simulations: it fades, and for whom it does not",
    "robust": "the final move: most visits, highest value, or a lower bound",
    "variance": "two scenarios alike in mean and not in spread: which select rules notice",
    "policies": "all select rules against each other on three small games",
    "anytime": "strength against simulations: twice as many against as many, again and again",
    "evaluator": "random games against the evaluation function, and mixtures of the two",
    "solver": "proven wins and losses backed up: the solver against the mean alone",
    "rave": "all moves as first: RAVE and GRAVE against UCB1",
    "threads": "two threads against one: simulations a second, and strength",
    "gem": "the hidden gem: who finds a move that looks bad at first, and who cuts it off",
    "backup": "Coulom's Table 1: errors of mean, max, robust max and mix on the same searches",
    "tune": "the weights of mix, fitted so that the estimate after S matches that after 2S",
}
"""Name and title, in the order of the lecture."""
