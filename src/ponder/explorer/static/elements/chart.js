// <ponder-chart>: lines over simulations (or anything else that grows) on a canvas.
//
//   chart.label = "Root value over simulations";
//   chart.show({ lines: [{ name, colour, points: [[x, y], ...], band: [[x, low, high], ...], wide }], marks, now, furthest, level });
//
// level {value, name}: a dashed line across. marks [{x, name}]: vertical lines. now: where the search stands; what lies
// beyond it is pale. format: "signed" (the usual one), "count", "percent" or "amount"; unit: what x counts; names: write each
// line's name at its end, in a margin of so many pixels. A pointer, or the arrow keys, read the values at a moment; a click or Enter fires "pick" with it.
import { h } from "../lib/dom.js";
import { compact, count, percent, signed } from "../lib/format.js";

const LEFT = 46, TOP = 10, BOTTOM = 24;
const FORMATS = {
  signed: [signed, (y, step) => signed(y, step < 0.1 ? 2 : 1)],
  count: [count, (y) => compact(y)],
  percent: [percent, (y) => percent(y)],
  amount: [(y) => y.toFixed(2), (y, step) => (step < 1 ? y.toFixed(1) : compact(y))],
};

export class PonderChart extends HTMLElement {
  /** @type {string|undefined} what it shows */
  label;
  connectedCallback() {
    if (this.canvas) return;
    this.canvas = h("canvas", { role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0 });
    this.readout = h("div", { class: "chart-readout card small", hidden: true });
    this.append(this.canvas, this.readout);
    new ResizeObserver(() => this.paint()).observe(this);
    const again = () => this.paint();
    new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const { canvas } = this;
    canvas.addEventListener("click", (event) => this.pick(this.momentAt(event.offsetX)));
    canvas.addEventListener("pointermove", (event) => this.read(this.momentAt(event.offsetX)));
    canvas.addEventListener("pointerleave", () => this.read(null));
    canvas.addEventListener("blur", () => this.read(null));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  show(data) {
    this.data = data;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  // ---------------------------------------------------------------- reading

  momentAt(x) {
    const wide = this.canvas.clientWidth - LEFT - this.margin;
    return Math.round(Math.max(0, Math.min(1, (x - LEFT) / wide)) * (this.right ?? 0));
  }

  pick(moment) {
    if (this.data) this.dispatchEvent(new CustomEvent("pick", { detail: moment }));
  }

  /** Show the values at a moment; null: none. */
  read(moment) {
    this.cursor = moment;
    this.paint();
  }

  key(event) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.cursor ?? this.data.now ?? 0, moments = [...new Set(this.data.lines.flatMap((one) => one.points.map((p) => p[0])))].sort((a, b) => a - b);
    const next = {
      ArrowRight: () => moments.find((x) => x > at) ?? at, ArrowLeft: () => moments.filter((x) => x < at).pop() ?? at,
      PageDown: () => moments[Math.min(moments.length - 1, moments.findIndex((x) => x >= at) + 10)] ?? at,
      PageUp: () => moments[Math.max(0, moments.findIndex((x) => x >= at) - 10)] ?? at,
      Home: () => moments[0] ?? 0, End: () => moments[moments.length - 1] ?? 0,
    }[event.key];
    if (next) this.read(next());
    else if (event.key === "Enter" && this.cursor != null) this.pick(this.cursor);
    else if (event.key === "Escape") this.read(null);
    else return;
    event.preventDefault();
  }

  /** The last point of a line up to a moment. */
  pointAt(line, moment) {
    let found = null;
    for (const point of line.points) {
      if (point[0] > moment) break;
      if (point[1] != null) found = point;
    }
    return found;
  }

  valuesAt(moment) {
    const [exact] = FORMATS[this.data.format ?? "signed"];
    return this.data.lines.map((line) => {
      const point = this.pointAt(line, moment), band = line.band?.filter(([x]) => x <= moment).pop();
      return { line, text: point ? exact(point[1]) + (band ? ` ± ${((band[2] - band[1]) / 2).toFixed(2)}` : "") : "–" };
    });
  }

  // ---------------------------------------------------------------- painting

  paint() {
    const { canvas, data } = this;
    if (!canvas || !data || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1, wide = canvas.clientWidth, high = canvas.clientHeight;
    canvas.width = wide * ratio;
    canvas.height = high * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const style = getComputedStyle(this), colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const [low, top] = this.rangeOfValues();
    this.margin = data.names ? data.margin ?? 52 : 10;
    this.right = Math.max(data.least ?? 20, data.furthest ?? 0);
    const X = (x) => LEFT + (wide - LEFT - this.margin) * x / this.right;
    const Y = (y) => TOP + (high - TOP - BOTTOM) * (top - y) / (top - low);
    const frame = { g, X, Y, wide, high, low, top, colour, font: style.fontFamily };
    this.axes(frame);
    for (const one of data.lines) if (one.band?.length) this.band(frame, one);
    for (const one of data.lines) this.line(frame, one);
    if (data.level) this.levelName(frame);
    if (data.names) this.names(frame);
    if (this.cursor != null) rule(g, X(this.cursor), TOP, X(this.cursor), high - BOTTOM, colour("ink-soft"));
    this.words(X);
  }

  rangeOfValues() {
    const { data } = this, ys = [];
    for (const one of data.lines) {
      for (const [, y] of one.points) if (y != null) ys.push(y);
    }
    if (data.level) ys.push(data.level.value);
    let low = data.low ?? 0, top = data.high ?? 0.1;
    for (const y of ys) { low = Math.min(low, y); top = Math.max(top, y); }
    const air = 0.08 * (top - low);
    return [data.format && data.format !== "signed" ? low : low - air, top + air];
  }

  axes({ g, X, Y, wide, high, low, top, colour, font }) {
    const { data } = this, [, short] = FORMATS[data.format ?? "signed"];
    g.font = `12px ${font}`;
    g.fillStyle = colour("ink-soft");
    g.lineWidth = 1;
    const step = Math.max(data.format === "count" ? 1 : 0, niceStep((top - low) / 4));
    g.textAlign = "right"; g.textBaseline = "middle";
    for (let y = Math.ceil(low / step) * step; y <= top; y += step) {
      rule(g, LEFT, Y(y), wide - this.margin, Y(y), colour("line"));
      g.fillText(short(y, step), LEFT - 6, Y(y));
    }
    g.textBaseline = "top"; g.textAlign = "center";
    const stride = niceStep(this.right / Math.max(2, Math.min(5, wide / 110)));
    for (let x = 0; x <= this.right; x += stride) g.fillText(this.right < 1e5 ? count(x) : compact(x), X(x), high - BOTTOM + 7);
    for (const mark of data.marks ?? []) {
      g.setLineDash([2, 3]);
      rule(g, X(mark.x), TOP, X(mark.x), high - BOTTOM, colour(mark.colour ?? "ink-soft"));
      g.setLineDash([]);
    }
    if (!data.level) return;
    g.setLineDash([6, 5]); g.lineWidth = 1.5;
    rule(g, LEFT, Y(data.level.value), wide - this.margin, Y(data.level.value), colour(data.level.colour ?? "sage"));
    g.setLineDash([]);
  }

  /** On the side where the line ends not; what runs behind the letters makes room. */
  levelName({ g, Y, wide, colour, font }) {
    const { data } = this, { level } = data;
    const above = (this.pointAt(data.lines[0], data.now)?.[1] ?? 0) > level.value;
    const x = wide - this.margin, y = Y(level.value) + (above ? 5 : -4);
    g.font = `12px ${font}`;
    g.textAlign = "right"; g.textBaseline = above ? "top" : "bottom";
    g.strokeStyle = colour("surface"); g.lineWidth = 5; g.lineJoin = "round";
    g.strokeText(level.name, x, y);
    g.fillStyle = colour(level.colour ?? "sage");
    g.fillText(level.name, x, y);
  }

  band({ g, X, Y, low, top, colour }, one) {
    const inside = (y) => Y(Math.max(low, Math.min(top, y)));
    g.fillStyle = colour(one.colour);
    g.globalAlpha = 0.14;
    g.beginPath();
    for (const [x, , upper] of one.band) g.lineTo(X(x), inside(upper));
    for (const [x, lower] of one.band.slice().reverse()) g.lineTo(X(x), inside(lower));
    g.fill();
    g.globalAlpha = 1;
  }

  line({ g, X, Y, colour }, one) {
    const { data } = this;
    g.strokeStyle = colour(one.colour);
    g.lineWidth = one.wide ?? 2;
    g.lineJoin = "round";
    for (const future of [false, true]) {
      g.globalAlpha = future ? 0.3 : 1;
      g.beginPath();
      let pen = false;
      for (const [x, y] of one.points) {
        if ((future ? x < data.now : x > data.now) || y == null) continue;
        if (pen) g.lineTo(X(x), Y(y)); else g.moveTo(X(x), Y(y));
        pen = true;
      }
      g.stroke();
    }
    g.globalAlpha = 1;
    const last = this.pointAt(one, data.now);
    if (!last) return;
    g.fillStyle = colour(one.colour);
    g.beginPath(); g.arc(X(last[0]), Y(last[1]), 3.5, 0, 7); g.fill();
  }

  /** Each line's name beside its end; those that would cover each other make room. */
  names({ g, X, Y, wide, high, colour, font }) {
    const ends = this.data.lines.map((one) => ({ one, last: one.points.filter((p) => p[1] != null).pop() })).filter(({ last }) => last)
      .map(({ one, last }) => ({ one, x: Math.min(wide - this.margin, X(last[0])), y: Y(last[1]) })).sort((a, b) => a.y - b.y);
    ends.forEach((end, i) => { if (i && end.y < ends[i - 1].y + 13) end.y = ends[i - 1].y + 13; });
    for (let i = ends.length - 1, lowest = high - BOTTOM; i >= 0 && ends[i].y > lowest; i--, lowest -= 13) ends[i].y = lowest;
    g.font = `600 12px ${font}`;
    g.textAlign = "left"; g.textBaseline = "middle";
    for (const { one, x, y } of ends) {
      g.fillStyle = colour(one.colour);
      g.fillText(one.name.slice(0, Math.floor(this.margin / 7)), x + 8, y);
    }
  }

  words(X) {
    const { canvas, cursor, data, readout } = this, moment = cursor ?? data.now ?? 0, values = this.valuesAt(moment);
    canvas.setAttribute("aria-label", this.describe());
    canvas.setAttribute("aria-valuemax", this.right);
    canvas.setAttribute("aria-valuenow", moment);
    canvas.setAttribute("aria-valuetext", `${count(moment)}: ${values.map(({ line, text }) => `${line.name} ${text}`).join(", ")}`);
    readout.hidden = cursor == null || !values.length;
    if (readout.hidden) return;
    const near = (data.marks ?? []).filter((mark) => mark.name && Math.abs(X(mark.x) - X(moment)) < 6);
    readout.replaceChildren(h("strong", {}, `${count(moment)} ${data.unit ?? ""}`),
      ...values.map(({ line, text }) => h("div", {}, h("span", { class: "chart-dot", style: `background: var(--${line.colour})` }), `${line.name}  ${text}`)),
      ...near.map((mark) => h("div", {}, mark.name)));
    const x = X(moment), left = x + 14 + readout.offsetWidth > canvas.clientWidth ? x - 14 - readout.offsetWidth : x + 14;
    readout.style.left = `${Math.max(0, left)}px`;
  }

  describe() {
    const parts = this.valuesAt(this.data.now ?? 0).map(({ line, text }) => (text === "–" ? `${line.name}: nothing yet` : `${line.name} ${text} after ${count(this.pointAt(line, this.data.now)[0])}`));
    if (this.data.level) parts.push(`${this.data.level.name} ${signed(this.data.level.value)}`);
    return `${this.label ?? "Chart"}: ${parts.join("; ")}`;
  }
}

function rule(g, x1, y1, x2, y2, colour) {
  g.strokeStyle = colour;
  g.beginPath(); g.moveTo(x1, y1); g.lineTo(x2, y2); g.stroke();
}

/** 1, 2 or 5 times a power of ten, at least so much. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? least;
}

customElements.define("ponder-chart", PonderChart);
