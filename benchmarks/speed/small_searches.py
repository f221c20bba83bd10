"""How many small searches are made in a second, and how many were at another revision?

    python benchmarks/speed/small_searches.py [REVISION|-] [PAIRS] [WORD]

A search of one ply, or of ten simulations, costs little more than what stands around the kernel:
limits, sessions, reports. Long searches do not show that. With a REVISION both make the same
searches in turn, as in `against_revision`, PAIRS times (15), each time in two new processes. The
ratio is old / new time (above 1: faster now), the median over pairs with its 95 % interval. Without
a revision, or with -, this checkout is measured alone. WORD picks the searches with the word in
their name. Times are processor times of all threads: a search by `alphabeta` may use another one.
"""

from __future__ import annotations

import statistics
import sys

from against_revision import HERE, Revision, Works, checked_out, pairs_of, ratio_text

PAIRS = 15
WARM_SECONDS = 0.4
SEARCHES = {1: 200, 2: 100, 3: 50, 10: 20, 100: 10}
"""By depth or simulations: so many searches are measured as one."""


def works() -> Works:
    made: Works = {}
    for game in ("connect4", "chess"):  # tic-tac-toe has nothing to evaluate below its end
        for depth in (1, 2, 3):
            name = f"alphabeta() {game}, depth {depth}"
            made[name] = ("alphabeta()", game, f"depth={depth}", SEARCHES[depth])
    for game in ("tictactoe", "connect4", "chess"):
        for n in (10, 100):
            made[f"mcts() {game}, {n} simulations"] = (
                "mcts()",
                game,
                f"simulations={n}",
                SEARCHES[n],
            )
    return made


def main() -> None:
    given = dict(enumerate(sys.argv[1:]))
    if len(given) > 3 or given.get(0, "").startswith("--"):
        raise SystemExit(__doc__)
    revision, word = given.get(0, "-"), given.get(2, "")
    pairs = int(given.get(1, PAIRS))
    names = [name for name in works() if word in name]
    if revision == "-":
        alone(names, pairs)
    else:
        beside(revision, names, pairs)


def warm_up(side: Revision, names: list[str]) -> None:
    """One search of each game, long enough: positions run their rules in plain Python at first."""
    first = {works()[name][1]: name for name in reversed(names)}
    for name in first.values():
        spent = 0.0
        while spent < WARM_SECONDS:
            spent += works()[name][3] * side.seconds(name, 0)


def alone(names: list[str], repeats: int) -> None:
    here = Revision(HERE, works(), "process_time")
    try:
        print(f"{'search':34} {'per second':>10}")
        warm_up(here, names)
        for name in names:
            here.seconds(name, 0)  # compile, and fill the caches
            times = [here.seconds(name, seed) for seed in range(repeats)]
            print(f"{name:34} {1 / statistics.median(times):10,.0f}", flush=True)
    finally:
        here.end()


def beside(revision: str, names: list[str], pairs: int) -> None:
    """Each pair has processes of its own: where the memory of one happens to lie is worth some
    percent, whatever the code is."""
    then: dict[str, list[float]] = {name: [] for name in names}
    now: dict[str, list[float]] = {name: [] for name in names}
    with checked_out(revision) as folder:
        for pair in range(pairs):
            old, new = (Revision(place, works(), "process_time") for place in (folder, HERE))
            try:
                warm_up(old, names)
                warm_up(new, names)
                for name in names:
                    one, other = pairs_of(name, old, new, [pair])
                    then[name] += one
                    now[name] += other
            finally:
                old.end()
                new.end()
    print(f"{'search':34} {'then /s':>10} {'now /s':>10} {'ratio':>6}   95 % interval")
    for name in names:
        rates = [f"{1 / statistics.median(times[name]):10,.0f}" for times in (then, now)]
        print(f"{name:34} {' '.join(rates)} {ratio_text(then[name], now[name])}")


if __name__ == "__main__":
    main()
