// Numbers as people read them.

/** +0.35, −0.20; a dash where there is none. */
export function signed(value, digits = 2) {
  if (value == null || Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) !== 0 ? "−" : "+") + text;
}

/** 12,345 */
export function count(value) {
  return Math.round(value).toLocaleString("en");
}

/** "1 simulation", "12 simulations" */
export function plural(n, word) {
  return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}
