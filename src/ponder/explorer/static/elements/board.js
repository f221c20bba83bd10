// <ponder-board>: a game's own drawing, candidates over it, and playing by clicking or with the keyboard.
//
//   board.show({ svg, text, actions: [{ action, name, places: [[x, y, radius], ...] }] });   // the answer to "board"
//   board.candidates([{ name, visits, value, prior }], { mark: "visits", best: "4", range: [-1, 1] });
//   board.playable = true;         // clicking a move fires "play" {action, name}; else "pick", the same way
//
// mark: visits, value, prior, heat (discs only) or none. Where an action is on the drawing is said by the game
// (action_places): one place, or where each piece comes from and goes to. Actions that are nowhere are buttons below.
// With `game` it knows those that are played in columns: there a click anywhere in one will do.
// Arrow keys go from place to place, Enter takes it; of a piece that can go to several places, Enter again at one.
// A turn of several pieces is put together step by step (board-steps.js); Escape goes back by one.
import { h, s, say, set } from "../lib/dom.js";
import { compact, percent, plural, signed } from "../lib/format.js";
import { scaleColours, scaleStep } from "../lib/scale.js";
import { keyOf, leftOf, openSteps, stepsOf } from "../lib/board-steps.js";

/** @typedef {{action: number|string, name: string, places: number[][]}} BoardAction */

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Games played in columns, and how many places stand above one another in each: stones fall, or points face each other. */
const COLUMNS = { connect4: 1, backgammon: 2 };
const MOST_ARROWS = 6, LABELLED = 3;

export class PonderBoard extends HTMLElement {
  connectedCallback() {
    if (this.picture) return;
    this.playable = false;
    /** @type {BoardAction[]} */
    this.actions = [];
    /** @type {import("../lib/board-steps.js").Step[]} steps of the turn that have been chosen */
    this.taken = [];
    /** @type {number[]|null} where the next one comes from */
    this.from = null;
    this.rows = [];
    this.look = { mark: "visits", best: null, range: [-1, 1] };
    this.picture = h("img", { class: "board-picture", alt: "", draggable: "false" });
    this.marks = s("g", { class: "board-marks", "aria-hidden": "true" });
    this.spots = s("g", { class: "board-spots" });
    this.over = s("svg", { class: "board-over", role: "group", "aria-label": "Moves on the board" }, this.marks, this.spots);
    this.frame = h("div", { class: "board-frame" }, this.picture, this.over);
    this.buttons = h("div", { class: "board-buttons" });
    this.append(this.frame, this.buttons);
    this.addEventListener("keydown", (event) => this.key(event));
    new MutationObserver(() => this.paint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  /** A position: its drawing and its actions. */
  show({ svg, text = "", actions = [], game = "" }) {
    this.stacked = COLUMNS[game.replace(/\W.*$/s, "")] ?? 0;
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
      this.reset();
    }
    this.paint();
  }

  /** What a search thinks of the actions, by name. */
  candidates(rows, look = {}) {
    this.rows = rows;
    Object.assign(this.look, look);
    this.paint();
  }

  /** The places that can be taken next, each with the actions that take it. */
  groups() {
    /** @type {Map<string, {place: number[], actions: BoardAction[]}>} */
    const found = new Map();
    const add = (place, one) => {
      const key = keyOf(place), group = found.get(key) ?? { place, actions: [] };
      if (!group.actions.includes(one)) group.actions.push(one);
      found.set(key, group);
    };
    for (const one of this.actions) {
      if (one.places.length === 1 && !this.taken.length && !this.from) add(one.places[0], one);
      for (const [start, end] of openSteps(leftOf(one.places, this.taken) ?? [])) {
        if (!this.from) add(start, one);
        else if (keyOf(start) === keyOf(this.from)) add(end, one);
      }
    }
    return [...found.values()];
  }

  /** Make the places that can be clicked, and the buttons of actions that are nowhere. */
  place() {
    const groups = this.groups(), kept = document.activeElement?.closest?.(".board-spot") && this.contains(document.activeElement);
    this.spots.replaceChildren(...groups.map(({ place, actions }, i) =>
      s("circle", { class: this.from ? "board-spot board-target" : "board-spot", cx: place[0], cy: place[1], r: 1.15 * place[2], role: "button", tabindex: i ? -1 : 0, "aria-label": this.labelOf(actions),
        "data-name": actions.length === 1 ? actions[0].name : "", onclick: () => this.take(place, actions) })));
    for (const [[x1, y1], [x2, y2, r]] of this.taken) {
      this.spots.prepend(s("path", { class: "board-step", d: `M${x1} ${y1}L${x2} ${y2}` }), s("circle", { class: "board-from", cx: x2, cy: y2, r, onclick: () => this.back() }));
    }
    if (this.from) {
      const [x, y, r] = this.from;
      this.spots.prepend(s("circle", { class: "board-from", cx: x, cy: y, r: 1.15 * r, onclick: () => this.back() }));
    }
    if (this.stacked) {
      const { y: top, height } = this.over.viewBox.baseVal, high = height / this.stacked;
      this.spots.prepend(...groups.map(({ place, actions }) => s("rect", { class: "board-column", x: place[0] - 1.25 * place[2], width: 2.5 * place[2],
        y: top + high * Math.floor((place[1] - top) / high), height: high,
        "data-column": actions[0].name, "aria-hidden": "true", onclick: () => this.take(place, actions) })));
    }
    if (kept) this.spots.querySelector(".board-spot")?.focus();
    this.offer(this.actions.filter((one) => !one.places.length));
  }

  /** Buttons below the board. */
  offer(actions) {
    // few moves and none on the drawing, such as roll and hold: they are what the board is for
    this.buttons.classList.toggle("is-main", actions.length <= 6 && actions.length === this.actions.length);
    this.buttons.replaceChildren(...actions.slice(0, 400).map((one) =>
      h("button", { type: "button", "data-name": one.name, onclick: () => this.fire(one) }, one.name)));
  }

  labelOf(actions) {
    if (actions.length > 1) return `${actions.length} moves from here: ${actions.slice(0, 8).map((one) => one.name).join(", ")}`;
    const row = this.rows.find((one) => one.name === actions[0].name);
    return actions[0].name + (row ? `: ${plural(row.visits, "visit")}, value ${signed(row.value)}` : "");
  }

  /** A place is chosen: where a stone is put, where a piece comes from, or where it goes. */
  take(place, actions) {
    const pieces = actions.some((one) => one.places.length > 1);
    if (pieces && !this.from) {
      this.from = place;
      this.place();
      return;
    }
    if (pieces) this.taken.push([this.from, place]);
    this.from = null;
    const whole = actions.filter((one) => !leftOf(one.places, this.taken)?.length);
    if (whole.length === 1) {
      this.fire(whole[0]);
      return;
    }
    this.place();
    if (!whole.length) return;
    this.offer(whole); // the same way, such as promotions: choose below
    this.buttons.querySelector("button")?.focus();
  }

  fire(one) {
    this.reset();
    this.dispatchEvent(new CustomEvent(this.playable ? "play" : "pick", { detail: one }));
  }

  /** Nothing is chosen yet. */
  reset() {
    this.from = null;
    this.taken = [];
    this.place();
  }

  /** One choice back. */
  back() {
    if (this.from) this.from = null;
    else this.taken.pop();
    this.place();
  }

  key(event) {
    const spots = [...this.spots.querySelectorAll(".board-spot")], here = document.activeElement;
    if (event.key === "Escape" && (this.from || this.taken.length)) this.back();
    else if (!here.matches(".board-spot")) return;
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
          if (!arrows.includes(row)) continue;
          const labelled = arrows.length - arrows.indexOf(row) <= LABELLED;
          stepsOf(row.one.places).forEach((step, i) => made.push(...this.arrow(row, step, strength, colour, labelled && i === 0)));
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

  arrow(row, /** @type {import("../lib/board-steps.js").Step} */ step, strength, colour, labelled) {
    const [[x1, y1], [x2, y2, r]] = step, { best } = this.look;
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
