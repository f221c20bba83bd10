"""Histories on standard input, one a line; what a fresh run of each shows on standard output.

Nothing of the explorer is used: `Session.from_history` runs the history. In plain mode nothing is
compiled.
"""

from __future__ import annotations

import json
import sys

from ponder.core.history import FORMAT, History
from ponder.core.result import best_name
from ponder.core.session import Session

BLANK = {"position": "", "moves": [], "plan": None, "memory": None, "depth": None, "only": []}

for line in sys.stdin:
    session = Session.from_history(
        History.from_json({"format": FORMAT, **BLANK, **json.loads(line)})
    )
    result = session.result()
    seen = {row.name: [row.visits, row.value] for row in result.moves}
    shown = {
        "moves": seen,
        "value": result.value,
        "root_value": result.root_value,
        "best": best_name(result),
        "cut": session.cut(),
    }
    print(json.dumps(shown), flush=True)
