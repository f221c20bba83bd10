// The clauses of a claim: what was stated before the run, and the verdict on each.
import { number } from "../elements/plot.js";
import { h, s } from "../lib/dom.js";

export const MARKS = { holds: "✓", "does not hold": "✗", undecided: "?", "not run": "–" };
const WIDE = 240, EDGE = 8;

/** A verdict in a word, with a sign of its own. */
export const badge = (word) => h("span", { class: "verdict-badge", "data-verdict": word }, h("span", { "aria-hidden": "true" }, MARKS[word] ?? "·"), word);

/** @param {any} plan of the message plan @param {any} report of the run, if there is one */
export function clauseList(plan, report) {
  const found = new Map((report?.clauses ?? []).map((one) => [one.id, one]));
  const known = new Map((plan.measured?.clauses ?? []).map((one) => [one.id, one]));
  return plan.clauses.map((clause) => {
    const verdict = found.get(clause.id), measured = known.get(clause.id), seen = verdict && verdict.verdict !== "not run";
    return h("li", { class: "clause", "data-clause": clause.id },
      h("div", { class: "clause-head" }, h("p", { class: "clause-sentence" }, clause.sentence, h("code", { class: "clause-id soft" }, clause.id)), verdict ? badge(verdict.verdict) : h("span", { class: "verdict-badge soft" }, "to be decided")),
      h("p", { class: "small soft" }, `${clause.quantity}: `, h("strong", {}, clause.test)),
      seen ? h("div", { class: "clause-found" }, whisker(clause.passes, verdict),
        h("p", { class: "small" }, h("strong", { class: "estimate" }, number(verdict.value)), verdict.low === verdict.high ? "" : ` (${end(verdict.low, "−∞")} to ${end(verdict.high, "∞")})`, where(verdict))) : null,
      measured ? h("p", { class: "small soft documented" }, `Documented: ${`${measured.estimate} (${measured.interval})`.replace(/-(?=\d)/g, "−")}; ${seeds(measured.verdicts)}`) : null);
  });
}

const end = (value, without) => (value == null ? without : number(value));

function where(verdict) {
  const at = verdict.series ? verdict.series + (verdict.x == null ? "" : `, ${typeof verdict.x === "number" ? number(verdict.x) : verdict.x}`) : "";
  const place = verdict.places > 1 ? `; the weakest of ${verdict.places}: ${at}` : at ? `; ${at}` : "";
  return place + (verdict.partly ? ". It holds in what was run, which is not all of it." : "");
}

function seeds(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, n]) => (words.length === 1 ? `${word} (one seed)` : n === words.length ? `${word} with all ${n} seeds` : `${word} with ${n} of ${words.length} seeds`)).join(", ");
}

/** The interval as a line, the estimate as a dot, and shaded what passes. */
function whisker([least, most], { value, low, high }) {
  const known = [least, most, value, low, high].filter((one) => one != null);
  let from = Math.min(...known), to = Math.max(...known);
  const air = 0.15 * (to - from) || Math.abs(to) * 0.2 || 1;
  from -= air;
  to += air;
  const X = (x) => EDGE + (WIDE - 2 * EDGE) * (x - from) / (to - from), left = X(least ?? from), right = X(most ?? to);
  const edge = (x) => (x == null ? null : s("g", { class: "threshold" }, s("line", { x1: X(x), x2: X(x), y1: 3, y2: 23 }), s("text", { x: X(x), y: 34, "text-anchor": X(x) < 30 ? "start" : X(x) > WIDE - 30 ? "end" : "middle" }, number(x))));
  return s("svg", { class: "whisker", viewBox: `0 0 ${WIDE} 38`, "aria-hidden": "true" },
    s("rect", { class: "passes", x: Math.min(left, right - 3), y: 5, width: Math.max(3, right - left), height: 16, rx: 2 }),
    edge(least), most === least ? null : edge(most),
    s("line", { class: "range", x1: X(low ?? from), x2: X(high ?? to), y1: 13, y2: 13 }), value == null ? null : s("circle", { cx: X(value), cy: 13, r: 5 }));
}
