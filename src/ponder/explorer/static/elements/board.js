// <ponder-board>: a game's own drawing, candidates over it, and playing by clicking or with the keyboard.
//
//   board.show({ svg, text, actions: [{ action, name, places: [[x, y, radius], ...] }] });   // the answer to "board"
//   board.candidates([{ name, visits, value, prior }], { mark: "visits", best: "4", range: [-1, 1] });
//   board.playable = true;         // clicking a move fires "play" {action, name}; else "pick", the same way
//
// mark: visits, value, prior, heat (discs only) or none. Where an action is on the drawing is said by the game
// (action_places): one place, or where a piece comes from and goes to. Actions that are nowhere are buttons below.
// With `game` it knows those in which stones fall: there the whole column can be clicked.
// Arrow keys go from place to place, Enter takes it; of a piece that can go to several places, Enter again at one.
import { h, s, say, set } from "../lib/dom.js";
import { compact, percent, plural, signed } from "../lib/format.js";
import { scaleColours, scaleStep } from "../lib/scale.js";

/** @typedef {{action: number|string, name: string, places: number[][]}} BoardAction */

const keyOf = (/** @type {number[]} */ [x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FALLING = /^connect4\b/; // games in which a column is chosen: a click anywhere in it will do
const MOST_ARROWS = 6, LABELLED = 3;

export class PonderBoard extends HTMLElement {
  connectedCallback() {
    if (this.picture) return;
    this.playable = false;
    /** @type {BoardAction[]} */
    this.actions = [];
    this.rows = [];
    this.look = { mark: "visits", best: null, range: [-1, 1] };
    this.picture = h("img", { class: "board-picture", alt: "", draggable: "false" });
    this.marks = s("g", { class: "board-marks", "aria-hidden": "true" });
    this.spots = s("g", { class: "board-spots" });
    this.over = s("svg", { class: "board-over", role: "group", "aria-label": "Moves on the board" }, this.marks, this.spots);
    this.frame = h("div", { class: "board-frame" }, this.picture, this.over);
    this.buttons = h("div", { class: "board-buttons" });
    this.append(this.frame, this.buttons);
    this.over.addEventListener("keydown", (event) => this.key(event));
    new MutationObserver(() => this.paint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  /** A position: its drawing and its actions. */
  show({ svg, text = "", actions = [], game = "" }) {
    this.falling = FALLING.test(game);
    if (svg !== this.drawn) {
      this.drawn = svg;
      const box = /viewBox="([^"]+)"/.exec(svg)?.[1] ?? "0 0 100 100", [, , wide, high] = box.split(/\s+/).map(Number);
      this.picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
      set(this.over, { viewBox: box });
      this.frame.style.aspectRatio = `${wide} / ${high}`;
      this.frame.style.setProperty("--board-wide", `${wide}`);
    }
    set(this.picture, { alt: text ? `The board:\n${text}` : "The board" });
    if (JSON.stringify(actions) !== JSON.stringify(this.actions)) {
      this.actions = actions;
      this.from = null;
      this.place();
    }
    this.paint();
  }

  /** What a search thinks of the actions, by name. */
  candidates(rows, look = {}) {
    this.rows = rows;
    Object.assign(this.look, look);
    this.paint();
  }

  /** The actions that begin, or after a choice of the piece end, at each place. */
  groups() {
    /** @type {Map<string, {place: number[], actions: BoardAction[]}>} */
    const found = new Map();
    for (const one of this.actions) {
      if (!one.places.length) continue;
      const whole = this.from !== null && one.places.length > 1;
      if (this.from !== null && (!whole || keyOf(one.places[0]) !== this.from)) continue;
      const place = whole ? one.places[one.places.length - 1] : one.places[0];
      if (!found.has(keyOf(place))) found.set(keyOf(place), { place, actions: [] });
      found.get(keyOf(place)).actions.push(one);
    }
    return [...found.values()];
  }

  /** Make the places that can be clicked, and the buttons of actions that are nowhere. */
  place() {
    const groups = this.groups(), kept = document.activeElement?.closest?.(".board-spot") && this.contains(document.activeElement);
    this.spots.replaceChildren(...groups.map(({ place: [x, y, r], actions }, i) =>
      s("circle", { class: "board-spot", cx: x, cy: y, r: 1.15 * r, role: "button", tabindex: i ? -1 : 0, "aria-label": this.labelOf(actions),
        "data-name": actions.length === 1 ? actions[0].name : "", onclick: () => this.take(actions) })));
    if (this.from !== null) {
      const [x, y, r] = this.actions.find((one) => keyOf(one.places[0] ?? [0, 0]) === this.from).places[0];
      this.spots.prepend(s("circle", { class: "board-from", cx: x, cy: y, r: 1.15 * r, onclick: () => this.back() }));
    }
    if (this.falling) {
      const { y, height } = this.over.viewBox.baseVal;
      this.spots.prepend(...groups.map(({ place: [x, , r], actions }) => s("rect", { class: "board-column", x: x - 1.25 * r, y, width: 2.5 * r, height,
        "data-column": actions[0].name, "aria-hidden": "true", onclick: () => this.take(actions) })));
    }
    if (kept) this.spots.querySelector(".board-spot")?.focus();
    const nowhere = this.actions.filter((one) => !one.places.length);
    this.offer(nowhere);
  }

  /** Buttons below the board. */
  offer(actions) {
    this.buttons.replaceChildren(...actions.slice(0, 400).map((one) =>
      h("button", { type: "button", "data-name": one.name, onclick: () => this.fire(one) }, one.name)));
  }

  labelOf(actions) {
    if (actions.length > 1) return `${actions.length} moves from here: ${actions.slice(0, 8).map((one) => one.name).join(", ")}`;
    const row = this.rows.find((one) => one.name === actions[0].name);
    return actions[0].name + (row ? `: ${plural(row.visits, "visit")}, value ${signed(row.value)}` : "");
  }

  take(actions) {
    const pieces = actions.some((one) => one.places.length > 1);
    if (this.from === null && pieces) {
      this.from = keyOf(actions[0].places[0]);
      this.place();
    } else if (actions.length > 1) {
      this.offer(actions); // the same way, such as promotions: choose below
      this.buttons.querySelector("button")?.focus();
    } else {
      this.fire(actions[0]);
    }
  }

  fire(one) {
    this.back();
    this.dispatchEvent(new CustomEvent(this.playable ? "play" : "pick", { detail: one }));
  }

  back() {
    if (this.from === null) return;
    this.from = null;
    this.place();
  }

  key(event) {
    const spots = [...this.spots.querySelectorAll(".board-spot")], here = document.activeElement;
    if (event.key === "Escape") this.back();
    else if (event.key === "Enter" || event.key === " ") here.dispatchEvent(new MouseEvent("click"));
    else if (DIRECTIONS[event.key]) {
      const [dx, dy] = DIRECTIONS[event.key], at = (one, name) => Number(one.getAttribute(name));
      let best = null, least = Infinity;
      for (const one of spots) {
        const x = at(one, "cx") - at(here, "cx"), y = at(one, "cy") - at(here, "cy"), along = x * dx + y * dy;
        if (along <= 1) continue;
        const far = along + 3 * Math.abs(x * dy + y * dx);
        if (far < least) { least = far; best = one; }
      }
      if (best) {
        for (const one of spots) one.setAttribute("tabindex", one === best ? "0" : "-1");
        best.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---------------------------------------------------------------- candidates

  paint() {
    if (!this.marks) return;
    const { mark, best, range } = this.look, scale = scaleColours(this);
    const total = this.total = this.rows.reduce((sum, row) => sum + (row.visits || 0), 0);
    const byName = new Map(this.actions.map((one) => [one.name, one]));
    const known = this.rows.map((row) => ({ ...row, one: byName.get(row.name), share: total ? row.visits / total : row.value == null ? 0 : 0.5 }))
      .filter((row) => row.one?.places.length && (row.share > 0 || mark === "prior" || row.name === best))
      .sort((a, b) => a.share - b.share);
    const arrows = known.filter((row) => row.one.places.length > 1).slice(-MOST_ARROWS);
    const most = Math.max(1e-9, ...known.map((row) => (mark === "prior" ? row.prior ?? 0 : row.share)));
    const made = [];
    if (mark !== "none") {
      for (const row of known) {
        const strength = (mark === "prior" ? row.prior ?? 0 : row.share) / most;
        const colour = scale[scaleStep(row.value, ...range)];
        if (row.one.places.length > 1) {
          if (arrows.includes(row)) made.push(...this.arrow(row, strength, colour, arrows.length - arrows.indexOf(row) <= LABELLED));
        } else made.push(...this.disc(row, strength, colour));
      }
    }
    const hinted = byName.get(this.look.hint)?.places ?? [];
    for (const [x, y, r] of hinted) made.push(s("circle", { cx: x, cy: y, r: (1.2 * r).toFixed(1), class: "board-hint" }));
    this.marks.replaceChildren(...made);
    const spots = this.spots.querySelectorAll(".board-spot[data-name]");
    for (const spot of spots) {
      const one = byName.get(spot.getAttribute("data-name"));
      if (one) set(spot, { "aria-label": this.labelOf([one]) });
    }
    for (const button of this.buttons.children) {
      const row = this.rows.find((one) => one.name === button.dataset.name);
      say(button, row && mark !== "none" ? `${row.name}  ${this.figure(row, total)}` : button.dataset.name);
      button.classList.toggle("is-best", button.dataset.name === best);
    }
  }

  /** The number that stands with a candidate. */
  figure(row, total) {
    const { mark } = this.look;
    if (mark === "value" || !total) return signed(row.value);
    if (mark === "prior") return row.prior == null ? "" : percent(row.prior);
    return percent(total ? row.visits / total : 0);
  }

  disc(row, strength, colour) {
    const [x, y, r] = row.one.places[0], { mark, best } = this.look, heat = mark === "heat";
    const big = heat ? 1.2 * r : r * (0.35 + 0.6 * Math.sqrt(strength));
    const made = [s("circle", { cx: x, cy: y, r: big.toFixed(1), fill: colour, "fill-opacity": (heat ? 0.15 + 0.8 * strength : 0.92).toFixed(2), class: "board-disc" })];
    if (row.name === best) made.push(s("circle", { cx: x, cy: y, r: (1.12 * r).toFixed(1), class: "board-best", "data-best": row.name }));
    if (!heat && strength > 0.08) {
      const { total } = this;
      made.push(...this.label(x, y, r, [this.figure(row, total), mark === "visits" && total && strength > 0.2 ? signed(row.value) : ""]));
    }
    return made;
  }

  arrow(row, strength, colour, labelled) {
    const [[x1, y1], [x2, y2, r]] = [row.one.places[0], row.one.places[row.one.places.length - 1]], { best } = this.look;
    const long = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / long, uy = (y2 - y1) / long, wide = r * (0.16 + 0.4 * Math.sqrt(strength));
    const tip = [x2 - ux * r * 0.2, y2 - uy * r * 0.2], neck = [tip[0] - ux * wide * 1.9, tip[1] - uy * wide * 1.9];
    const at = (/** @type {number[]} */ [x, y], side) => `${(x - uy * side).toFixed(1)} ${(y + ux * side).toFixed(1)}`, from = [x1 + ux * r * 0.5, y1 + uy * r * 0.5];
    const half = wide / 2;
    const path = `M${at(from, half)}L${at(neck, half)}L${at(neck, 1.9 * half)}L${at(tip, 0)}L${at(neck, -1.9 * half)}L${at(neck, -half)}L${at(from, -half)}Z`;
    const made = [s("path", { d: path, fill: colour, class: `board-arrow${row.name === best ? " board-best-arrow" : ""}`, "data-best": row.name === best ? row.name : null })];
    if (labelled && this.look.mark !== "heat") {
      made.push(...this.label((from[0] + neck[0]) / 2, (from[1] + neck[1]) / 2, 0.8 * r, [this.figure(row, this.total)]));
    }
    return made;
  }

  label(x, y, r, lines) {
    const shown = lines.filter(Boolean), size = r * (shown.length > 1 ? 0.62 : 0.7);
    return shown.map((text, i) => s("text", { class: "board-figure", x: x.toFixed(1), y: (y + (i - (shown.length - 1) / 2) * size * 1.05).toFixed(1), "font-size": size.toFixed(1), dy: "0.35em" }, text));
  }
}

customElements.define("ponder-board", PonderBoard);
