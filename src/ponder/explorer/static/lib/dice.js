// Dice as pictures: "24" is a two and a four. Outcomes of other kinds stand as they are called.
import { h, s } from "./dom.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function die(pips) {
  return s("svg", { class: "die", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("rect", { x: 4, y: 4, width: 92, height: 92, rx: 18 }),
    PIPS[pips].map((at) => s("circle", { cx: 24 + 26 * (at % 3), cy: 24 + 26 * Math.floor(at / 3), r: 10 })));
}

/** What chance has brought: one or more outcomes by name. */
export function dice(names) {
  const faces = names.flatMap((name) => (/^[1-6]{1,4}$/.test(name) ? [...name] : [null]));
  const box = h("span", { class: "dice", role: "img", "aria-label": `dice ${names.join(", ")}` });
  if (faces.every(Boolean)) box.append(...faces.map(die));
  else box.append(h("span", { class: "dice-text" }, names.join(", ")));
  return box;
}
