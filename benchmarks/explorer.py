"""How smooth the explorer is, measured in a real browser. Prints one line per figure.

    python benchmarks/explorer.py [--minutes M] [--tabs N]

A search of 1,000,000 simulations while a page watches: updates a second, and the share of its
headless speed that it keeps; steps and rewinds of a small tree; frames a second of a drawing of
10,000 nodes that is panned and zoomed; memory of page, server and worker over M minutes (1); the
time from the command to the first moving picture; N tabs (50) opened, searched and closed.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "explorer")]

from browser import DESKTOP, Explorer, chromium, explorer  # noqa: E402
from tabs import SMALL, tab  # noqa: E402

SIMULATIONS = 1_000_000
HEADLESS = f"""
import time
from ponder import MCTS, position
session = MCTS().start(position("connect4"), seed=1, switchable=True)
session.run(simulations=1000)
session.rewind(0)
began = time.perf_counter()
session.run(simulations={SIMULATIONS})
print(time.perf_counter() - began)
"""
OPEN = """
const { Connection } = await import("/static/lib/connection.js");
const { Search } = await import("/static/lib/session.js");
const search = new Search(new Connection(page), { name: "main", nodes, deepest, every: 0.05 });
await search.open({ game, engine: "mcts()", seed: 1 });
const change = () => new Promise((done) => search.addEventListener("change", done, { once: true }));
"""
WATCHED = (
    "async ({page, nodes, deepest = 0, game, many}) => {"
    + OPEN
    + """
await search.run(null, 1000);
while (search.state.running || search.state.moment < 1000) await change();
await search.rewind(0);
let updates = 0;
search.addEventListener("change", () => { updates++; });
const began = performance.now();
await search.run(null, many);
while (search.state.running || search.state.moment < many) await change();
return { updates, seconds: (performance.now() - began) / 1000 };
}"""
)
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
    "async ({page, nodes, deepest = 0, game, element, many}) => {"
    + OPEN
    + """
await search.run(null, many);
while (search.state.running || search.state.moment < many) await change();
await import(`/static/elements/${element}.js`);
const tree = document.createElement(`ponder-${element}`);
tree.style.cssText = "position: fixed; inset: 0; display: block; background: white; z-index: 99";
document.body.append(tree);
tree.show(search.nodes, {});
await new Promise((done) => setTimeout(done, 500));
const canvas = tree.querySelector("canvas");
tree.querySelector(".tree-stage").style.cssText = "position: absolute; inset: 0; height: 100vh";
canvas.focus();
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
  const some = { clientX: 600, clientY: 400, bubbles: true, cancelable: true, pointerId: 1 };
  if (frames % 2) {
    const deltaY = -60 * Math.cos(frames / 40);
    canvas.dispatchEvent(new WheelEvent("wheel", { ...some, deltaY }));
  } else tree.pan(12 * Math.cos(frames / 25), 0);
  frames++;
}
const seconds = (performance.now() - began) / 1000;
return { nodes: search.nodes.visits.length, rate: painted / seconds, drawn: drawn / painted,
  milliseconds: spent / painted };
}"""
)


def window(browser: Any, running: Explorer) -> Any:
    page = browser.new_context(viewport=DESKTOP).new_page()
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
    with explorer() as running:
        with contextlib.ExitStack() as stack:
            for _ in range(count):
                one = stack.enter_context(tab(running))
                one.ask("open", history=SMALL)
                one.ask("run", rate=None)
            most = len(running.workers())
        for _ in range(600):
            if len(running.workers()) <= 1:
                break
            time.sleep(0.05)
        left = len(running.workers())
        print(f"{count} tabs: {most} processes while they searched, {left} (kept warm) after them")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--tabs", type=int, default=50)
    given = parser.parse_args()
    with chromium() as browser:
        first_picture(browser)  # whatever is cold
        print(f"command to first moving picture: {first_picture(browser):.1f} s", flush=True)
        with explorer() as running:
            page = window(browser, running)
            small = {"page": "tryit", "nodes": 200, "deepest": 3, "game": "gem(scenario=noise)"}
            found = page.evaluate(LATENCY, small)
            for name, times in found.items():
                middle, worst = statistics.median(times), sorted(times)[int(0.95 * len(times))]
                print(f"{name} of a small tree: median {middle:.0f} ms, 95 % below {worst:.0f} ms")
            large = {"page": "search", "nodes": 2000, "game": "connect4", "many": SIMULATIONS}
            page.evaluate(WATCHED, {**large, "many": 50_000})
            alone = subprocess.run(
                [sys.executable, "-c", HEADLESS], capture_output=True, text=True, check=True
            )
            headless = float(alone.stdout)
            watched = page.evaluate(WATCHED, large)
            rate = watched["updates"] / watched["seconds"]
            print(
                f"{SIMULATIONS:,} simulations: {rate:.0f} updates a second; "
                f"{headless / watched['seconds']:.0%} of headless speed "
                f"({watched['seconds']:.2f} s, headless {headless:.2f} s)",
                flush=True,
            )
            page.goto(f"{running.origin}/search#game=connect4&engine=mcts()&seed=1")
            page.wait_for_function(
                "() => document.querySelector('.pane-sentence')?.textContent.includes('Ready')"
            )
            wide = {**large, "nodes": 20_000, "element": "tree"}
            frames = page.evaluate(FRAMES, wide)
            print(
                f"{frames['nodes']:,} nodes panned and zoomed: {frames['rate']:.0f} frames a "
                f"second, on average {frames['drawn']:,.0f} of the nodes drawn in "
                f"{frames['milliseconds']:.1f} ms",
                flush=True,
            )
        memory(browser, given.minutes)
    many_tabs(given.tabs)


if __name__ == "__main__":
    main()
