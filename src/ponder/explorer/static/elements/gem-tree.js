// <ponder-gem-tree>: the root, its four moves and what grows below them, as SVG.
//
//   tree.show(state, nodes);   // of a Search
//
// Dashed sage ring = truly best, solid clay ring = would be played now, red cross = cut. The path of the last
// simulations is lit. Fires "pick" with the actions that lead to the node that was clicked or focused.
import { s, say, set } from "../lib/dom.js";
import { plural, signed } from "../lib/format.js";

const WIDE = 760, NARROW = 560;
/** On a small screen everything is drawn larger, and the rows stand farther apart. */
const SHAPES = {
  wide: { k: 1, high: 420, rows: [46, 178, 318, 398] },
  narrow: { k: 1.65, high: 580, rows: [70, 240, 460, 555] },
};
const LETTERS = "ABCD";
const gap = [0, 190, 42, 10];

export class PonderGemTree extends HTMLElement {
  connectedCallback() {
    if (this.svg) return;
    this.svg = s("svg", { role: "group", "aria-label": "The search tree" });
    this.edges = s("g", { class: "edges" });
    this.dots = s("g", { class: "dots" });
    this.moves = s("g", { class: "moves" });
    this.svg.append(this.edges, this.dots, this.moves);
    this.append(this.svg);
    new ResizeObserver(() => this.arrange()).observe(this);
    /** @type {Map<string, any>} what stands for a node, by its path */
    this.made = new Map();
    this.shape = null;
    this.arrange();
  }

  /** Draw everything anew where the width asks for another shape. */
  arrange() {
    const shape = this.clientWidth && this.clientWidth < NARROW ? SHAPES.narrow : SHAPES.wide;
    if (shape === this.shape) return;
    this.shape = shape;
    set(this.svg, { viewBox: `0 0 ${WIDE} ${shape.high}`, style: `--k:${shape.k}` });
    for (const group of [this.edges, this.dots, this.moves]) group.replaceChildren();
    this.made.clear();
    this.root = this.makeNode([], "root", 0);
    LETTERS.split("").forEach((letter, i) => this.makeNode([i], letter, 1));
    if (this.shown) this.show(...this.shown);
  }

  place(path) {
    let x = WIDE / 2;
    path.forEach((action, i) => { x += (action - 1.5) * gap[i + 1]; });
    return [x, this.shape.rows[path.length]];
  }

  makeNode(path, letter, depth) {
    const [x, y] = this.place(path);
    const one = { path, x, y }, { k } = this.shape;
    if (depth > 0) {
      const [px, py] = this.place(path.slice(0, -1));
      one.edge = s("line", { x1: px, y1: py, x2: x, y2: y });
      this.edges.append(one.edge);
    }
    if (depth < 2) {
      one.body = s("circle", { class: "body", r: 17 * k });
      one.truth = s("circle", { class: "truth", r: 30, visibility: "hidden" });
      one.choice = s("circle", { class: "choice", r: 36, visibility: "hidden" });
      one.cross = s("path", { class: "cross", d: "M-22-22 22 22M22-22-22 22", transform: `scale(${k})`, visibility: "hidden" });
      one.name = s("text", { class: "letter", y: 6 * k }, depth ? letter : "");
      const left = depth === 0;
      one.value = s("text", { class: "value", x: left ? 30 * k : 0, y: left ? -2 : 60 * k, "text-anchor": left ? "start" : "middle" });
      one.sims = s("text", { class: "sims", x: left ? 30 * k : 0, y: left ? 16 * k : 78 * k, "text-anchor": left ? "start" : "middle" });
      one.group = s("g", { class: `node level-${depth}`, transform: `translate(${x} ${y})`, tabindex: 0, role: "button",
        "data-move": letter, "aria-label": depth ? `Move ${letter}` : "Root" }, one.truth, one.choice, one.body, one.cross, one.name, one.value, one.sims);
      const pick = (event) => {
        if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
        if (event.type === "keydown") event.preventDefault();
        this.dispatchEvent(new CustomEvent("pick", { detail: { path, sticky: event.type === "click" || event.type === "keydown" } }));
      };
      for (const kind of ["click", "pointerenter", "focus", "keydown"]) one.group.addEventListener(kind, pick);
      this.moves.append(one.group);
    } else {
      one.group = s("circle", { cx: x, cy: y, r: 2, class: "dot" });
      one.group.addEventListener("click", () =>
        this.dispatchEvent(new CustomEvent("pick", { detail: { path, sticky: true } })));
      this.dots.append(one.group);
    }
    this.made.set(path.join(), one);
    return one;
  }

  show(state, nodes) {
    this.shown = [state, nodes];
    const { k } = this.shape;
    const total = Math.max(1, state.moment), seen = new Set();
    const rows = nodes.visits?.length ?? 0, paths = [];
    for (let i = 0; i < rows; i++) {
      const depth = nodes.depth[i];
      paths[i] = i === 0 ? [] : paths[nodes.parent[i]] && depth < 4 ? [...paths[nodes.parent[i]], nodes.action[i]] : null;
      if (!paths[i] || depth > 3 || paths[i].some((action) => action > 3)) { paths[i] = depth ? null : []; continue; }
      if (depth === 0) continue;
      const key = paths[i].join();
      seen.add(key);
      const one = this.made.get(key) ?? this.makeNode(paths[i], "", depth);
      const share = nodes.visits[i] / total;
      const fresh = nodes.visits[i] > (one.visits ?? 0) && state.moment > (this.last ?? 0) && state.moment - (this.last ?? 0) <= 12;
      one.visits = nodes.visits[i];
      set(one.edge, { "stroke-width": (0.8 + 6 * Math.sqrt(share)).toFixed(2), class: fresh ? "lit" : nodes.cut[i] ? "gone" : "" });
      if (depth > 1) {
        const p = Math.round(100 * Math.max(0, Math.min(1, (nodes.value[i] + 1) / 2)));
        set(one.group, { r: (k * (1.6 + 14 * Math.sqrt(share) / depth)).toFixed(1), class: fresh ? "dot lit" : "dot",
          style: `--p:${p}%`, visibility: "visible" });
      }
    }
    for (const [key, one] of this.made) {
      if (one.path.length && !seen.has(key)) {
        one.visits = 0;
        set(one.edge, { "stroke-width": 0.8, class: one.path.length === 1 ? "unseen-edge" : "hidden-edge" });
        if (one.path.length > 1) set(one.group, { visibility: "hidden" });
      }
    }
    this.last = state.moment;
    const values = state.truth?.values ?? [], truly = Math.max(...values);
    const byName = Object.fromEntries(state.moves.map((row) => [row.name, row]));
    LETTERS.split("").forEach((letter, i) => {
      const one = this.made.get(String(i)), row = byName[letter] ?? { visits: 0, value: null };
      const chosen = state.moment > 0 && state.best === letter, best = values[i] === truly;
      const gone = state.cut.includes(letter), r = k * (17 + 16 * Math.sqrt(row.visits / total));
      set(one.body, { r: r.toFixed(1) });
      set(one.truth, { r: (r + 6 * k).toFixed(1), visibility: best ? "visible" : "hidden" });
      set(one.choice, { r: (r + 12 * k).toFixed(1), visibility: chosen ? "visible" : "hidden" });
      set(one.cross, { visibility: gone ? "visible" : "hidden" });
      set(one.group, { class: `node level-1${gone ? " is-cut" : ""}${chosen ? " is-chosen" : ""}${best ? " is-best" : ""}` });
      say(one.value, signed(row.value));
      say(one.sims, plural(row.visits, "sim"));
      const notes = [best && "truly the best", chosen && "would be played now", gone && "cut for good"].filter(Boolean);
      set(one.group, { "aria-label": `Move ${letter}: ${plural(row.visits, "simulation")}, value ${signed(row.value)}${notes.length ? ", " + notes.join(", ") : ""}` });
    });
    say(this.root.value, signed(state.root_value));
    say(this.root.sims, "root value");
    set(this.root.group, { "aria-label": `Root: value ${signed(state.root_value)} after ${plural(state.moment, "simulation")}` });
  }
}

customElements.define("ponder-gem-tree", PonderGemTree);
