"""The explorer under messages that were tampered with: 100,000 of them, each answered.

    python benchmarks/mutate_messages.py [COUNT]

Every message gets an answer or a sentence, another page notices nothing, and the server lives.
`tests/explorer/test_safety.py` sends a few hundred.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"

HISTORY = {
    "game": "gem(scenario=noise)",
    "position": "",
    "moves": [],
    "engine": "mcts()",
    "seed": 1,
    "changes": [],
    "at": 0,
}
EXAMPLES: tuple[dict[str, Any], ...] = (
    {"do": "open", "history": HISTORY, "nodes": 100, "every": 0.05, "grain": 1},
    {"do": "run", "rate": 100.0, "until": 50},
    {"do": "pause"},
    {"do": "step", "count": 1},
    {"do": "change", "parts": {"backup": "max()"}},
    {"do": "rewind", "to": 3, "after": True},
    {"do": "why", "path": [2]},
    {"do": "watch", "nodes": 10},
    {"do": "seen"},
    {"do": "close", "session": "other"},
)
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1e308, 2**63, 2**70, "", "x" * 5000, "\ud800", "\0", [], {}, [[[[]]]]),
    *("mcts(", "gem(values=(1e9,1e9,1e9,1e9))", "/etc/passwd", "../../x.py:Y", "__import__('os')"),
    *("gem(plies=99999)", "mcts(simulations=1e99)", "go(size=10000)", "openspiel(chess)"),
)


def mutated(rng: random.Random) -> str:
    """A message with something wrong in it, most often: another value, name, order or letter."""
    message = json.loads(json.dumps(rng.choice(EXAMPLES)))
    message["id"] = rng.randrange(1000)
    for _ in range(rng.randint(1, 3)):
        _change(message, rng)
    text = json.dumps(message)
    if rng.random() < 0.3:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", '"', "{", "[", "9", "\\u0000", "é"]) + text[at + 1 :]
    return text


def _change(holder: Any, rng: random.Random) -> None:
    """Change one thing in an object, or in one inside of it."""
    name = rng.choice(sorted(holder))
    if isinstance(holder[name], dict) and holder[name] and rng.random() < 0.7:
        _change(holder[name], rng)
        return
    kind = rng.randrange(4)
    if kind == 0 and len(holder) > 1:
        del holder[name]
    elif kind == 1:
        holder[rng.choice(["x", "do", "id", name.upper(), "history"])] = rng.choice(ODD)
    elif kind == 2 and isinstance(holder[name], str) and holder[name]:
        at = rng.randrange(len(holder[name]))
        holder[name] = holder[name][:at] + chr(rng.randrange(1, 500)) + holder[name][at + 1 :]
    else:
        holder[name] = rng.choice(ODD)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    sys.path[:0] = [str(TESTS), str(TESTS / "explorer")]
    from browser import explorer
    from tabs import SMALL, tab
    from websockets.exceptions import ConnectionClosed

    rng, closed, refused = random.Random(1), 0, 0
    with explorer() as running, tab(running) as quiet:
        before = quiet.ask("open", history={**SMALL, "at": 50})["moves"]
        sent = 0
        while sent < count:
            with contextlib.suppress(ConnectionClosed), tab(running) as noisy:
                closed += sent > 0
                noisy.ask("open", history=SMALL)
                while sent < count:
                    noisy.send(mutated(rng))
                    sent += 1
                    refused += "error" in noisy.next(120.0)
        after = quiet.ask("open", history={**SMALL, "at": 50})["moves"]
        assert after == before, "another page noticed"
        assert running.process.poll() is None, "the server has ended"
    print(f"{count:,} messages, {refused:,} of them refused; {closed} sockets were closed")


if __name__ == "__main__":
    main()
