// <ponder-plot>: curves with intervals, ours and published ones, as SVG.
//
//   plot.show({ title, x, y, log_x, log_y, curves: [{ name, published, x: [], y: [], low: [], high: [] }] });
//
// Published curves are dashed, with open circles. The legend hides and shows curves; a pointer, or the arrow keys, read
// the values at an x. Numbers that are not finite are null, and left out.
import { h, s, say, set } from "../lib/dom.js";
import { compact } from "../lib/format.js";

const LEFT = 56, RIGHT = 14, TOP = 12, BOTTOM = 44;
const COLOURS = 6, DASHES = ["", "7 4", "2 3", "9 3 2 3"];
let count = 0;

export class PonderPlot extends HTMLElement {
  connectedCallback() {
    if (this.picture) return;
    this.clip = `plot-${++count}`;
    this.heading = h("h3");
    this.picture = s("svg", { role: "img", tabindex: 0 });
    this.readout = h("div", { class: "chart-readout card small", hidden: true });
    this.live = h("p", { class: "unseen", role: "status" });
    this.legend = h("ul", { class: "plot-legend", "aria-label": "Curves" });
    this.append(this.heading, h("div", { class: "plot-frame" }, this.picture, this.readout), this.legend, this.live);
    this.hidden_ = new Set();
    new ResizeObserver(() => this.paint()).observe(this);
    this.picture.addEventListener("pointermove", (event) => this.point(event));
    this.picture.addEventListener("pointerleave", () => this.read(null));
    this.picture.addEventListener("blur", () => this.read(null));
    this.picture.addEventListener("keydown", (event) => this.key(event));
  }

  show(panel) {
    this.panel = panel;
    this.heading.replaceChildren(panel.y, ...(panel.title ? [h("span", { class: "soft" }, panel.title)] : []));
    const ours = panel.curves.filter((curve) => !curve.published).map((curve) => curve.name);
    this.curves = panel.curves.map((curve) => {
      const points = curve.x.map((x, i) => ({ x, y: curve.y[i], low: curve.low[i], high: curve.high[i] })).filter(({ x, y }) => x != null && y != null && (!panel.log_x || x > 0) && (!panel.log_y || y > 0));
      // a published curve has the colour of ours of the same name
      const n = ours.findIndex((name) => (curve.published ? curve.name.startsWith(`${name} (`) : curve.name === name));
      return { ...curve, points, colour: n < 0 ? "var(--ink)" : `var(--line-${(n % COLOURS) + 1})`, dash: curve.published ? "5 4" : DASHES[Math.floor(n / COLOURS) % DASHES.length] };
    }).filter((curve) => curve.points.length);
    this.paintLegend();
    this.paint();
  }

  paintLegend() {
    this.legend.replaceChildren(...this.curves.map((curve) => h("li", {},
      h("button", { type: "button", class: "quiet small", "aria-pressed": String(!this.hidden_.has(curve.name)), title: "Hide or show", onclick: () => this.toggle(curve),
        onpointerenter: () => this.light(curve), onpointerleave: () => this.light(null), onfocus: () => this.light(curve), onblur: () => this.light(null) },
      s("svg", { viewBox: "0 0 28 12", class: "plot-swatch", "aria-hidden": "true" }, s("line", { x1: 1, x2: 27, y1: 6, y2: 6, stroke: curve.colour, "stroke-dasharray": curve.dash }),
        curve.published ? s("circle", { cx: 14, cy: 6, r: 3.5, stroke: curve.colour }) : null), curve.name))));
  }

  toggle(curve) {
    if (!this.hidden_.delete(curve.name)) this.hidden_.add(curve.name);
    [...this.legend.querySelectorAll("button")].forEach((button, i) => set(button, { "aria-pressed": String(!this.hidden_.has(this.curves[i].name)) }));
    this.paint();
  }

  light(curve) {
    for (const group of this.picture.querySelectorAll(".curve")) group.classList.toggle("dim", curve != null && group.getAttribute("data-name") !== curve.name);
  }

  get seen() {
    return this.curves.filter((curve) => !this.hidden_.has(curve.name));
  }

  // ---------------------------------------------------------------- painting

  paint() {
    const { panel, picture } = this, wide = this.clientWidth;
    if (!panel || !wide) return;
    const high = Math.round(Math.max(220, Math.min(340, 0.62 * wide))), seen = this.seen, all = seen.flatMap((curve) => curve.points);
    set(picture, { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, "aria-label": this.describe() });
    if (!all.length) {
      picture.replaceChildren(s("text", { x: wide / 2, y: high / 2, "text-anchor": "middle" }, "nothing to draw yet"));
      return;
    }
    const shown = (y) => y != null && (!panel.log_y || y > 0);
    const xs = scale(all.map((p) => p.x), panel.log_x, LEFT, wide - RIGHT, 0.02);
    const ys = scale(all.flatMap((p) => [p.y, p.low, p.high]).filter(shown), panel.log_y, high - BOTTOM, TOP, 0.06);
    this.X = xs.at;
    const marks = [];
    for (const y of ys.ticks) marks.push(s("line", { class: "grid", x1: LEFT, x2: wide - RIGHT, y1: ys.at(y), y2: ys.at(y) }), s("text", { x: LEFT - 7, y: ys.at(y), dy: "0.35em", "text-anchor": "end" }, number(y)));
    for (const x of thinned(xs.ticks, xs.at, 46)) marks.push(s("line", { class: "tick", x1: xs.at(x), x2: xs.at(x), y1: high - BOTTOM, y2: high - BOTTOM + 4 }), s("text", { x: xs.at(x), y: high - BOTTOM + 18, "text-anchor": "middle" }, number(x)));
    if (ys.low < 0 && ys.high > 0 && !panel.log_y) marks.push(s("line", { class: "zero", x1: LEFT, x2: wide - RIGHT, y1: ys.at(0), y2: ys.at(0) }));
    marks.push(s("line", { class: "axis", x1: LEFT, x2: wide - RIGHT, y1: high - BOTTOM, y2: high - BOTTOM }),
      s("text", { class: "name", x: (LEFT + wide - RIGHT) / 2, y: high - 8, "text-anchor": "middle" }, panel.x + (panel.log_x ? " (logarithmic)" : "")));
    const clip = s("clipPath", { id: this.clip }, s("rect", { x: LEFT - 6, y: TOP - 6, width: wide - LEFT - RIGHT + 12, height: high - TOP - BOTTOM + 12 }));
    const inside = (y) => Math.max(ys.low, Math.min(ys.high, y));
    const curves = seen.map((curve) => {
      const { points, colour, dash } = curve, line = points.map((p) => `${xs.at(p.x).toFixed(1)},${ys.at(p.y).toFixed(1)}`).join(" ");
      const ends = points.filter((p) => p.low != null && p.high != null && (!panel.log_y || p.high > 0));
      const band = ends.length > 1 ? s("polygon", { class: "band", fill: colour, points: [...ends.map((p) => `${xs.at(p.x).toFixed(1)},${ys.at(inside(p.high)).toFixed(1)}`),
        ...ends.slice().reverse().map((p) => `${xs.at(p.x).toFixed(1)},${ys.at(inside(p.low > 0 || !panel.log_y ? p.low : ys.low)).toFixed(1)}`)].join(" ") }) : null;
      const bar = ends.length === 1 ? s("line", { class: "bar-alone", stroke: colour, x1: xs.at(ends[0].x), x2: xs.at(ends[0].x), y1: ys.at(inside(ends[0].low > 0 || !panel.log_y ? ends[0].low : ys.low)), y2: ys.at(inside(ends[0].high)) }) : null;
      return s("g", { class: `curve${curve.published ? " published" : ""}`, "data-name": curve.name }, band, bar,
        s("polyline", { points: line, stroke: colour, "stroke-dasharray": dash }),
        points.map((p) => s("circle", { cx: xs.at(p.x), cy: ys.at(p.y), r: curve.published ? 4 : 2.6, stroke: colour, fill: curve.published ? "var(--surface)" : colour })));
    });
    this.cursorLine = s("line", { class: "cursor", y1: TOP, y2: high - BOTTOM, visibility: "hidden" });
    picture.replaceChildren(clip, s("g", { class: "axes" }, marks), s("g", { "clip-path": `url(#${this.clip})` }, curves), this.cursorLine);
    if (this.cursor != null) this.read(this.cursor);
  }

  describe() {
    const { panel } = this, parts = this.seen.map(({ name, points }) => {
      const first = points[0], last = points[points.length - 1];
      return points.length === 1 ? `${name}: ${number(first.y)} at ${number(first.x)}` : `${name}: from ${number(first.y)} at ${number(first.x)} to ${number(last.y)} at ${number(last.x)}`;
    });
    return `${panel.title ? `${panel.title}. ` : ""}${panel.y} over ${panel.x}. ${parts.join("; ")}`;
  }

  // ---------------------------------------------------------------- reading

  get places() {
    return [...new Set(this.seen.flatMap((curve) => curve.points.map((p) => p.x)))].sort((a, b) => a - b);
  }

  point(event) {
    if (!this.X || !this.places.length) return;
    const x = event.clientX - this.picture.getBoundingClientRect().left;
    this.read(this.places.reduce((best, one) => (Math.abs(this.X(one) - x) < Math.abs(this.X(best) - x) ? one : best)));
  }

  key(event) {
    const places = this.places, at = places.indexOf(this.cursor);
    const next = { ArrowRight: () => places[Math.min(places.length - 1, at + 1)], ArrowLeft: () => places[Math.max(0, at < 0 ? places.length - 1 : at - 1)], Home: () => places[0], End: () => places[places.length - 1], Escape: () => null }[event.key];
    if (!next || !places.length || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.read(next());
    say(this.live, this.cursor == null ? "" : `${this.panel.x} ${number(this.cursor)}: ${this.valuesAt(this.cursor).map(({ curve, text }) => `${curve.name} ${text}`).join(", ")}`);
  }

  valuesAt(x) {
    return this.seen.flatMap((curve) => curve.points.filter((p) => p.x === x).map((p) => ({ curve, y: p.y,
      text: number(p.y) + (p.low != null && p.high != null && p.high > p.low ? ` (${number(p.low)} to ${number(p.high)})` : "") })));
  }

  read(x) {
    this.cursor = x;
    if (!this.cursorLine) return;
    const values = x == null ? [] : this.valuesAt(x).sort((a, b) => b.y - a.y);
    this.readout.hidden = !values.length;
    set(this.cursorLine, { visibility: values.length ? "visible" : "hidden" });
    if (!values.length) return;
    const at = this.X(x);
    set(this.cursorLine, { x1: at, x2: at });
    this.readout.replaceChildren(h("strong", {}, `${this.panel.x} ${number(x)}`),
      ...values.map(({ curve, text }) => h("div", {}, h("span", { class: "chart-dot", style: `background: ${curve.colour}` }), `${curve.name}  ${text}`)));
    const wide = this.clientWidth, left = at + 14 + this.readout.offsetWidth > wide ? at - 14 - this.readout.offsetWidth : at + 14;
    this.readout.style.left = `${Math.max(0, left)}px`;
  }
}

/** The panel as several, where it has too many curves for one: those of "gem: ..." and "noise: ..." apart. */
export function panelsOf(panel, most = 8) {
  const groups = Map.groupBy(panel.curves, (curve) => (curve.name.includes(": ") ? curve.name.slice(0, curve.name.indexOf(": ")) : ""));
  if (panel.curves.length <= most || groups.size < 2) return [panel];
  return [...groups].map(([group, curves]) => ({ ...panel, title: group || panel.title, curves: curves.map((curve) => ({ ...curve, name: group ? curve.name.slice(group.length + 2) : curve.name })) }));
}

/** From values to places, with ticks that people like. */
function scale(values, log, from, to, air) {
  const f = log ? Math.log10 : (v) => v, back = log ? (v) => 10 ** v : (v) => v;
  let low = Math.min(...values.map(f)), high = Math.max(...values.map(f));
  if (high - low < 1e-12) [low, high] = log ? [low - 0.5, high + 0.5] : [low - (Math.abs(low) * 0.1 || 0.5), high + (Math.abs(high) * 0.1 || 0.5)];
  const wide = high - low;
  if (!log && low >= 0 && low < 0.35 * high && from > to) low = 0; // heights begin at nothing, where that costs little room
  else low -= air * wide;
  high += air * wide;
  return { low: back(low), high: back(high), at: (v) => from + (to - from) * (f(v) - low) / (high - low), ticks: (log ? powers : steps)(low, high) };
}

function steps(low, high) {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => Number(((Math.ceil(low / step) + i) * step).toPrecision(12)));
}

function powers(low, high) {
  const few = high - low < 2.2 ? [1, 2, 5] : [1], found = [];
  for (let e = Math.floor(low); e <= Math.ceil(high); e++) for (const n of few) if (Math.log10(n) + e >= low && Math.log10(n) + e <= high) found.push(n * 10 ** e);
  return found.length > 1 ? found : [10 ** low, 10 ** high];
}

/** Those of the ticks that leave room for each other. */
function thinned(ticks, at, room) {
  let last = -Infinity;
  return ticks.filter((x) => at(x) - last >= room && (last = at(x), true));
}

/** 12,345 · 0.35 · 0.0012 */
export function number(value) {
  if (value == null) return "–";
  const size = Math.abs(value), sign = value < 0 ? "−" : "";
  if (size >= 1e5) return sign + compact(size);
  return sign + (Number.isInteger(size) || size >= 1000 ? Math.round(size).toLocaleString("en") : String(Number(size.toPrecision(3))));
}

customElements.define("ponder-plot", PonderPlot);
