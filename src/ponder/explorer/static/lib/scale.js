// The scale of values: clay = bad, teal = good, pale between. Blue against orange, and dark against pale: people who
// see no difference between red and green read it as well. Numbers stand beside it wherever there is room.

const STEPS = 15;

/** "#b7592f" -> [183, 89, 47] */
function parsed(/** @type {string} */ colour) {
  const text = colour.trim().replace("#", "");
  return [0, 2, 4].map((at) => parseInt(text.slice(at, at + 2), 16));
}

const mixed = (a, b, part) => `rgb(${a.map((x, i) => Math.round(x + part * (b[i] - x))).join(" ")})`;

/** The colours of the scale, from bad to good, as the theme has them. */
export function scaleColours(/** @type {Element} */ element) {
  const style = getComputedStyle(element);
  const [bad, even, good] = ["--bad", "--even", "--good"].map((name) => parsed(style.getPropertyValue(name)));
  return Array.from({ length: STEPS }, (_, i) => {
    const x = 2 * i / (STEPS - 1) - 1;
    return x < 0 ? mixed(even, bad, -x) : mixed(even, good, x);
  });
}

/** The place of a value on the scale: 0 .. STEPS - 1; the middle where there is none. */
export function scaleStep(value, lowest = -1, highest = 1) {
  if (value == null || Number.isNaN(value)) return (STEPS - 1) / 2;
  const part = (value - lowest) / (highest - lowest);
  return Math.max(0, Math.min(STEPS - 1, Math.round(part * (STEPS - 1))));
}
