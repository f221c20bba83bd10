// <ponder-ridge>: the hidden values of the moves as bells, each as wide as its noise; what the search believes as a
// tick. The round handle moves the value, the square one the noise: by dragging, or with the arrow keys.
//
//   ridge.show(truth, moves);   fires "set" with {values, noises} when a handle is let go
import { s, say, set } from "../lib/dom.js";
import { signed } from "../lib/format.js";

const LEFT = 30, WIDE = 420, ROW = 62, TOP = 8, LOW = -1.6, HIGH = 1.6, TALL = 40, LIMIT = 1, MOST_NOISE = 1.2;
const STEP = 0.05;
const X = (value) => LEFT + (WIDE - LEFT - 10) * (Math.max(LOW, Math.min(HIGH, value)) - LOW) / (HIGH - LOW);

export class PonderRidge extends HTMLElement {
  connectedCallback() {
    if (this.svg) return;
    const high = TOP + 4 * ROW + 22;
    this.svg = s("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "group", "aria-label": "Hidden values and noises" });
    for (const tick of [-1, 0, 1]) {
      this.svg.append(s("line", { class: "grid", x1: X(tick), x2: X(tick), y1: TOP, y2: high - 20 }),
        s("text", { class: "axis", x: X(tick), y: high - 5 }, tick === 0 ? "0" : signed(tick, 0)));
    }
    this.rows = ["A", "B", "C", "D"].map((letter, i) => this.makeRow(letter, i));
    this.append(this.svg);
  }

  makeRow(letter, i) {
    const y = TOP + (i + 1) * ROW - 12;
    const row = { letter, y };
    row.area = s("path", { class: "area" });
    row.bell = s("path", { class: "bell" });
    row.base = s("line", { class: "base", x1: LEFT, x2: WIDE - 10, y1: y, y2: y });
    row.cost = s("line", { class: "cost", y1: y + 5, y2: y + 5 });
    row.whisker = s("line", { class: "whisker", y1: y - 7, y2: y - 7 });
    row.tick = s("line", { class: "tick", y1: y - 15, y2: y + 1 });
    row.value = this.makeHandle(s("circle", { class: "handle", r: 7, cy: y }), `True value of ${letter}`, i, "values");
    row.noise = this.makeHandle(s("rect", { class: "handle", width: 11, height: 11, y: y - TALL * 0.61 - 5 }), `Noise of ${letter}`, i, "noises");
    row.text = s("text", { class: "note", x: WIDE - 10, y: y - TALL - 1 });
    this.svg.append(row.base, row.cost, row.area, row.bell, row.whisker, row.tick,
      s("text", { class: "letter", x: 12, y: y + 5 }, letter), row.text, row.noise, row.value);
    return row;
  }

  makeHandle(handle, label, i, kind) {
    set(handle, { role: "slider", tabindex: 0, "aria-label": label, "aria-valuenow": 0,
      "aria-valuemin": kind === "values" ? -LIMIT : 0, "aria-valuemax": kind === "values" ? LIMIT : MOST_NOISE });
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP }[event.key];
      if (!by) return;
      event.preventDefault();
      this.move(i, kind, this.truth[kind][i] + by);
      this.commit();
    });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      this.dragging = true;
      const follow = (moved) => {
        const box = this.svg.getBoundingClientRect();
        const x = (moved.clientX - box.left) * WIDE / box.width;
        const at = LOW + (HIGH - LOW) * (x - LEFT) / (WIDE - LEFT - 10);
        this.move(i, kind, kind === "values" ? at : Math.abs(at - this.truth.values[i]));
      };
      const release = () => {
        handle.removeEventListener("pointermove", follow);
        this.dragging = false;
        this.commit();
      };
      handle.addEventListener("pointermove", follow);
      handle.addEventListener("pointerup", release, { once: true });
    });
    return handle;
  }

  move(i, kind, value) {
    const [low, high] = kind === "values" ? [-LIMIT, LIMIT] : [0, MOST_NOISE];
    this.truth[kind][i] = Number((Math.round(Math.max(low, Math.min(high, value)) / STEP) * STEP).toFixed(2));
    this.paint();
  }

  commit() {
    const { values, noises } = this.truth;
    this.dispatchEvent(new CustomEvent("set", { detail: { values, noises } }));
  }

  show(truth, moves) {
    this.believed = moves;
    if (!this.dragging) this.truth = { ...truth, values: [...truth.values], noises: [...truth.noises] };
    this.paint();
  }

  paint() {
    const { values, noises, gaps } = this.truth;
    this.rows.forEach((row, i) => {
      const value = values[i], noise = noises[i], width = Math.max(noise, 0.015);
      // three widths to either side, as far as the picture goes
      const points = [], from = Math.max(-3, (LOW - value) / width), to = Math.min(3, (HIGH - value) / width);
      for (let k = 0; k <= 60; k++) {
        const z = from + (to - from) * k / 60;
        points.push(`${X(value + z * width).toFixed(1)} ${(row.y - TALL * Math.exp(-z * z / 2)).toFixed(1)}`);
      }
      set(row.bell, { d: `M${points.join("L")}` });
      set(row.area, { d: `M${X(value + from * width).toFixed(1)} ${row.y}L${points.join("L")}L${X(value + to * width).toFixed(1)} ${row.y}Z` });
      set(row.value, { cx: X(value), "aria-valuenow": value, "aria-valuetext": signed(value) });
      set(row.noise, { x: X(value + noise) - 5.5, "aria-valuenow": noise, "aria-valuetext": noise.toFixed(2) });
      set(row.cost, { x1: X(value - 2 * gaps[i]), x2: X(value), visibility: gaps[i] ? "visible" : "hidden" });
      const known = this.believed.find((one) => one.name === row.letter);
      const seen = known?.value != null;
      set(row.tick, { x1: seen ? X(known.value) : 0, x2: seen ? X(known.value) : 0, visibility: seen ? "visible" : "hidden" });
      const error = seen && known.spread != null && known.visits > 1 ? 2 * known.spread / Math.sqrt(known.visits) : 0;
      set(row.whisker, { x1: seen ? X(known.value - error) : 0, x2: seen ? X(known.value + error) : 0, visibility: seen && error ? "visible" : "hidden" });
      say(row.text, `${signed(value)} ± ${noise.toFixed(2)}`);
    });
  }
}

customElements.define("ponder-ridge", PonderRidge);
