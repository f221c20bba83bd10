// <ponder-chart>: lines over simulations on a canvas.
//
//   chart.label = "Root value over simulations";
//   chart.show({ lines: [{ name, colour, points: [[x, y], ...], dashed, wide }], marks, now, furthest, level });
//
// level {value, name}: a dashed line across. marks [{x, name}]: vertical lines. now: where the search stands;
// what lies beyond it is pale. Fires "pick" with the moment that was clicked.
import { count, signed } from "../lib/format.js";

const LEFT = 46, RIGHT = 10, TOP = 10, BOTTOM = 24;

export class PonderChart extends HTMLElement {
  connectedCallback() {
    if (this.canvas) return;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.append(this.canvas);
    new ResizeObserver(() => this.paint()).observe(this);
    const again = () => this.paint();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.canvas.addEventListener("click", (event) => {
      if (!this.data) return;
      const x = (event.offsetX - LEFT) / (this.canvas.clientWidth - LEFT - RIGHT);
      const moment = Math.round(Math.max(0, Math.min(1, x)) * this.right);
      this.dispatchEvent(new CustomEvent("pick", { detail: moment }));
    });
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

  paint() {
    const { canvas, data } = this;
    if (!canvas || !data || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1, wide = canvas.clientWidth, high = canvas.clientHeight;
    canvas.width = wide * ratio;
    canvas.height = high * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const style = getComputedStyle(this), colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const ys = data.lines.flatMap((line) => line.points.map((p) => p[1])).filter((y) => y != null);
    if (data.level) ys.push(data.level.value);
    let low = Math.min(0, ...ys), high_ = Math.max(0.1, ...ys);
    const air = 0.08 * (high_ - low);
    low -= air; high_ += air;
    this.right = Math.max(data.least ?? 20, data.furthest ?? 0);
    const X = (x) => LEFT + (wide - LEFT - RIGHT) * x / this.right;
    const Y = (y) => TOP + (high - TOP - BOTTOM) * (high_ - y) / (high_ - low);
    g.font = `12px ${style.fontFamily}`;
    g.fillStyle = colour("ink-soft");
    g.strokeStyle = colour("line");
    g.lineWidth = 1;
    const step = niceStep((high_ - low) / 4);
    g.textAlign = "right"; g.textBaseline = "middle";
    for (let y = Math.ceil(low / step) * step; y <= high_; y += step) {
      line(g, LEFT, Y(y), wide - RIGHT, Y(y));
      g.fillText(signed(y, step < 0.1 ? 2 : 1), LEFT - 6, Y(y));
    }
    g.textBaseline = "top"; g.textAlign = "center";
    const stride = niceStep(this.right / 5);
    for (let x = 0; x <= this.right; x += stride) g.fillText(count(x), X(x), high - BOTTOM + 7);
    for (const mark of data.marks ?? []) {
      g.strokeStyle = colour(mark.colour ?? "ink-soft");
      g.setLineDash([2, 3]);
      line(g, X(mark.x), TOP, X(mark.x), high - BOTTOM);
      g.setLineDash([]);
    }
    if (data.level) {
      g.strokeStyle = g.fillStyle = colour(data.level.colour ?? "sage");
      g.setLineDash([6, 5]); g.lineWidth = 1.5;
      line(g, LEFT, Y(data.level.value), wide - RIGHT, Y(data.level.value));
      g.setLineDash([]);
      g.textAlign = "right"; g.textBaseline = "bottom";
      g.fillText(data.level.name, wide - RIGHT, Y(data.level.value) - 3);
    }
    for (const one of data.lines) {
      g.strokeStyle = colour(one.colour);
      g.lineWidth = one.wide ?? 2;
      g.lineJoin = "round";
      for (const future of [false, true]) {
        g.globalAlpha = future ? 0.3 : 1;
        g.beginPath();
        let pen = false;
        for (const [x, y] of one.points) {
          if (future ? x < data.now : x > data.now) continue;
          if (y == null) continue;
          if (pen) g.lineTo(X(x), Y(y)); else g.moveTo(X(x), Y(y));
          pen = true;
        }
        g.stroke();
      }
      g.globalAlpha = 1;
      const last = one.points.filter(([x, y]) => x <= data.now && y != null).pop();
      if (last) {
        g.fillStyle = colour(one.colour);
        g.beginPath(); g.arc(X(last[0]), Y(last[1]), 3.5, 0, 7); g.fill();
      }
    }
    canvas.setAttribute("aria-label", this.describe());
  }

  describe() {
    const parts = this.data.lines.map((one) => {
      const last = one.points.filter(([x, y]) => x <= this.data.now && y != null).pop();
      return last ? `${one.name} ${signed(last[1])} after ${count(last[0])}` : `${one.name}: nothing yet`;
    });
    if (this.data.level) parts.push(`${this.data.level.name} ${signed(this.data.level.value)}`);
    return `${this.label ?? "Chart"}: ${parts.join("; ")}`;
  }
}

function line(g, x1, y1, x2, y2) {
  g.beginPath(); g.moveTo(x1, y1); g.lineTo(x2, y2); g.stroke();
}

/** 1, 2 or 5 times a power of ten, at least so much. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? least;
}

customElements.define("ponder-chart", PonderChart);
