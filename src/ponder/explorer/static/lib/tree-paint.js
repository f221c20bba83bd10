// Painting a search tree on a canvas: only what can be seen, in a few strokes of each colour and width.
import { compact, signed } from "./format.js";
import { scaleColours, scaleStep } from "./scale.js";

const THIN = 1.3; // pixels: nothing below a narrower node is drawn
const WIDTHS = [0.7, 1.3, 2.2, 3.4, 5];
const MOST_LABELS = 300;

/**
 * @typedef {{wide: number, high: number, left: number, zoom: number, top: number, level: number}} View
 *   left: which part of the whole stands at the left edge; zoom: widths of the canvas that the whole takes;
 *   top: pixels above the root; level: pixels between two depths
 */

export class TreePainter {
  constructor(element, layout) {
    this.element = element;
    this.layout = layout;
    /** What was drawn: rows, and where. */
    this.drawn = { count: 0, rows: new Int32Array(1024), x: new Float32Array(1024), y: new Float32Array(1024), r: new Float32Array(1024) };
    this.stack = { row: new Int32Array(1024), at: new Float64Array(1024), wide: new Float64Array(1024), x: new Float32Array(1024), depth: new Int32Array(1024) };
    /** @type {Map<string, number>} */
    this.lengths = new Map();
    this.theme();
  }

  /** Read the colours again: the theme has changed. */
  theme() {
    const style = getComputedStyle(this.element), colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.scale = scaleColours(this.element);
    this.ink = colour("ink"); this.soft = colour("ink-soft"); this.line = colour("line");
    this.clay = colour("clay"); this.red = colour("red"); this.surface = colour("surface");
    this.font = style.fontFamily;
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {View} view
   * @param {{closed: Set<number>, selected: number, hovered: number, best: number, lit: number[], valueOf: (row: number) => number,
   *   range: [number, number], nameOf: (row: number) => string|null}} look
   */
  paint(g, view, look) {
    const { layout, drawn } = this;
    const { visits, prior, cut, parent } = layout.columns;
    drawn.count = 0;
    this.edges = WIDTHS.map(() => new Path2D());
    this.fans = new Path2D();
    this.gone = new Path2D();
    if (!layout.size) return;
    const total = Math.max(1, visits[0]), way = new Set();
    for (let row = look.selected; row >= 0; row = row ? parent[row] : -1) way.add(row);
    const pale = [], labels = [], waySteps = [], lit = new Set(look.lit), litSteps = [];
    /** @type {any} */
    let fan = null;
    this.walk(view, look.closed, (row, x, y, wide, fromX, fromY) => {
      if (row > 0) {
        const bend = (y - fromY) / 2;
        if (wide < THIN) { // a fan for all of them: thousands of hairlines take long to paint
          if (fan && fan.above === parent[row] && Math.abs(fan.right - x) + Math.abs(fan.left - x) < fan.right - fan.left + 4) {
            fan.left = Math.min(fan.left, x);
            fan.right = Math.max(fan.right, x);
          } else {
            this.spread(fan);
            fan = { above: parent[row], fromX, fromY, left: x, right: x, y };
          }
          return;
        }
        const strength = Number.isNaN(prior[row]) ? visits[row] / Math.max(1, visits[parent[row]]) : prior[row];
        // thick lines to narrow nodes run together, and take longest to paint
        const path = cut[row] ? this.gone : this.edges[Math.min(4, Math.floor(5 * Math.sqrt(strength)), Math.floor(wide / 8))];
        path.moveTo(fromX, fromY);
        if (wide > 4) path.bezierCurveTo(fromX, fromY + bend, x, y - bend, x, y);
        else path.lineTo(x, y);
        if (way.has(row)) waySteps.push([fromX, fromY, x, y]);
        if (lit.has(row)) litSteps.push([fromX, fromY, x, y]);
      }
      const r = Math.max(1, Math.min(0.42 * wide, 2.5 + 15 * Math.sqrt(visits[row] / total)));
      this.note(row, x, y, r);
      if (wide > 18 && labels.length < MOST_LABELS) labels.push([row, x, y, r, wide]);
    });
    this.spread(fan);
    g.fillStyle = g.strokeStyle = this.line;
    g.globalAlpha = 0.55;
    g.fill(this.fans);
    g.globalAlpha = 1;
    for (let i = 0; i < WIDTHS.length; i++) {
      g.lineWidth = WIDTHS[i];
      g.stroke(this.edges[i]);
    }
    g.setLineDash([3, 4]);
    g.lineWidth = 1;
    g.strokeStyle = this.red;
    g.stroke(this.gone);
    g.setLineDash([]);
    this.steps(g, waySteps, this.soft, 2);
    this.steps(g, litSteps, this.clay, 4);
    this.bodies(g, look);
    this.marks(g, look, lit);
    this.texts(g, look, labels);
  }

  /** Children too narrow to be drawn one by one, side by side. */
  spread(fan) {
    if (!fan) return;
    this.fans.moveTo(fan.fromX, fan.fromY);
    this.fans.lineTo(fan.left - 0.5, fan.y);
    this.fans.lineTo(fan.right + 0.5, fan.y);
    this.fans.closePath();
  }

  /** Call `see` for each node that can be seen, and for those too narrow to draw whose parent can. */
  walk(view, closed, see) {
    const { layout, stack } = this, { wide, high, left, zoom, top, level } = view;
    const scale = wide * zoom;
    let count = 1;
    stack.row[0] = 0; stack.at[0] = 0; stack.wide[0] = 1; stack.x[0] = 0; stack.depth[0] = 0;
    while (count) {
      count--;
      const row = stack.row[count], at = stack.at[count], w = stack.wide[count], fromX = stack.x[count], depth = stack.depth[count];
      const x = (at + w / 2 - left) * scale, y = top + depth * level;
      see(row, x, y, w * scale, fromX, y - level);
      if (w * scale < THIN || y > high + level || closed.has(row)) continue;
      const begin = layout.begin[row], end = layout.begin[row + 1];
      if (count + end - begin >= stack.row.length) this.grow(stack);
      for (let k = begin; k < end; k++) {
        const child = layout.list[k];
        const from = at + w * layout.shownStart[child], part = w * layout.shownWidth[child];
        if ((from + part - left) * scale < -40 || (from - left) * scale > wide + 40) continue;
        stack.row[count] = child; stack.at[count] = from; stack.wide[count] = part; stack.x[count] = x; stack.depth[count] = depth + 1;
        count++;
      }
    }
  }

  grow(/** @type {Record<string, any>} */ arrays) {
    for (const name of Object.keys(arrays)) {
      if (typeof arrays[name] === "number") continue;
      const larger = new arrays[name].constructor(4 * arrays[name].length);
      larger.set(arrays[name]);
      arrays[name] = larger;
    }
  }

  note(row, x, y, r) {
    const { drawn } = this;
    if (drawn.count >= drawn.rows.length) this.grow(drawn);
    const n = drawn.count++;
    drawn.rows[n] = row; drawn.x[n] = x; drawn.y[n] = y; drawn.r[n] = r;
  }

  steps(g, steps, colour, width) {
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.beginPath();
    for (const [x1, y1, x2, y2] of steps) {
      g.moveTo(x1, y1);
      g.bezierCurveTo(x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2);
    }
    g.stroke();
  }

  /** Discs; diamonds where dice fall, squares where the value is proven. */
  bodies(g, look) {
    const { drawn, layout } = this, bins = this.scale.map(() => new Path2D()), outline = new Path2D();
    for (let n = 0; n < drawn.count; n++) {
      const row = drawn.rows[n], x = drawn.x[n], y = drawn.y[n], r = drawn.r[n];
      const bin = bins[scaleStep(look.valueOf(row), ...look.range)];
      for (const path of r > 3 ? [bin, outline] : [bin]) {
        if (r > 3 && layout.isChance(row)) {
          path.moveTo(x, y - 1.25 * r); path.lineTo(x + 1.25 * r, y); path.lineTo(x, y + 1.25 * r); path.lineTo(x - 1.25 * r, y); path.closePath();
        } else if (r > 3 && layout.isProven(row)) {
          path.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
        } else if (r < 1.7) { // nobody sees that it is no disc, and it is painted much sooner
          path.rect(x - r, y - r, 2 * r, 2 * r);
        } else {
          path.moveTo(x + r, y);
          path.arc(x, y, r, 0, 7);
        }
      }
    }
    for (let i = 0; i < bins.length; i++) {
      g.fillStyle = this.scale[i];
      g.fill(bins[i]);
    }
    g.strokeStyle = this.soft;
    g.lineWidth = 1;
    g.stroke(outline);
  }

  /** Crosses of cut moves, the clay ring of the move that would be played, selection and hover. */
  marks(g, look, lit) {
    const { drawn, layout } = this, { cut } = layout.columns;
    const ring = (n, gap, colour, width) => {
      g.strokeStyle = colour;
      g.lineWidth = width;
      g.beginPath();
      g.arc(drawn.x[n], drawn.y[n], drawn.r[n] + gap, 0, 7);
      g.stroke();
    };
    for (let n = 0; n < drawn.count; n++) {
      const row = drawn.rows[n], r = drawn.r[n];
      if (cut[row] && r > 2) {
        const d = Math.max(4, 0.8 * r);
        g.strokeStyle = this.red;
        g.lineWidth = 2.5;
        g.beginPath();
        g.moveTo(drawn.x[n] - d, drawn.y[n] - d); g.lineTo(drawn.x[n] + d, drawn.y[n] + d);
        g.moveTo(drawn.x[n] + d, drawn.y[n] - d); g.lineTo(drawn.x[n] - d, drawn.y[n] + d);
        g.stroke();
      }
      if (look.closed.has(row) && layout.children(row).length) {
        g.fillStyle = this.ink;
        g.font = `600 12px ${this.font}`;
        g.textAlign = "center"; g.textBaseline = "middle";
        g.fillText("+", drawn.x[n], drawn.y[n] + r + 7);
      }
      if (lit.has(row)) ring(n, 2, this.clay, 2.5);
      if (row === look.best) ring(n, 4, this.clay, 3);
      if (row === look.selected) ring(n, row === look.best ? 8 : 4, this.ink, 2);
      else if (row === look.hovered) ring(n, 3, this.soft, 1.5);
    }
  }

  /** Names, and where there is room, values and visits. */
  texts(g, look, labels) {
    g.textAlign = "center";
    g.textBaseline = "top";
    for (const [row, x, y, r, wide] of labels) {
      const name = row ? look.nameOf(row) : "";
      if (name == null) continue;
      const beside = row === 0;
      let at = beside ? y - 12 : y + r + 5;
      const put = (text, size, weight, colour) => {
        g.font = `${weight} ${size}px ${this.font}`;
        const long = this.widthOf(g, text);
        if (!beside && long > wide - 6) return;
        g.textAlign = beside ? "left" : "center";
        const px = beside ? x + r + 9 : x;
        g.fillStyle = this.surface; // a plate: an outline of letters takes many times as long
        g.globalAlpha = 0.8;
        g.fillRect((beside ? px : px - long / 2) - 2, at - 1, long + 4, size + 2);
        g.globalAlpha = 1;
        g.fillStyle = colour;
        g.fillText(text, px, at);
        at += size + 2;
      };
      if (name) put(name, 13, 600, this.ink);
      put(signed(look.valueOf(row)), 12, 500, this.ink);
      put(compact(this.layout.columns.visits[row]), 11, 400, this.soft);
    }
  }

  /** How long a text is in the font that is set. */
  widthOf(g, text) {
    const key = g.font + text;
    let found = this.lengths.get(key);
    if (found === undefined) {
      if (this.lengths.size > 5000) this.lengths.clear();
      found = g.measureText(text).width;
      this.lengths.set(key, found);
    }
    return found;
  }

  /** The row drawn at a point of the canvas; -1 if there is none near. */
  hit(x, y) {
    const { drawn } = this;
    let best = -1, nearest = 14;
    for (let n = 0; n < drawn.count; n++) {
      const far = Math.max(0, Math.hypot(drawn.x[n] - x, drawn.y[n] - y) - drawn.r[n]);
      if (far < nearest) { nearest = far; best = drawn.rows[n]; }
    }
    return best;
  }

  /** Where a row was drawn: [x, y, r], or null. */
  placeOf(row) {
    const { drawn } = this;
    for (let n = 0; n < drawn.count; n++) {
      if (drawn.rows[n] === row) return [drawn.x[n], drawn.y[n], drawn.r[n]];
    }
    return null;
  }
}
