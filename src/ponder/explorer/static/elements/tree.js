// <ponder-tree>: the tree of a search on a canvas: size = visits, colour = value, width of an edge = prior.
//
//   tree.show(columns, { range: [-1, 1], players: 2, mover: 0, best: 3 });   // columns of an update
//   tree.learn(path, { 3: "4", 5: "6" });      // names of the actions after a path
//   tree.light(path);                          // a way through the tree, lit
//
// Fires "pick" {path} when a node is selected, "wonder" {paths} for nodes whose children's names it would show.
// Drag, wheel and pinch move the picture; arrow keys select, Enter opens and closes, + and - zoom, 0 shows all.
// Values are coloured from the view of the player to move at the root in games of two, else of whoever chose the move.
import { h, say, set } from "../lib/dom.js";
import { compact, count, percent, plural, signed } from "../lib/format.js";
import { TreeLayout } from "../lib/tree-layout.js";
import { TreePainter } from "../lib/tree-paint.js";

const TOP = 34, CLOSEST = 1e9, LISTED = 12;

export class PonderTree extends HTMLElement {
  connectedCallback() {
    if (this.canvas) return;
    this.layout = new TreeLayout();
    /** @type {{range: [number, number], players: number, mover: number, best: number|null}} */
    this.facts = { range: [-1, 1], players: 2, mover: 0, best: null };
    /** @type {Map<string, Record<number, string>>} names of actions by the path before them */
    this.names = new Map();
    this.asked = new Set();
    this.selected = /** @type {number[]} */ ([]);
    this.lit = /** @type {number[]} */ ([]);
    this.shut = new Set();
    this.hovered = -1;
    /** @type {number|undefined} when the last frame of a movement was painted */
    this.lastFrame = undefined;
    this.view = { left: 0, zoom: 1, down: 0 };
    this.build();
    this.painter = new TreePainter(this, this.layout);
    const again = () => { this.painter.theme(); this.request(); };
    new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    new ResizeObserver(() => this.request()).observe(this.stage);
  }

  build() {
    const button = (text, label, run) => h("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick: run }, text);
    this.crumbs = h("nav", { class: "tree-crumbs", "aria-label": "Way to the selected node" });
    this.tools = h("div", { class: "tree-tools" },
      button("−", "Zoom out (-)", () => this.zoom(1 / 1.6)), button("+", "Zoom in (+)", () => this.zoom(1.6)),
      button("Fit", "Show the whole tree (0)", () => this.fit()),
      button("Focus", "Zoom to the selected node (f)", () => this.focusOn(this.row)),
      button("Close", "Open or close the selected node (Enter)", () => this.toggle()));
    this.canvas = h("canvas", { tabindex: 0, role: "application", "aria-roledescription": "search tree", "aria-label": "Search tree. Arrow keys select a node, Enter opens and closes it." });
    this.card = h("div", { class: "tree-card card small", hidden: true });
    this.stage = h("div", { class: "tree-stage" }, this.canvas, this.card);
    this.about = h("p", { class: "tree-about" });
    this.spoken = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.below = h("ul", { class: "tree-below", "aria-label": "Children of the selected node" });
    this.append(h("div", { class: "tree-head" }, this.crumbs, this.tools), this.stage, this.about, this.spoken, this.below);
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => this.release(event));
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    canvas.addEventListener("dblclick", () => this.focusOn(this.row));
    /** @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
  }

  // ---------------------------------------------------------------- what is shown

  /** The next update; `facts`: range of utilities, players, mover at the root, best: the action to be played. */
  show(columns, facts = {}) {
    Object.assign(this.facts, facts);
    this.layout.take(columns);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.layout.arrive?.();
    this.describe();
    this.request();
  }

  /** Another game, another position: forget names, selection and what was closed. */
  forget() {
    this.names.clear();
    this.asked.clear();
    this.shut.clear();
    this.selected = [];
    this.lit = [];
    this.fit();
  }

  learn(path, names) {
    this.names.set(path.join(), names);
    this.describe();
    this.request();
  }

  light(path) {
    this.lit = path;
    this.request();
  }

  select(path, tell = true) {
    this.selected = path;
    this.describe();
    say(this.spoken, this.about.textContent);
    this.reveal();
    this.request();
    if (tell) this.dispatchEvent(new CustomEvent("pick", { detail: { path } }));
  }

  get row() {
    return this.layout.find(this.selected);
  }

  nameOf(row) {
    const path = this.layout.path(row), action = path.pop(), key = path.join();
    const known = this.names.get(key);
    if (known) return known[action] ?? `#${action}`;
    this.wonder(key, path);
    return null;
  }

  /** Ask for names, many at once. */
  wonder(key, path) {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    if (!this.wanted) {
      this.wanted = [];
      setTimeout(() => {
        this.dispatchEvent(new CustomEvent("wonder", { detail: { paths: this.wanted } }));
        this.wanted = null;
      }, 60);
    }
    this.wanted.push(path);
  }

  /** The value of a row as it is coloured: see above. */
  valueOf(row) {
    const { value, player } = this.layout.columns, { range, players, mover } = this.facts;
    if (players !== 2) return value[row];
    // the sum of both is the same everywhere: what one wins the other loses
    return this.ownerOf(row) === mover ? value[row] : range[0] + range[1] - value[row];
  }

  /** Who owns a row's statistics: who chose it; below dice, the last one who did. */
  ownerOf(row) {
    const { player, parent } = this.layout.columns;
    while (row > 0 && player[row] < 0) row = parent[row];
    return player[row] < 0 ? 0 : player[row];
  }

  // ---------------------------------------------------------------- words

  wayNames(path) {
    return path.map((action, i) => this.names.get(path.slice(0, i).join())?.[action] ?? `#${action}`);
  }

  sentence(row) {
    const { visits, prior, low, high, children, untried, cut } = this.layout.columns;
    const parts = [plural(visits[row], "visit") + (row ? ` (${percent(visits[row] / Math.max(1, visits[this.layout.columns.parent[row]]))} of its siblings')` : "")];
    parts.push(`value ${signed(this.valueOf(row), 3)}`);
    if (row && !Number.isNaN(prior[row])) parts.push(`prior ${percent(prior[row])}`);
    if (this.layout.isProven(row)) parts.push(`proven: ${signed(low[row])} for whoever moved here`);
    else if (!Number.isNaN(low[row]) && (low[row] > this.facts.range[0] || high[row] < this.facts.range[1])) {
      parts.push(`proven to lie between ${signed(low[row])} and ${signed(high[row])}`);
    }
    if (cut[row]) parts.push("cut by the select rule");
    if (this.layout.isChance(row)) parts.push("dice fall here");
    if (children[row]) parts.push(`${plural(children[row], "child").replace("childs", "children")}${untried[row] ? `, ${count(untried[row])} untried` : ""}`);
    return parts.join(" · ");
  }

  describe() {
    const { selected } = this, names = this.wayNames(selected), row = this.row;
    const key = names.join("\n");
    if (this.crumbed !== key) {
      this.crumbed = key;
      const step = (text, n) => h("button", { type: "button", class: "quiet", "aria-current": n === names.length ? "true" : null,
        onclick: () => { this.select(selected.slice(0, n)); this.canvas.focus(); } }, text);
      this.crumbs.replaceChildren(step("root", 0), ...names.flatMap((name, i) => [h("span", { "aria-hidden": "true" }, "›"), step(name, i + 1)]));
    }
    if (row < 0) {
      say(this.about, this.layout.size ? "This node is not among those shown at this moment." : "There is no tree yet.");
      this.below.replaceChildren();
      return;
    }
    if (this.layout.children(row).length && !this.names.has(selected.join())) this.wonder(selected.join(), selected);
    say(this.about, `${names.length ? names.join(" ") : "Root"}: ${this.sentence(row)}`);
    const { visits, action } = this.layout.columns, known = this.names.get(selected.join());
    const rows = [...this.layout.children(row)].sort((a, b) => visits[b] - visits[a]).slice(0, LISTED);
    while (this.below.children.length > rows.length) this.below.lastChild.remove();
    rows.forEach((child, i) => {
      if (!this.below.children[i]) {
        const made = h("button", { type: "button", onclick: () => { this.select([...this.selected, Number(made.dataset.action)]); } });
        this.below.append(h("li", {}, made));
      }
      const made = this.below.children[i].firstChild;
      set(made, { "data-action": action[child] });
      say(made, `${known?.[action[child]] ?? `#${action[child]}`}  ${signed(this.valueOf(child))}  ${compact(visits[child])}`);
    });
    say(this.tools.lastChild, this.shut.has(selected.join()) ? "Open" : "Close");
  }

  // ---------------------------------------------------------------- painting

  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      this.paint(now);
    });
  }

  paint(now) {
    const { canvas, stage, layout } = this, ratio = devicePixelRatio || 1;
    const wide = stage.clientWidth, high = stage.clientHeight;
    if (!wide || !high) return;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(high * ratio);
    }
    const g = canvas.getContext("2d", { alpha: false }); // nothing is to be seen through it
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = this.painter.surface;
    g.fillRect(0, 0, wide, high);
    const drifting = layout.drift(this.lastFrame === undefined ? 16 : Math.min(50, now - this.lastFrame));
    this.lastFrame = now;
    this.size = { wide, high, level: Math.max(64, Math.min(104, (high - TOP) / 5)) };
    const closed = new Set([...this.shut].map((key) => layout.find(key ? key.split(",").map(Number) : [])));
    const lit = this.lit.map((_, i) => layout.find(this.lit.slice(0, i + 1))).filter((row) => row >= 0);
    this.painter.paint(g, { ...this.size, ...this.view, top: TOP - this.view.down }, {
      closed, selected: this.row, hovered: this.hovered, lit, best: this.facts.best == null ? -1 : layout.find([this.facts.best]),
      valueOf: (row) => this.valueOf(row), range: this.facts.range, nameOf: (row) => this.nameOf(row),
    });
    this.showCard();
    if (drifting) this.request();
    else this.lastFrame = undefined;
  }

  hover(row) {
    if (row === this.hovered) return;
    this.hovered = row;
    this.canvas.style.cursor = row >= 0 ? "pointer" : "grab";
    this.request();
  }

  showCard() {
    const row = this.hovered, place = row >= 0 && row < this.layout.size ? this.painter.placeOf(row) : null;
    this.card.hidden = !place;
    if (!place) return;
    const names = this.wayNames(this.layout.path(row));
    this.card.replaceChildren(h("strong", {}, names.join(" › ") || "root"), ...this.sentence(row).split(" · ").map((line) => h("div", {}, line)));
    const [x, y, r] = place, left = Math.max(4, Math.min(this.size.wide - this.card.offsetWidth - 4, x + r + 10));
    const top = Math.max(4, Math.min(this.size.high - this.card.offsetHeight - 4, y + r + 6));
    Object.assign(this.card.style, { left: `${left}px`, top: `${top}px` });
  }

  // ---------------------------------------------------------------- moving the picture

  fit() {
    this.view = { left: 0, zoom: 1, down: 0 };
    this.request();
  }

  zoom(factor, x = (this.size?.wide ?? 0) / 2) {
    const { view } = this, part = x / (this.size?.wide || 1);
    const zoom = Math.max(1, Math.min(CLOSEST, view.zoom * factor));
    view.left += part / view.zoom - part / zoom;
    view.zoom = zoom;
    this.keepInside();
    this.request();
  }

  pan(dx, dy) {
    this.view.left -= dx / (this.size.wide * this.view.zoom);
    this.view.down -= dy;
    this.keepInside();
    this.request();
  }

  keepInside() {
    const { view } = this, { deepest } = this.layout;
    view.left = Math.max(-0.5 / view.zoom, Math.min(1 - 0.5 / view.zoom, view.left));
    if (view.zoom === 1) view.left = 0;
    view.down = Math.max(0, Math.min(deepest * (this.size?.level ?? 80), view.down));
  }

  /** Let a row's interval fill the picture. */
  focusOn(row) {
    if (row < 0) return;
    const [at, wide] = this.layout.interval(row);
    this.view.zoom = Math.max(1, Math.min(CLOSEST, 0.9 / wide));
    this.view.left = at + wide / 2 - 0.5 / this.view.zoom;
    this.view.down = Math.max(0, this.layout.columns.depth[row] * (this.size?.level ?? 80) - (this.size?.level ?? 80));
    this.keepInside();
    this.request();
  }

  /** Move the picture just so far that the selected node can be seen. */
  reveal() {
    const row = this.row;
    if (row < 0 || !this.size) return;
    const { wide, high, level } = this.size, [at, part] = this.layout.interval(row), { view } = this;
    if (part * wide * view.zoom < 12) view.zoom = Math.min(CLOSEST, 40 / (part * wide));
    const x = (at + part / 2 - view.left) * wide * view.zoom, y = TOP - view.down + this.layout.columns.depth[row] * level;
    if (x < 30 || x > wide - 30) view.left = at + part / 2 - 0.5 / view.zoom;
    if (y < 10) view.down += y - TOP;
    if (y > high - 60) view.down += y - (high - 90);
    this.keepInside();
  }

  toggle() {
    const key = this.selected.join();
    if (!this.shut.delete(key)) this.shut.add(key);
    this.describe();
    say(this.spoken, this.shut.has(key) ? "closed" : "open");
    this.request();
  }

  wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.canvas) return; // the page scrolls
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(-(event.deltaX || event.deltaY), 0);
    else this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)), event.offsetX);
  }

  press(event) {
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.dragged = this.pointers.size > 1 || 0;
  }

  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) {
      this.hover(this.painter.hit(event.offsetX, event.offsetY));
      return;
    }
    const x = event.offsetX, y = event.offsetY;
    if (this.pointers.size === 1) {
      if (this.dragged !== true && Math.hypot(x - last.x, y - last.y) < 4) return;
      this.dragged = true;
      this.pan(x - last.x, y - last.y);
    } else {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const before = Math.max(20, Math.abs(last.x - other.x)), after = Math.max(20, Math.abs(x - other.x));
      this.zoom(after / before, (x + other.x) / 2);
    }
    this.pointers.set(event.pointerId, { x, y });
  }

  release(event) {
    const pressed = this.pointers.delete(event.pointerId);
    if (!pressed || this.dragged || event.type === "pointercancel") return;
    const row = this.painter.hit(event.offsetX, event.offsetY);
    if (row >= 0) this.select(this.layout.path(row));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { layout, row } = this, path = this.selected;
    const beside = (step) => {
      if (!path.length) return;
      const siblings = [...layout.children(layout.find(path.slice(0, -1)))], at = siblings.indexOf(row) + step;
      if (siblings[at] !== undefined) this.select(layout.path(siblings[at]));
    };
    const down = () => {
      const child = row >= 0 ? layout.favourite(row) : -1;
      if (child >= 0) { this.shut.delete(path.join()); this.select(layout.path(child)); }
    };
    const keys = {
      ArrowUp: () => path.length && this.select(path.slice(0, -1)), ArrowDown: down,
      ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), Home: () => this.select([]),
      Enter: () => this.toggle(), "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4),
      0: () => this.fit(), f: () => this.focusOn(row),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

customElements.define("ponder-tree", PonderTree);
