// <ponder-why>: a node's statistics, and every term of the select rule for each of its children.
//
//   why.show(answer, title);   // the answer to the message "why"
import { h } from "../lib/dom.js";
import { count, plural, signed } from "../lib/format.js";

/** How each rule chooses, as its docstring says it; by the rule's name. */
const FORMULAS = {
  urgency: ["uᵢ = exp(−2.4 · (μ₀ − μᵢ) / √(2(σ₀² + σᵢ²))) + εᵢ", "A move is drawn with probability u ÷ the sum of all u. " +
    "mean is μ, spread is σ, floor is ε: it never becomes 0."],
  progressive_pruning: ["cut i when  meanᵢ + z·sᵢ/√nᵢ  <  maxⱼ (meanⱼ − z·sⱼ/√nⱼ)", "lower and upper are those bounds. " +
    "Of the moves that are left the least visited is next."],
  ucb1: ["mean + c·h·√(ln N / n)", "The highest sum is next. N visits of the node, n of the move, h half the range of results."],
  epsilon_greedy: ["best mean with probability 1 − ε, any move with ε", "The probability of each move is shown."],
  boltzmann: ["P ∝ exp(mean / τ)", "The probability of each move is shown; τ is the temperature."],
  puct: ["Q + h·C·P·√N / (1 + n)", "The highest sum is next. P is the prior: what was expected before any visit."],
};

export class PonderWhy extends HTMLElement {
  show(answer, title) {
    const rule = answer.rule.replace(/\(.*/, ""), [formula, says] = FORMULAS[rule] ?? [answer.rule, ""];
    const facts = `${plural(answer.visits, "visit")}, value ${signed(answer.value, 3)}`;
    this.replaceChildren(h("h3", {}, title), h("p", { class: "facts" }, facts));
    if (!answer.reasons.length) {
      this.append(h("p", { class: "small soft" }, answer.chance ? "Here chance decides: nothing is chosen."
        : "Nothing has been chosen below it yet."));
      return;
    }
    const terms = names(answer.reasons, "terms"), numbers = names(answer.reasons, "numbers");
    const scored = answer.reasons.some((reason) => reason.score != null) && !terms.includes("probability");
    const cell = (value, digits = 3) => h("td", { class: "number" }, value == null ? "" : short(value, digits));
    const once = answer.reasons.some((reason) => reason.numbers.N === answer.visits + 1)
      ? ` Here N = ${count(answer.visits + 1)}: the formulas count the root once more than its simulations.` : "";
    this.append(
      h("p", { class: "formula" }, h("code", {}, formula)), h("p", { class: "small soft" }, says + once),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Terms of the rule" }, h("table", {},
        h("caption", { class: "unseen" }, `What ${rule} makes of each move`),
        h("thead", {}, h("tr", {}, ["move", "n", ...numbers, ...terms, ...(scored ? ["score"] : [])].map((name, i) =>
          h("th", { scope: "col", class: i ? "number" : "" }, name)))),
        h("tbody", {}, answer.reasons.map((reason) => h("tr", { class: reason.closed ? "closed" : "" },
          h("th", { scope: "row" }, reason.name, reason.remark ? h("span", { class: "remark" }, ` ${reason.remark}`) : null),
          h("td", { class: "number" }, count(reason.visits)),
          numbers.map((name) => cell(reason.numbers[name])), terms.map((name) => cell(reason.terms[name])),
          scored ? cell(reason.score) : null))))));
  }

  clear(text) {
    this.replaceChildren(h("p", { class: "soft" }, text));
  }
}

/** The names that any of the children has, in the order of their appearance. */
function names(reasons, kind) {
  return [...new Set(reasons.flatMap((reason) => Object.keys(reason[kind])))];
}

function short(value, digits) {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return count(value).replace("-", "−");
  return value.toFixed(digits).replace("-", "−");
}

customElements.define("ponder-why", PonderWhy);
