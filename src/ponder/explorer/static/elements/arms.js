// <ponder-arms>: the arms of a bandit side by side: their hidden chances, and what a rule knows of them.
//
//   arms.show({ names, truth, known, next, last, won, editable, label });   // known: of the answer to "bandits", or null
//
// Dashed = the chance that nobody tells, bar = where it lies with 95 % confidence, dot = the share of wins so far, thin
// line = the upper bound that the rule compares. Editable chances are sliders; fires "set" {arm, value}.
import { s, say, set } from "../lib/dom.js";

const WIDE = 62, TOP = 16, HIGH = 130, LEFT = 44, FOOT = 44, STEP = 0.05;
const HIGHEST = 1.8; // of an upper bound that is drawn
const percent = (value) => `${Math.round(100 * value)} %`;

export class PonderArms extends HTMLElement {
  show(data) {
    this.data = data;
    if (this.count !== data.names.length || this.editable !== Boolean(data.editable)) this.make();
    this.paint();
  }

  make() {
    const { names, editable } = this.data, wide = LEFT + WIDE * names.length, high = TOP + HIGH + FOOT;
    this.count = names.length;
    this.editable = Boolean(editable);
    this.svg = s("svg", { viewBox: `0 0 ${wide} ${high}`, style: `max-width: ${wide * 1.35}px`, role: editable ? "group" : "img" });
    this.ticks = [0, 0.5, 1].map((value) => ({ value, line: s("line", { class: "grid", x1: LEFT, x2: wide }), text: s("text", { class: "axis", x: LEFT - 5 }, percent(value)) }));
    this.svg.append(...this.ticks.flatMap(({ line, text }) => [line, text]));
    this.columns = names.map((name, i) => {
      const x = LEFT + WIDE * (i + 0.5);
      const one = {
        truth: s("line", { class: "truth", x1: x - 22, x2: x + 22 }), bar: s("rect", { class: "interval", x: x - 8, width: 16, rx: 5 }),
        bound: s("path", { class: "bound" }), mean: s("circle", { class: "mean", cx: x, r: 4.5 }), x,
        ring: s("circle", { class: "next", cx: x, cy: TOP + HIGH + 17, r: 12 }), letter: s("text", { class: "letter", x, y: TOP + HIGH + 22 }, name),
        pulls: s("text", { class: "pulls", x, y: TOP + HIGH + 41 }), cross: s("path", { class: "cross", d: `M${x - 10} ${TOP + HIGH / 2 - 10}l20 20m0-20-20 20` }),
        flash: s("circle", { class: "flash", cx: x + 19, cy: TOP + HIGH + 17, r: 4.5 }),
      };
      this.svg.append(one.bar, one.bound, one.truth, one.mean, one.cross, one.ring, one.letter, one.flash, one.pulls);
      if (editable) this.svg.append(one.handle = this.handle(i, x));
      return one;
    });
    this.replaceChildren(this.svg);
  }

  handle(arm, x) {
    const handle = s("circle", { class: "handle", cx: x, r: 9, role: "slider", tabindex: 0, "aria-label": `Chance of arm ${this.data.names[arm]}`,
      "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": 0, "aria-orientation": "vertical" });
    const choose = (value, done) => {
      const next = Number((Math.round(Math.max(0, Math.min(1, value)) / STEP) * STEP).toFixed(2));
      this.data.truth = this.data.truth.map((one, i) => (i === arm ? next : one));
      this.paint();
      if (done) this.dispatchEvent(new CustomEvent("set", { detail: { arm, value: next } }));
    };
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP }[event.key];
      if (!by) return;
      event.preventDefault();
      choose(this.data.truth[arm] + by, true);
    });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      const follow = (moved, done = false) => {
        const box = this.svg.getBoundingClientRect(), y = (moved.clientY - box.top) * (TOP + HIGH + FOOT) / box.height;
        choose(this.most * (1 - (y - TOP) / HIGH), done);
      };
      const moving = (moved) => follow(moved);
      handle.addEventListener("pointermove", moving);
      handle.addEventListener("pointerup", (last) => {
        handle.removeEventListener("pointermove", moving);
        follow(last, true);
      }, { once: true });
    });
    return handle;
  }

  paint() {
    const { names, truth, known, next, last, won, label } = this.data, told = [];
    // room for the highest bound, in steps, so that nothing trembles
    this.most = Math.min(HIGHEST, Math.max(1.1, Math.ceil(5 * Math.max(...(known ?? []).map((arm) => arm.bound ?? 0), 0)) / 5 + 0.05));
    const Y = (value) => TOP + HIGH * (1 - Math.min(this.most, value) / this.most);
    for (const { value, line, text } of this.ticks) {
      set(line, { y1: Y(value), y2: Y(value) });
      set(text, { y: Y(value) + 4 });
    }
    const shown = (element, yes) => set(element, { visibility: yes ? "visible" : "hidden" });
    this.columns.forEach((one, i) => {
      const arm = known?.[i], pulled = Boolean(arm?.pulls);
      set(one.truth, { y1: Y(truth[i]), y2: Y(truth[i]) });
      shown(one.bar, pulled);
      shown(one.mean, pulled);
      if (pulled) {
        set(one.bar, { y: Y(arm.high), height: Math.max(3, Y(arm.low) - Y(arm.high)) });
        set(one.mean, { cy: Y(arm.mean) });
      }
      const bound = pulled && arm.bound != null;
      shown(one.bound, bound);
      if (bound) set(one.bound, { d: `M${one.x} ${Y(arm.mean)}V${Y(arm.bound)}m-7 0h14` });
      shown(one.cross, Boolean(arm?.cut));
      shown(one.ring, names[i] === next);
      shown(one.flash, names[i] === last);
      set(one.flash, { class: won ? "flash won" : "flash" });
      say(one.pulls, known ? String(arm.pulls) : percent(truth[i]));
      if (one.handle) set(one.handle, { cy: Y(truth[i]), "aria-valuenow": truth[i], "aria-valuetext": percent(truth[i]) });
      told.push(`${names[i]}: truly ${percent(truth[i])}${pulled ? `, ${arm.pulls} pulls, ${percent(arm.mean)} won, between ${percent(arm.low)} and ${percent(arm.high)}` : ""}${arm?.cut ? ", cut" : ""}`);
    });
    set(this.svg, { "aria-label": `${label}. ${told.join("; ")}` });
  }
}

customElements.define("ponder-arms", PonderArms);
