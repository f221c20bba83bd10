// <ponder-lesson-tree>: a small tree as on a blackboard, with what a search knows of each node at this step. SVG.
//
//   tree.show(answer, { editable, label, before, windows });   // the answer to the message "lesson"
//
// before: old paths by new, where the tree was reordered; windows: leave room for them (as beside another tree).
//
// Leaves are sliders: drag up and down, arrow keys, or type a number. Fires "edit" {path, player, value, done} and
// "look" {path} (null: at nothing). Where the screen is narrow the tree grows to the right, else downwards.
import { s, say, set } from "../lib/dom.js";
import { arranged, SHAPES, SIZE } from "../lib/lesson-layout.js";

const DRAG = 6; // pixels for a step of 1
const MOTION = 420;
const MOST = 999;

const keyOf = (path) => path.join(" ");
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
/** 3, −2, 4.7: as the server writes them. */
const text = (value) => String(Number(value.toPrecision(6))).replace("-", "−");

export class PonderLessonTree extends HTMLElement {
  connectedCallback() {
    if (this.svg) return;
    this.edges = s("g", { class: "edges" });
    this.bodies = s("g", { class: "bodies" });
    this.air = s("g", { class: "air", "aria-hidden": "true" });
    this.svg = s("svg", { role: "group" }, this.edges, this.bodies, this.air);
    this.append(this.svg);
    /** What stands for a node, by its path. @type {Map<string, any>} */
    this.made = new Map();
    new ResizeObserver(() => this.data && this.clientWidth !== this.wide && this.refit()).observe(this);
  }

  show(answer, { editable = true, label = "The tree", before = null, windows = answer.windows } = {}) {
    this.windows = windows;
    const last = this.data, lastStep = last?.step ?? 0;
    this.data = answer;
    this.editable = editable;
    if (this.shape !== shapeOf(answer) || this.asked?.shown()) this.asked = null;
    set(this.svg, { "aria-label": label });
    this.arrange(Boolean(last), before);
    this.paint();
    if (last && answer.step === lastStep + 1 && this.shape === shapeOf(answer)) this.rise(answer.beats[answer.step - 1]);
    this.shape = shapeOf(answer);
  }

  refit() {
    this.arrange(false);
    this.paint();
  }

  /** Places for all nodes; those that were there move to them. */
  arrange(moving, before = null) {
    const { nodes } = this.data;
    this.wide = this.clientWidth;
    this.layout = arranged(nodes, this.wide || 600, this.windows);
    const { width, height, down } = this.layout;
    set(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height, class: down ? "down" : "right" });
    const was = new Map([...this.made].map(([key, one]) => [key, [one.x, one.y]]));
    const wanted = new Set(nodes.map((one) => keyOf(one.path) + one.form + (one.values?.length ?? 0) + Boolean(one.noisy)));
    for (const [key, one] of this.made) {
      if (wanted.has(key + one.form + one.cells + one.noisy) && one.down === down) continue;
      one.group.remove();
      one.edge?.remove();
      this.made.delete(key);
    }
    for (const node of nodes) {
      const key = keyOf(node.path), place = this.layout.places.get(key);
      let one = this.made.get(key);
      if (!one) this.made.set(key, one = this.make(node, down));
      one.x = place.x;
      one.y = place.y;
      set(one.group, { transform: `translate(${place.x} ${place.y})` });
      if (one.edge) this.drawEdge(one, this.layout.places.get(keyOf(node.path.slice(0, -1))));
      const from = before ? was.get(before[key] ?? key) : null;
      if (moving && from && !still() && (from[0] !== place.x || from[1] !== place.y)) {
        one.group.animate([{ transform: `translate(${from[0]}px, ${from[1]}px)` }, { transform: `translate(${place.x}px, ${place.y}px)` }],
          { duration: MOTION, easing: "ease-in-out" });
      }
    }
  }

  drawEdge(one, above) {
    const down = this.layout.down;
    const [x1, y1, x2, y2] = down ? [above.x, above.y + SIZE, one.x, one.y - one.near] : [above.x + SIZE, above.y, one.x - one.near, one.y];
    set(one.line, one.line.tagName === "path" ? { d: wave(x1, y1, x2, y2) } : { x1, y1, x2, y2 });
    const mx = (x1 + x2) / 2, my = (y1 + y2) / 2;
    set(one.slash, { d: "M-7 4 1 -6M-2 6 6 -4", transform: `translate(${mx} ${my})` });
    const near = down ? [x1 + 0.6 * (x2 - x1) + (x2 < x1 ? -5 : 5), y1 + 0.6 * (y2 - y1)] : [x1 + 0.55 * (x2 - x1), y1 + 0.55 * (y2 - y1) + (y2 < y1 ? -5 : 13)];
    set(one.chance, { x: near[0], y: near[1], "text-anchor": down ? (x2 < x1 ? "end" : "start") : "middle" });
  }

  make(node, down) {
    const leaf = node.form === "leaf";
    const one = { form: node.form, noisy: Boolean(node.noisy), cells: node.values?.length ?? 0, down, x: 0, y: 0, near: leaf ? (down ? 15 : 18) : SIZE };
    if (node.path.length) {
      one.line = node.noisy ? s("path", { class: "stem noisy" }) : s("line", { class: "stem" });
      one.slash = s("path", { class: "slash" });
      one.chance = s("text", { class: "chance" });
      one.edge = s("g", { class: "edge" }, one.line, one.slash, one.chance);
      this.edges.append(one.edge);
    }
    one.group = s("g", { class: `node ${node.form}`, "data-path": keyOf(node.path) });
    if (leaf) this.makeLeaf(one, node, down);
    else {
      one.ring = s("circle", { class: "ring", r: SIZE + 7 });
      one.body = s("path", { class: "body", d: SHAPES[node.form] });
      one.letter = s("text", { class: "letter", y: node.form === "max" ? 9 : node.form === "min" ? 1 : 5 });
      one.value = s("text", { class: "value" });
      one.window = s("text", { class: "window" });
      one.reason = s("text", { class: "reason" });
      one.guess = s("text", { class: "guess" });
      set(one.group, { role: "img" });
      one.group.append(one.ring, one.body, one.letter, one.value, one.window, one.reason, one.guess);
      const [x, y] = down ? [SIZE + 9, -5] : [0, -SIZE - 8];
      set(one.value, { x, y });
      set(one.window, { x, y: down ? 11 : SIZE + 15 });
      set(one.reason, { x, y: down ? 25 : SIZE + 15 });
      set(one.guess, down ? { x: -SIZE - 5, y: 4, "text-anchor": "end" } : { x: 0, y: SIZE + (node.mark ? 15 : 28) });
    }
    one.group.addEventListener("pointerenter", () => this.tell("look", { path: node.path }));
    one.group.addEventListener("pointerleave", () => this.tell("look", { path: null }));
    this.bodies.append(one.group);
    return one;
  }

  makeLeaf(one, node, down) {
    const many = one.cells;
    one.ring = s("rect", { class: "ring", rx: 9 });
    one.parts = Array.from({ length: many }, (_, i) => {
      const wide = many > 1 && !down ? 30 : 36, high = many > 1 ? 24 : 30;
      const [x, y] = down ? [-18, -15 + i * high] : [-18 + i * wide, -high / 2];
      const box = s("rect", { class: "box", x, y, width: wide, height: high, rx: 6 });
      const number = s("text", { class: "number", x: x + wide / 2, y: y + high / 2 + 5 });
      const grip = s("path", { class: "grip", d: down || many === 1 ? `M${x + wide - 8} ${y + high / 2 - 5}l3-4 3 4M${x + wide - 8} ${y + high / 2 + 5}l3 4 3-4` : "" });
      const part = s("g", { class: "part", role: "slider", tabindex: -1, "data-player": i, "aria-valuemin": -MOST, "aria-valuemax": MOST }, box, number, grip);
      this.listen(part, node.path, i);
      one.group.append(part);
      return { part, number, box };
    });
    const wide = !down && many > 1 ? 30 * many : 36, high = down ? (many > 1 ? 24 * many : 30) : many > 1 ? 24 : 30;
    set(one.ring, { x: -23, y: down ? -20 : -high / 2 - 5, width: wide + 10, height: high + 10 });
    one.group.prepend(one.ring);
  }

  // ---------------------------------------------------------------- editing

  tell(word, detail) {
    this.dispatchEvent(new CustomEvent(word, { detail }));
  }

  valueOf(path, player) {
    return this.data.nodes.find((one) => keyOf(one.path) === keyOf(path)).values[player];
  }

  listen(part, path, player) {
    const key = `${keyOf(path)}/${player}`;
    const change = (value, done) => {
      const next = Math.max(-MOST, Math.min(MOST, value));
      this.asked = { key, value: next, shown: () => this.valueOf(path, player) === next };
      if (next !== this.valueOf(path, player) || done) this.tell("edit", { path, player, value: next, done });
    };
    part.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      // a key pressed again before the answer counts from what was asked for
      const now = this.asked?.key === key ? this.asked.value : this.valueOf(path, player);
      if (by && this.editable) change(Math.round(now) + by, true);
      else if (along) this.goTo(part, along);
      else if (this.editable && /^[-−\d.]$/.test(event.key)) this.type(part, path, player, event.key);
      else if (this.editable && event.key === "Enter") this.type(part, path, player, null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    part.addEventListener("dblclick", () => this.editable && this.type(part, path, player, null));
    part.addEventListener("focus", () => this.roam(part));
    part.addEventListener("pointerdown", (event) => {
      if (!this.editable || event.button) return;
      event.preventDefault();
      part.focus();
      part.setPointerCapture(event.pointerId);
      const from = event.clientY, value = this.valueOf(path, player);
      let moved = false;
      const at = (now) => Math.round(value) + Math.round((from - now.clientY) / DRAG);
      const follow = (now) => {
        if (!moved && Math.abs(from - now.clientY) < DRAG) return;
        moved = true;
        part.classList.add("dragged");
        change(at(now), false);
      };
      const release = (now) => {
        part.removeEventListener("pointermove", follow);
        part.classList.remove("dragged");
        if (moved) change(at(now), true);
      };
      part.addEventListener("pointermove", follow);
      part.addEventListener("pointerup", release, { once: true });
      part.addEventListener("pointercancel", release, { once: true });
    });
  }

  sliders() {
    const place = (part) => this.layout.order.get(part.closest(".node").dataset.path);
    return [...this.bodies.querySelectorAll("[role=slider]")].sort((a, b) => place(a) - place(b) || Number(a.dataset.player) - Number(b.dataset.player));
  }

  /** The leaf beside this one. */
  goTo(part, by) {
    const all = this.sliders();
    all[Math.max(0, Math.min(all.length - 1, all.indexOf(part) + by))]?.focus();
  }

  /** One leaf at a time can be reached with Tab. */
  roam(part) {
    for (const one of this.bodies.querySelectorAll("[role=slider]")) set(one, { tabindex: one === part ? 0 : -1 });
  }

  focusLeaf() {
    (this.bodies.querySelector("[role=slider][tabindex='0']") ?? this.sliders()[0])?.focus();
  }

  /** A number is typed over the leaf. */
  type(part, path, player, first) {
    const box = part.getBoundingClientRect(), home = this.getBoundingClientRect();
    const field = document.createElement("input");
    Object.assign(field, { type: "text", inputMode: "decimal", className: "leaf-field", value: first ?? text(this.valueOf(path, player)) });
    field.setAttribute("aria-label", part.getAttribute("aria-label"));
    field.style.left = `${box.left - home.left + box.width / 2}px`;
    field.style.top = `${box.top - home.top + box.height / 2}px`;
    let open = true;
    const close = (keep) => {
      if (!open) return;
      open = false;
      const value = Number(field.value.replace("−", "-").replace(",", ".").trim());
      const good = field.value.trim() !== "" && Number.isFinite(value);
      field.remove();
      part.focus();
      if (keep && good) this.tell("edit", { path, player, value: Math.max(-MOST, Math.min(MOST, value)), done: true });
      else if (keep) this.tell("bad", { text: `A leaf is a number, not “${field.value}”.` });
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") close(true);
      if (event.key === "Escape") close(false);
      event.stopPropagation();
    });
    field.addEventListener("blur", () => close(true));
    this.append(field);
    field.focus();
    if (first == null) field.select();
  }

  // ---------------------------------------------------------------- painting

  paint() {
    const { nodes, states, step, beats } = this.data, beat = step ? beats[step - 1] : null;
    const at = beat ? keyOf(beat.path) : null;
    const cutAbove = (path) => path.some((_, i) => states[keyOf(path.slice(0, i + 1))]?.cut);
    nodes.forEach((node) => {
      const key = keyOf(node.path), one = this.made.get(key), state = states[key];
      const seen = Boolean(state && !state.unseen), gone = cutAbove(node.path), out = Boolean(state?.out);
      const mood = [`node ${node.form}`, node.mark && `of-${node.mark}`, seen ? "seen" : "fresh", state?.open && "open", gone && "cut", out && "out", state?.line && "line",
        !node.path.length && seen && !state.open && "line", key === at && "here", state?.chosen && "chosen"].filter(Boolean).join(" ");
      set(one.group, { class: mood });
      if (one.edge) {
        const passed = state?.chosen ? "chosen" : "";
        set(one.edge, { class: ["edge", passed, state?.line && "line", seen && "seen", gone && "cut", out && "out"].filter(Boolean).join(" ") });
        set(one.slash, { visibility: state?.cut ? "visible" : "hidden" });
        say(one.chance, node.probability ?? "");
      }
      if (node.form === "leaf") this.paintLeaf(one, node, state, seen, gone);
      else this.paintInner(one, node, state, seen, gone);
    });
    if (!this.bodies.querySelector("[role=slider][tabindex='0']")) set(this.sliders()[0] ?? this.svg, { tabindex: 0 });
  }

  paintLeaf(one, node, state, seen, gone) {
    const name = node.path.length ? `Leaf ${node.path.join(" ")}` : "Leaf";
    one.parts.forEach(({ part, number }, i) => {
      const written = text(node.values[i]);
      say(number, written);
      set(number, { class: `number${written.length > 5 ? " longest" : written.length > 3 ? " long" : ""}` });
      const deciding = state?.deciding === i && seen;
      set(part, {
        class: `part${one.cells > 1 ? ` of-${i}` : ""}${deciding ? " deciding" : ""}${part.classList.contains("dragged") ? " dragged" : ""}`,
        "aria-valuenow": node.values[i], "aria-disabled": this.editable ? null : "true",
        "aria-label": one.cells > 1 ? `${name}, player ${i}` : name,
        "aria-valuetext": text(node.values[i]) + (gone ? ", cut" : state?.out ? ", left out" : seen ? ", looked at" : ", not looked at yet"),
      });
    });
  }

  paintInner(one, node, state, seen, gone) {
    say(one.letter, node.letter);
    const tuple = seen && state.values?.length > 1;
    set(one.value, { class: tuple ? "value tuple" : "value" });
    if (tuple) {
      one.value.replaceChildren("(", ...state.values.flatMap((value, i) =>
        [s("tspan", { class: `of-${i}${state.deciding === i ? " deciding" : ""}` }, value), i + 1 < state.values.length ? ", " : ")"]));
    } else say(one.value, (seen && state.values?.[0]) || "");
    const window = seen ? state.window ?? "" : "", reason = (state?.reason ?? "").replace(/^cut[,:] ?/, "");
    const empty = /β ≤ α/.test(reason), { down } = this.layout;
    set(one.window, { class: empty ? "window empty" : "window" });
    say(one.window, empty && !down ? `${window} cut` : window); // to the right there is one line for both
    say(one.reason, !empty ? reason : down ? "β ≤ α: cut" : "");
    say(one.guess, node.estimate != null ? `≈ ${node.estimate}` : node.mark ? `player ${node.mark}` : "");
    const who = { max: "MAX", min: "MIN", chance: "Chance", player: `Player ${node.mark}` }[node.form];
    const told = !seen ? (gone ? "cut" : state?.out ? "left out" : "not looked at yet") : [
      state.values ? `${state.open ? "so far " : ""}${state.values.join(", ")}` : "entered", window && `window ${window}`, reason, state.line && "on the best line"].filter(Boolean).join("; ");
    set(one.group, { "aria-label": `${node.letter}, ${who}: ${told}` });
  }

  /** The value of a node goes up to the node above. */
  rise(beat) {
    if (still() || !beat?.path.length || beat.kind === "enter") return;
    const from = this.made.get(keyOf(beat.path)), to = this.made.get(keyOf(beat.path.slice(0, -1)));
    const state = this.data.states[keyOf(beat.path)];
    if (!from || !to || !state?.values) return;
    const token = s("g", { class: "token" }, s("rect", { x: -17, y: -12, width: 34, height: 24, rx: 12 }), s("text", { y: 5 }, state.values.length > 1 ? "…" : state.values[0]));
    this.air.append(token);
    token.animate([{ transform: `translate(${from.x}px, ${from.y}px)`, opacity: 1 }, { transform: `translate(${to.x}px, ${to.y}px)`, opacity: 1, offset: 0.85 },
      { transform: `translate(${to.x}px, ${to.y}px)`, opacity: 0 }], { duration: MOTION, easing: "ease-in-out" }).finished.then(() => token.remove(), () => token.remove());
  }
}

/** A wavy line. */
function wave(x1, y1, x2, y2) {
  const far = Math.hypot(x2 - x1, y2 - y1), count = Math.max(2, Math.round(far / 9)), side = [-(y2 - y1) / far, (x2 - x1) / far];
  const at = (part, off) => `${(x1 + part * (x2 - x1) + off * side[0]).toFixed(1)} ${(y1 + part * (y2 - y1) + off * side[1]).toFixed(1)}`;
  let d = `M${x1} ${y1}`;
  for (let i = 0; i < count; i++) d += `Q${at((i + 0.5) / count, i % 2 ? 6 : -6)} ${at((i + 1) / count, 0)}`;
  return d;
}

/** Is it the same tree? Then values may be seen to rise. */
const shapeOf = (answer) => answer.nodes.map((one) => keyOf(one.path) + (one.values ?? "")).join("|");

customElements.define("ponder-lesson-tree", PonderLessonTree);
