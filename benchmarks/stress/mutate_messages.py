"""The explorer under messages that were tampered with: 100,000 of them, each answered.

    python benchmarks/stress/mutate_messages.py [COUNT] [SEED]

All messages of the table take turns. Every one gets an answer or a sentence, no Python file that is
named is run, a search of the same page and one of another come out as before, and the server lives.
`tests/explorer/test_safety.py` sends a few hundred.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2] / "tests"

HISTORY = {
    "game": "gem(scenario=noise)",
    "position": "",
    "moves": [],
    "engine": "mcts()",
    "seed": 1,
    "changes": [],
    "at": 0,
}
CLASSICAL = {"game": "tictactoe", "engine": "alphabeta(depth=3)", "at": 50}
EXAMPLES: tuple[dict[str, Any], ...] = (
    {"do": "open", "history": HISTORY, "nodes": 100, "every": 0.05, "grain": 1},
    {"do": "run", "rate": 100.0, "until": 50},
    {"do": "pause"},
    {"do": "step", "count": 1},
    {"do": "change", "parts": {"backup": "max()"}},
    {"do": "rewind", "to": 0, "after": True},
    {"do": "why", "path": [2]},
    {"do": "watch", "nodes": 10},
    {"do": "seen"},
    {"do": "close", "session": "other"},
    {"do": "catalogue"},
    {"do": "board", "game": "tictactoe", "moves": ["b2"]},
    {"do": "names", "paths": [[], [2]]},
    {"do": "lines", "most": 3},
    {"do": "phases"},
    {"do": "drawing", "most": 20},
    {
        "do": "open",
        "history": {**HISTORY, **CLASSICAL},
        "session": "a",
    },
    {"do": "events", "since": 0, "most": 20, "session": "a"},
    {"do": "table", "game": "pig", "moves": ["roll", "3"], "seed": 3, "move": "roll", "roll": True},
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
    {
        "do": "tree_edit",
        "tree": "[[3, 5], 2]",
        "players": 2,
        "path": ["1", "1"],
        "player": 0,
        "value": 1,
    },
    {"do": "tree_order", "tree": "[[3, 5], [2, 9]]", "players": 2, "order": "worst", "seed": 1},
    {"do": "experiments"},
    {"do": "plan", "experiment": "scale", "version": "quick", "sizes": {"trees": 2}, "seed": 1},
    {"do": "plan", "experiment": "gem", "own": ["ucb1(c=2)"], "game": ""},
    {"do": "lab_run", "experiment": "scale", "version": "quick", "sizes": {"trees": 2}, "seed": 1},
    {"do": "lab_stop"},
    {"do": "sources", "question": "beam search"},
    {"do": "bandit_rules"},
    {
        "do": "bandits",
        "arms": [0.2, 0.8],
        "rules": ["ucb1()", "thompson()"],
        "pulls": 30,
        "seed": 1,
    },
    {"do": "runs"},
    {"do": "training_run", "run": "x", "known": 3},
    {"do": "training_games", "run": "../x"},
)
"""One at least of each word of the table."""
SHORT = [one for one in EXAMPLES if one["do"] != "lab_run"]
"""Those that begin no process."""
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


def mutated(
    rng: random.Random, example: dict[str, Any] | None = None, naming: Sequence[str] = ()
) -> str:
    """A message with something wrong in it, most often: another value, name, order or letter; or a
    text that names a Python file, if there are such."""
    message = json.loads(json.dumps(example or rng.choice(SHORT)))
    message["id"] = rng.randrange(1000)
    if naming and rng.random() < 0.3:
        _name_file(message, rng, rng.choice(naming))
        if rng.random() < 0.7:  # the rest as it is, so that it is followed
            return json.dumps(message)
    gentle = rng.random() < 0.5  # what passes the table of messages must be survived as well
    for _ in range(rng.randint(1, 3)):
        _change(message, rng, gentle)
    text = json.dumps(message)
    if not gentle and rng.random() < 0.3:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", '"', "{", "[", "9", "\\u0000", "é"]) + text[at + 1 :]
    return text


def _name_file(message: dict[str, Any], rng: random.Random, text: str) -> None:
    """Put the text where another one stands."""
    holders: list[Any] = [message]
    places = []
    while holders:
        holder = holders.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            if isinstance(holder[key], dict | list):
                holders.append(holder[key])
            elif isinstance(holder[key], str) and key != "do":
                places.append((holder, key))
    if places:
        holder, key = rng.choice(places)
        holder[key] = text


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


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    sys.path[:0] = [str(TESTS), str(TESTS / "explorer")]
    from browser import explorer
    from tabs import SMALL, tab
    from websockets.exceptions import ConnectionClosed

    from entrances import Marker
    from ponder.explorer.messages import MESSAGES

    missing = set(MESSAGES) - {str(one["do"]) for one in EXAMPLES}
    assert not missing, f"no example of {missing}"
    rng, closed, faults = random.Random(seed), 0, 0
    sent, refused = Counter[str](), Counter[str]()
    turns = itertools.islice(itertools.cycle(EXAMPLES), count)
    with tempfile.TemporaryDirectory() as folder, explorer() as running, tab(running) as quiet:
        marker = Marker(Path(folder))
        naming = marker.texts()
        usual = {**SMALL, "at": 50}
        before = quiet.ask("open", history=usual)["moves"]
        example = next(turns, None)
        while example is not None:
            with contextlib.suppress(ConnectionClosed), tab(running) as noisy:
                closed += bool(sent)
                noisy.ask("open", history=SMALL)
                while example is not None:
                    word, text = str(example["do"]), mutated(rng, example, naming)
                    example = next(turns, None)
                    noisy.send(text)
                    sent[word] += 1
                    answer = noisy.next(120.0)
                    while "told" in answer:  # news that nobody asked for
                        faults += answer["told"] == "lost"
                        answer = noisy.next(120.0)
                    refused[word] += "error" in answer
                    if "an error in the explorer" in answer.get("error", "") or marker.ran:
                        faults += 1
                        ran = "a Python file was run: " * marker.ran
                        print(ran + text[:300], answer.get("error", "")[:300], sep="\n    ")
                        marker.file.with_name("ran").unlink(missing_ok=True)
                noisy.ask("lab_stop")
                if noisy.ask("open", history=usual)["moves"] != before:
                    faults += 1
                    print("a search of the page that got all this comes out otherwise")
        if quiet.ask("open", history=usual)["moves"] != before:
            faults += 1
            print("another page noticed")
        assert running.process.poll() is None, "the server has ended"
    print(f"{'message':16}{'sent':>8}{'refused':>9}")
    for word in sent:
        print(f"{word:16}{sent[word]:>8,}{refused[word]:>9,}")
    print(
        f"{sent.total():,} messages, {refused.total():,} of them refused; {closed} sockets were "
        f"closed; {faults} faults of the explorer's own"
    )
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
