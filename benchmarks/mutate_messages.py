"""The explorer under messages that were tampered with: 100,000 of them, each answered.

    python benchmarks/mutate_messages.py [COUNT] [SEED]

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
    {"do": "board", "game": "tictactoe", "moves": ["b2"]},
    {"do": "names", "paths": [[], [2]]},
    {"do": "lines", "most": 3},
    {"do": "phases"},
    {"do": "events", "since": 0, "most": 20},
    {"do": "drawing", "most": 20},
    {"do": "table", "game": "pig", "moves": ["roll"], "seed": 3, "move": "hold", "roll": True},
    {"do": "think", "game": "nim", "engine": "mcts()", "seed": 1, "simulations": 5, "session": "t"},
    {"do": "hurry", "session": "t"},
    {"do": "drop", "session": "t"},
    {"do": "read_game", "game": "tictactoe", "text": "1. b2 a1"},
    {"do": "write_game", "game": "tictactoe", "moves": ["b2"], "form": "json"},
    {"do": "match", "game": "nim", "engines": ["random()", "mcts()"], "games": 2, "simulations": 4},
    {"do": "match_stop"},
    {"do": "match_go", "games": 4},
    {"do": "match_file", "name": "x", "part": "{}", "first": True, "last": True},
    {"do": "lesson", "tree": "[[3, 5], [2, 9]]", "players": 2, "engine": "minimax()", "step": 3},
    {"do": "tree_edit", "tree": "[[3], 2]", "players": 2, "path": ["1"], "player": 0, "value": 1},
    {"do": "tree_order", "tree": "[[3, 5], [2, 9]]", "players": 2, "order": "worst", "seed": 1},
    {"do": "experiments"},
    {"do": "plan", "experiment": "scale", "version": "quick", "sizes": {"trees": 2}, "seed": 1},
    {"do": "plan", "experiment": "gem", "own": ["ucb1(c=2)"], "game": ""},
    {"do": "lab_stop"},
    {"do": "runs"},
    {"do": "training_run", "run": "x", "known": 3},
    {"do": "training_games", "run": "../x"},
)
"""One of each; not those that begin a long run of an experiment."""
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1e308, 2**63, 2**70, "", "x" * 5000, "\ud800", "\0", [], {}, [[[[]]]]),
    *("mcts(", "gem(values=(1e9,1e9,1e9,1e9))", "/etc/passwd", "../../x.py:Y", "__import__('os')"),
    *("gem(plies=99999)", "mcts(simulations=1e99)", "go(size=10000)", "openspiel(chess)"),
)
TEXTS = (
    *("nim", "tictactoe", "pig", "gem", "nim(heaps=(3,4,5))", "tictactoe(size=4)", "main", "t"),
    *("mcts(select=puct())", "mcts(backup=max())", "alphabeta(depth=2)", "crazy_stone()", "b2"),
    *("mcts(simulations=20)", "mcts(threads=2)", "minimax(depth=1)", "strong(simulations=5)"),
    *("a1", "roll", "1-2", "max()", "ucb1(c=2)", "json", "moves", "pgn", "sgf", "match"),
    *(value for value in ODD if isinstance(value, str)),
)


def mutated(rng: random.Random) -> str:
    """A message with something wrong in it, most often: another value, name, order or letter."""
    message = json.loads(json.dumps(rng.choice(EXAMPLES)))
    message["id"] = rng.randrange(1000)
    gentle = rng.random() < 0.5  # what passes the table of messages must be survived as well
    for _ in range(rng.randint(1, 3)):
        _change(message, rng, gentle)
    text = json.dumps(message)
    if not gentle and rng.random() < 0.3:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", '"', "{", "[", "9", "\\u0000", "é"]) + text[at + 1 :]
    return text


def _change(holder: Any, rng: random.Random, gentle: bool) -> None:
    """Change one thing in an object, or in one inside of it; gently: for another of its kind."""
    name = rng.choice(sorted(holder))
    if isinstance(holder[name], dict) and holder[name] and rng.random() < 0.7:
        _change(holder[name], rng, gentle)
        return
    if gentle:
        if name != "do":
            holder[name] = _similar(holder[name], rng)
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


def _similar(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return rng.random() < 0.5
    if isinstance(value, int | float):
        return rng.choice([0, 1, 2, 3, 7, 50, 300, value + 1, max(0, value - 1), value])
    if isinstance(value, list):
        return rng.choice([[], value * 2, value[::-1], [_similar(one, rng) for one in value]])
    if isinstance(value, str):
        return rng.choice([value, value + rng.choice("()=,1x "), value[:-1], rng.choice(TEXTS)])
    return value


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    sys.path[:0] = [str(TESTS), str(TESTS / "explorer")]
    from browser import explorer
    from tabs import SMALL, tab
    from websockets.exceptions import ConnectionClosed

    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng, closed, refused, faults = random.Random(seed), 0, 0, 0
    with explorer() as running, tab(running) as quiet:
        before = quiet.ask("open", history={**SMALL, "at": 50})["moves"]
        sent = 0
        while sent < count:
            with contextlib.suppress(ConnectionClosed), tab(running) as noisy:
                closed += sent > 0
                noisy.ask("open", history=SMALL)
                while sent < count:
                    text = mutated(rng)
                    noisy.send(text)
                    sent += 1
                    answer = noisy.next(120.0)
                    while "told" in answer:  # news that nobody asked for
                        faults += answer["told"] == "lost"
                        answer = noisy.next(120.0)
                    refused += "error" in answer
                    if "an error in the explorer" in answer.get("error", ""):
                        faults += 1
                        print(text[:300], answer["error"][:300], sep="\n    ")
        after = quiet.ask("open", history={**SMALL, "at": 50})["moves"]
        assert after == before, "another page noticed"
        assert running.process.poll() is None, "the server has ended"
    print(
        f"{count:,} messages, {refused:,} of them refused; {closed} sockets were closed; "
        f"{faults} faults of the explorer's own"
    )


if __name__ == "__main__":
    main()
