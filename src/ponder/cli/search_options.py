"""The options that `ponder search` alone has."""

from __future__ import annotations

from typing import Annotated

import typer

from ponder.cli import options

Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="SPEC",
        show_default=options.DEFAULT_ENGINE,
        help='An engine: "mcts(select=ucb1(c=1.4))"; with --continue, the file\'s.',
    ),
]
Tree = Annotated[
    str | None,
    typer.Option("--tree", metavar="FILE", help="Write the tree to FILE.json or FILE.dot."),
]
Trace = Annotated[
    str | None,
    typer.Option("--trace", metavar="FILE", help="Write every step to FILE.jsonl."),
]
Session = Annotated[
    str | None,
    typer.Option(
        "--session", metavar="FILE", help="Save the search to FILE.session, for ponder replay."
    ),
]
Only = Annotated[
    str | None, typer.Option("--only", metavar='"A B"', help="Consider only these moves.")
]
Save = Annotated[
    str | None, typer.Option("--save", metavar="FILE", help="Save the tree to FILE.tree.")
]
GoOn = Annotated[
    str | None,
    typer.Option("--continue", metavar="FILE", help="Continue the tree in FILE.tree."),
]
Why = Annotated[bool, typer.Option("--why", help="Show every term of the select rule at the root.")]
WhyAfter = Annotated[
    str, typer.Option("--why-after", metavar='"A B"', help="The same at the node after A, B.")
]
Totals = Annotated[
    bool, typer.Option("--totals", help="Show W = N Q, too: visits times value of each move.")
]
Roll = Annotated[
    bool, typer.Option("--roll", help="Where chance moves, draw an outcome (with --seed).")
]
Everything = Annotated[
    bool, typer.Option("--all", help="Show every move, not only those that matter most.")
]
Hints = Annotated[
    bool, typer.Option("--hints", help="End with what to try next, as on a terminal.")
]
