"""How smooth the explorer is, measured in a real browser. Prints one line per figure.

    python benchmarks/speed/explorer.py [PART ...] [--minutes M] [--tabs N]

first: the time from the command to the first moving picture. steps: steps and rewinds of a small
tree. watched: a search of 1,000,000 simulations while the Search page shows it: updates a second,
and the share of its headless speed that it keeps. frames: frames a second of the tree on the Search
page, with 10,000 nodes, panned and zoomed. memory: of page, server and worker over M minutes (1).
tabs: N tabs (50) opened, searched and closed. All of them, if none is named.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "explorer")]

from browser import DESKTOP, PATIENCE, Explorer, chromium, explorer  # noqa: E402
from tabs import SMALL, tab  # noqa: E402

SIMULATIONS = 1_000_000
PAIRS = 7
CORES = sorted(os.sched_getaffinity(0))
OWN_CORE = CORES[0]
"""For the search, watched or not; the browser and the server have the others."""
HEADLESS = f"""
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
from ponder import MCTS, position
session = MCTS().start(position("connect4"), seed=1, switchable=True)
session.run(simulations=1000)
session.rewind(0)
began, worked = time.perf_counter(), time.process_time()
session.run(simulations={SIMULATIONS})
print(time.perf_counter() - began, time.process_time() - worked)
"""
OPEN = """
const { Connection } = await import("/static/lib/connection.js");
const { Search } = await import("/static/lib/session.js");
const connection = new Connection(page);
let worker = 0;
connection.addEventListener("told", ({ detail }) => { worker = detail.process ?? worker; });
const search = new Search(connection, { name: "main", nodes, deepest, every: 0.05 });
await search.open({ game, engine: "mcts()", seed: 1 });
const change = () => new Promise((done) => search.addEventListener("change", done, { once: true }));
"""
READY = "() => document.querySelector('.pane-sentence')?.textContent.includes('Ready')"
WATCHED = """
async () => {
  const moment = document.querySelector(".moment"), play = document.querySelector(".pane .play");
  const seen = [], began = performance.now();
  const number = () => parseInt(moment.textContent.replaceAll(",", ""));
  const look = () => seen.push([performance.now() - began, number()]);
  new MutationObserver(look).observe(moment, { childList: true });
  play.click();
  const soon = () => new Promise((done) => setTimeout(done, 1));
  while (!moment.textContent.startsWith("1,000,000 ")) await soon();
  return seen;
}
"""
MOMENT = "(text) => document.querySelector('.moment').textContent.startsWith(text)"
LATENCY = (
    "async ({page, nodes, deepest = 0, game}) => {"
    + OPEN
    + """
const steps = [], rewinds = [];
for (let i = 0; i < 200; i++) {
  const began = performance.now(), seen = change();
  await search.step(); await seen;
  steps.push(performance.now() - began);
}
for (let i = 0; i < 60; i++) {
  const began = performance.now(), seen = change();
  await search.rewind((i * 37) % 200); await seen;
  rewinds.push(performance.now() - began);
}
return { steps, rewinds };
}"""
)
FRAMES = (
    "async ({page, nodes, deepest = 0, game, many}) => {"
    + OPEN
    + """
await search.run(null, many);
while (search.state.running || search.state.moment < many) await change();
const tree = document.querySelector("ponder-tree"), canvas = tree.querySelector("canvas");
tree.scrollIntoView({ block: "center" });
tree.show(search.nodes, {});
await new Promise((done) => setTimeout(done, 1500));
canvas.focus();
const { left, top } = canvas.getBoundingClientRect();
let frames = 0, painted = 0, drawn = 0, spent = 0;
const paint = tree.paint.bind(tree);
tree.paint = (now) => {
  const from = performance.now();
  paint(now);
  spent += performance.now() - from; painted++; drawn += tree.painter.drawn.count;
};
const began = performance.now();
while (performance.now() - began < 5000) {
  await new Promise(requestAnimationFrame);
  // in and out by the wheel, held by it; and to and fro by dragging
  const at = { clientX: left + 600, clientY: top + 200 };
  const some = { ...at, bubbles: true, cancelable: true, pointerId: 1 };
  if (frames % 2) {
    const deltaY = -60 * Math.cos(frames / 40);
    canvas.dispatchEvent(new WheelEvent("wheel", { ...some, deltaY }));
  } else tree.pan(12 * Math.cos(frames / 25), 0);
  frames++;
}
const seconds = (performance.now() - began) / 1000;
return { nodes: search.nodes.visits.length, rate: painted / seconds, drawn: drawn / painted,
  milliseconds: spent / painted, size: `${canvas.width} x ${canvas.height}` };
}"""
)


def window(browser: Any, running: Explorer) -> Any:
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(running.address)
    page.wait_for_selector(".sentence[data-mood]")
    return page


def first_picture(browser: Any) -> float:
    """Seconds from the command to the first simulation on the page."""
    began = time.perf_counter()
    with explorer() as running:
        page = window(browser, running)
        page.click("button.play")
        page.wait_for_function("() => parseInt(document.querySelector('.moment').textContent) > 0")
        return time.perf_counter() - began


def resident(pid: int) -> float:
    """Megabytes of memory that a process takes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def memory(browser: Any, minutes: float) -> None:
    """The search of the front page played again and again."""
    with explorer() as running:
        page = window(browser, running)
        page.fill("#speed", "7")
        seen, parts = [], 30
        for _ in range(parts):
            page.click("[data-preset=gem]")
            page.click("button.play")
            page.wait_for_timeout(minutes * 60_000 / parts)
            page.request_gc()
            heap = page.evaluate("performance.memory.usedJSHeapSize / 1e6")
            server, workers = running.process.pid, running.workers()
            seen.append((heap, resident(server), max(map(resident, workers))))
        for name, values in zip(("page", "server", "worker"), zip(*seen, strict=True), strict=True):
            # the first third is for filling caches and for keeping copies
            later = values[parts // 3 :]
            slope, _ = statistics.linear_regression(range(len(later)), later)
            print(
                f"memory of the {name} over {minutes:g} min: {values[0]:.0f}, {later[0]:.0f}, "
                f"{values[-1]:.0f} MB; {slope * parts / minutes:+.2f} MB a minute in the last two "
                "thirds",
                flush=True,
            )


def many_tabs(count: int) -> None:
    """All are open before the first one searches: a process cannot begin while many are at work."""
    with explorer() as running:
        began = time.perf_counter()
        with contextlib.ExitStack() as stack:
            tabs = [stack.enter_context(tab(running)) for _ in range(count)]
            for one in tabs:
                one.ask("open", history=SMALL)
            for one in tabs:
                one.ask("run", rate=None)
            searched = sum(one.ask("pause")["moment"] > 0 for one in tabs)
            for one in tabs:
                one.ask("run", rate=None)  # they are closed in the middle of it
            most = len(running.workers())
        for _ in range(1200):
            if len(running.workers()) <= 1:
                break
            time.sleep(0.05)
        left, seconds = len(running.workers()), time.perf_counter() - began
        print(
            f"{count} tabs: {searched} searched, {most} processes while they did, {left} (kept "
            f"warm for the next) after them; {seconds:.0f} s"
        )


def small_steps(page: Any) -> None:
    small = {"page": "tryit", "nodes": 200, "deepest": 3, "game": "gem(scenario=noise)"}
    for name, times in page.evaluate(LATENCY, small).items():
        middle, worst = statistics.median(times), sorted(times)[int(0.95 * len(times))]
        print(
            f"{name} of a small tree: median {middle:.0f} ms, 95 % below {worst:.0f} ms", flush=True
        )


def worked(pid: int) -> float:
    """Seconds of processor time that a process has taken."""
    ticks = Path(f"/proc/{pid}/stat").read_text().split()[13:15]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def on_the_other_cores() -> Iterator[None]:
    """What is started here leaves the search's core alone, where there is another one."""
    os.sched_setaffinity(0, CORES[1:] or CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, CORES)


def give_core(pid: int, core: int) -> None:
    """Let all threads of a process run there alone."""
    for task in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(task), [core])


def warm_up(page: Any) -> None:
    """Load what a process loads once, as the headless search has by then."""
    page.select_option("[aria-label='Stop after']", "10000")
    page.click(".pane .play")
    page.wait_for_function(MOMENT, arg="10,000 ")
    page.wait_for_selector(".lines li")
    page.click("[aria-label='Back to the beginning']")
    page.wait_for_function(MOMENT, arg="0 ")


def watched_search(browser: Any, running: Explorer) -> None:
    """The Search page itself, its speed between the first and the last but one update, with a core
    for the search. Several pairs, as one and the same search takes up to a sixth more or less by
    itself."""
    page, workers = window(browser, running), []

    def look(frame: Any) -> None:
        if isinstance(frame, str) and '"ready"' in frame:
            workers.append(json.loads(frame)["process"])

    page.on("websocket", lambda wire: wire.on("framereceived", look))
    rates, shares, by_processor = [], [], []
    for pair in range(PAIRS + 1):
        alone = subprocess.run(
            [sys.executable, "-c", HEADLESS, str(OWN_CORE)],
            capture_output=True,
            text=True,
            check=True,
        )
        headless, needed = map(float, alone.stdout.split())
        page.goto("about:blank")
        page.goto(f"{running.origin}/search#game=connect4&engine=mcts()&seed=1")
        page.wait_for_function(READY)
        give_core(workers[-1], OWN_CORE)
        warm_up(page)
        page.select_option("[aria-label='Stop after']", str(SIMULATIONS))
        before = worked(workers[-1])
        seen = page.evaluate(WATCHED)
        if pair == 0:
            continue  # whatever is cold
        (first, some), (last, more) = seen[0], seen[-2]  # the last one waits to be painted
        rates.append(1000 * len(seen) / seen[-1][0])
        shares.append((more - some) / (last - first) * 1000 * headless / SIMULATIONS)
        by_processor.append(needed / (worked(workers[-1]) - before))
    print(
        f"{SIMULATIONS:,} simulations on the Search page, {PAIRS} pairs: "
        f"{statistics.median(rates):.1f} updates a second (least {min(rates):.1f}); of headless "
        f"speed {spread_text(shares)}, by processor time {spread_text(by_processor)}",
        flush=True,
    )


def spread_text(shares: list[float]) -> str:
    return f"{statistics.median(shares):.0%} ({min(shares):.0%} to {max(shares):.0%})"


LARGE = {"page": "search", "nodes": 20_000, "game": "connect4", "many": 200_000}


def tree_frames(page: Any, running: Explorer) -> None:
    page.goto(f"{running.origin}/search#game=connect4&engine=mcts()&seed=1")
    page.wait_for_function(READY)
    frames = page.evaluate(FRAMES, LARGE)
    print(
        f"{frames['nodes']:,} nodes panned and zoomed on {frames['size']} pixels: "
        f"{frames['rate']:.0f} frames a second, on average {frames['drawn']:,.0f} of the nodes "
        f"drawn in {frames['milliseconds']:.1f} ms",
        flush=True,
    )


PARTS = ("first", "steps", "watched", "frames", "memory", "tabs")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--tabs", type=int, default=50)
    given = parser.parse_args()
    wanted = set(given.parts or PARTS)
    if wanted - set(PARTS):
        parser.error(f"the parts are {', '.join(PARTS)}, not {', '.join(wanted - set(PARTS))}")
    with chromium() as browser:
        if "first" in wanted:
            first_picture(browser)  # whatever is cold
            print(f"command to first moving picture: {first_picture(browser):.1f} s", flush=True)
        if wanted & {"steps", "frames"}:
            with explorer() as running:
                page = window(browser, running)
                if "steps" in wanted:
                    small_steps(page)
                if "frames" in wanted:
                    tree_frames(page, running)
        if "memory" in wanted:
            memory(browser, given.minutes)
    if "watched" in wanted:
        with on_the_other_cores(), chromium() as browser, explorer() as running:
            watched_search(browser, running)
    if "tabs" in wanted:
        many_tabs(given.tabs)


if __name__ == "__main__":
    main()
