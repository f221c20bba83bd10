// Numbers and sentences as people read them.

/** What was refused, as a sentence: "no such file" becomes "No such file."; names of files stay as they are. */
export function sentence(text) {
  return text && text.replace(/^[a-z](?=[a-z]*[ ,:])/, (letter) => letter.toUpperCase()) + (/[.!?…]$/.test(text) ? "" : ".");
}

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

/** 950, 12.3k, 4.56M */
export function compact(value) {
  if (value < 1000) return String(Math.round(value));
  const [unit, letter] = value < 1e6 ? [1e3, "k"] : value < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return Number((value / unit).toPrecision(3)) + letter;
}

/** 12 %, 0.4 % */
export function percent(part) {
  const shown = 100 * part;
  return `${shown > 0 && shown < 1 ? shown.toFixed(1) : Math.round(shown)} %`;
}
