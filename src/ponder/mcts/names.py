"""Engines, presets and parts of Monte Carlo tree search by name: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

ENGINES = {
    "mcts": "ponder.mcts.engine:MCTS",
    "strong": "ponder.mcts.presets:Strong",
}

PRESETS = {
    "alphago_style": "ponder.mcts.presets:alphago_style",
    "crazy_stone": "ponder.mcts.presets:crazy_stone",
    "flat": "ponder.mcts.presets:flat",
    "uct": "ponder.mcts.presets:uct",
    "uct_search": "ponder.mcts.presets:uct_search",
}

PARTS = {
    "select": {
        "best_child": "ponder.mcts.select.ucb:BestChild",
        "boltzmann": "ponder.mcts.select.drawn:Boltzmann",
        "epsilon_greedy": "ponder.mcts.select.drawn:EpsilonGreedy",
        "equal": "ponder.mcts.select.ucb:Equal",
        "grave": "ponder.mcts.select.rave:GRAVE",
        "gumbel": "ponder.mcts.select.gumbel:Gumbel",
        "implicit_minimax": "ponder.mcts.select.heuristic:ImplicitMinimax",
        "kl_ucb": "ponder.mcts.select.ucb:KLUCB",
        "moss": "ponder.mcts.select.ucb:MOSS",
        "ocba": "ponder.mcts.select.allocation:OCBA",
        "progressive_bias": "ponder.mcts.select.heuristic:ProgressiveBias",
        "progressive_pruning": "ponder.mcts.select.variance:ProgressivePruning",
        "puct": "ponder.mcts.select.puct:PUCT",
        "rave": "ponder.mcts.select.rave:RAVE",
        "sequential_halving": "ponder.mcts.select.halving:SequentialHalving",
        "thompson": "ponder.mcts.select.drawn:Thompson",
        "ucb1": "ponder.mcts.select.ucb:UCB1",
        "ucb1_spread": "ponder.mcts.select.variance:UCB1Spread",
        "ucb1_tuned": "ponder.mcts.select.variance:UCB1Tuned",
        "ucb_sampled": "ponder.mcts.select.drawn:UCBSampled",
        "ucb_v": "ponder.mcts.select.variance:UCBV",
        "uct_decaying": "ponder.mcts.select.ucb:UCTDecaying",
        "urgency": "ponder.mcts.select.urgency:Urgency",
    },
    "expand": {
        "all_children": "ponder.mcts.expand:AllChildren",
        "enough_children": "ponder.mcts.expand:EnoughChildren",
        "nth_visit": "ponder.mcts.expand:NthVisit",
        "one_child": "ponder.mcts.expand:OneChild",
        "progressive": "ponder.mcts.expand:Progressive",
        "root_only": "ponder.mcts.expand:RootOnly",
    },
    "evaluate": {
        "blend": "ponder.mcts.evaluate.static:Blend",
        "cutoff": "ponder.mcts.evaluate.static:Cutoff",
        "decisive": "ponder.mcts.evaluate.decisive:Decisive",
        "epsilon_rollout": "ponder.mcts.evaluate.rollout:EpsilonRollout",
        "function": "ponder.mcts.evaluate.function:Function",
        "game_rollout": "ponder.mcts.evaluate.rollout:GameRollout",
        "mast": "ponder.mcts.evaluate.rollout:Mast",
        "outside": "ponder.mcts.evaluate.function:Outside",
        "probed": "ponder.mcts.evaluate.static:Probed",
        "rollout": "ponder.mcts.evaluate.rollout:Rollout",
        "static": "ponder.mcts.evaluate.static:Static",
    },
    "backup": {
        "discounted": "ponder.mcts.backup.operators:Discounted",
        "max": "ponder.mcts.backup.operators:Max",
        "mean": "ponder.mcts.backup.mean:Mean",
        "minimax": "ponder.mcts.backup.operators:TreeMinimax",
        "mix": "ponder.mcts.backup.operators:Mix",
        "negamax": "ponder.mcts.backup.negamax:Negamax",
        "power_mean": "ponder.mcts.backup.operators:PowerMean",
        "robust_max": "ponder.mcts.backup.operators:RobustMax",
        "solver": "ponder.mcts.backup.solver:Solver",
    },
    "decide": {
        "highest_value": "ponder.mcts.decide:HighestValue",
        "improved": "ponder.mcts.decide:Improved",
        "lower_bound": "ponder.mcts.decide:LowerBound",
        "max_robust": "ponder.mcts.decide:MaxRobust",
        "most_visits": "ponder.mcts.decide:MostVisits",
        "sampled": "ponder.mcts.decide:Sampled",
        "secure": "ponder.mcts.decide:Secure",
    },
    "priors": {
        "given": "ponder.mcts.priors:GivenPriors",
        "order": "ponder.mcts.priors:OrderPriors",
        "uniform": "ponder.mcts.priors:UniformPriors",
    },
    "fpu": {
        "constant": "ponder.mcts.select.puct:Constant",
        "loss": "ponder.mcts.select.puct:Loss",
        "reduction": "ponder.mcts.select.puct:Reduction",
    },
}

NEEDED = {
    "select": ("choose", "terms"),
    "expand": ("wants",),
    "evaluate": ("estimate",),
    "backup": ("update",),
    "priors": ("fill",),
    "fpu": ("value",),
    "decide": ("best",),
}
"""Of each kind, the methods of which a part has one at least."""

ELSEWHERE = {
    ("select", "progressive_widening"): (
        "progressive_widening is an expand rule, and works with every select rule: "
        "expand=progressive(...)"
    ),
}
"""Names that are looked for in the wrong place, and what to write instead."""

FORMATS = {
    "tree": FileFormat(
        "a saved search tree",
        b"ponder search tree ",
        "search.tree",
        "ponder.mcts.example_files:write_tree",
        "ponder.mcts.example_files:read_tree",
    ),
    "steered session": FileFormat(
        "a saved search",
        b'{"format": "ponder session ',
        "steered.session",
        "ponder.mcts.example_files:write_steered",
        "ponder.mcts.example_files:read_steered",
    ),
}
