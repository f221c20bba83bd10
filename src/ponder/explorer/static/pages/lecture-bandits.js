// The bandits of the Lecture page: every rule pulls the same arms; bars are what it knows, the chart what it has lost.
import "../elements/arms.js";
import "../elements/chart.js";
import { numberOr } from "../lib/address.js";
import { h, say, set } from "../lib/dom.js";
import { plural } from "../lib/format.js";

export const MOST_PULLS = 2000;
const LETTERS = "ABCDEFGH";
const COLOURS = ["line-1", "line-2", "line-3", "line-4", "line-5", "line-6", "ink", "red", "ink-soft", "clay-deep", "sage-deep", "good"];
/** Rules that people know by another name, in the order of the list. */
const NAMES = {
  "ucb1(c=2.83)": "UCB1", "ucb1_tuned()": "UCB1-Tuned", "kl_ucb()": "KL-UCB", "thompson()": "Thompson", "epsilon_greedy()": "ε-greedy", "boltzmann()": "Boltzmann",
  "equal()": "Round robin", "epsilon_greedy(epsilon=0.0)": "Greedy", "moss()": "MOSS", "ucb_v()": "UCB-V", "ucb_sampled()": "UCB sampled",
  "ucb1_spread()": "UCB1 by spread", "uct_decaying()": "UCT, decaying", "progressive_pruning()": "Pruning", "urgency()": "Urgency",
};
const ARMS = [["The lecture's", "0.6,0.55,0.4"], ["Easy", "0.9,0.2,0.1"], ["Close", "0.52,0.5,0.48"], ["Six arms", "0.3,0.4,0.5,0.6,0.4,0.2"]];

/** A known rule with parameters of one's own keeps its name: ε-greedy (epsilon=0.3). */
export function nameOf(/** @type {string} */ rule) {
  const [, base, given] = /^(\w+)\((.*)\)$/.exec(rule) ?? [], known = NAMES[`${base}()`];
  return NAMES[rule] ?? (known && given ? `${known} (${given})` : rule);
}
export const armsOf = (state) => state.arms.split(",").map(numberOr).slice(0, LETTERS.length);
export const rulesOf = (state) => state.rules.split("|").filter(Boolean);

/**
 * The picture and the controls.
 * @param {(changes: any) => any} go shows another state
 */
export function bandits(connection, go) {
  let state = null, asked = false;
  const panels = h("div", { class: "panels" });
  const chart = h("ponder-chart", { class: "regret-chart", onpick: (event) => go({ step: event.detail }) });
  chart.label = "Regret over pulls";
  const box = h("div", { class: "bandits", hidden: true }, panels, h("ul", { class: "legend small soft" },
    [["truth", "hidden chance"], ["interval", "95 % interval"], ["mean", "share won so far"], ["bound", "the rule's upper bound"], ["ring", "to be pulled next (or likeliest)"]]
      .map(([kind, text]) => h("li", {}, h("span", { class: `key ${kind}`, "aria-hidden": "true" }), text))),
    h("h2", { class: "chart-title" }, "Regret", h("span", { class: "small soft" }, "what was lost by not pulling the best arm every time; click to go to a moment")), chart);

  const editor = h("ponder-arms", { onset: (event) => setArms(armsOf(state).map((one, i) => (i === event.detail.arm ? event.detail.value : one))) });
  const seed = h("input", { type: "number", id: "seed", min: 0, max: 999999, onchange: () => go({ seed: numberOr(seed.value) }) });
  const list = h("div", { class: "options", role: "group", "aria-label": "Rules" });
  const own = h("input", { type: "text", id: "own-rule", placeholder: "ucb1(c=0.5)", spellcheck: "false", autocapitalize: "off",
    onkeydown: (event) => { if (event.key === "Enter") add(); } });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const fewer = h("button", { type: "button", onclick: () => setArms(armsOf(state).slice(0, -1)) }, "One arm less");
  const more = h("button", { type: "button", onclick: () => setArms([...armsOf(state), 0.5]) }, "One arm more");
  const card = h("section", { class: "card editor", "aria-label": "Arms and rules", hidden: true },
    h("div", { class: "two-parts" },
      h("div", { class: "part-box" }, h("h2", {}, "The arms"), h("p", { class: "small soft" }, "Drag a chance up or down. The rules never see it, they only win or lose."), editor,
        h("div", { class: "row" }, fewer, more, ARMS.map(([name, text]) => h("button", { type: "button", onclick: () => go({ arms: text }) }, name))),
        h("div", { class: "row" }, h("label", { for: "seed", class: "small" }, "Dice"), seed, h("button", { type: "button", onclick: () => go({ seed: state.seed + 1 }) }, "Other dice"))),
      h("div", { class: "part-box" }, h("h2", {}, "The rules"), h("p", { class: "small soft" }, "All that can play; point at one to read what it does."), list,
        h("div", { class: "row" }, h("label", { for: "own-rule", class: "small" }, "Your own"), own, h("button", { type: "button", onclick: add }, "Add")), wrong)));

  const setArms = (arms) => go({ arms: arms.join(",") });

  function toggle(rule, on) {
    const rules = rulesOf(state).filter((one) => one !== rule);
    go({ rules: (on ? [...rules, rule] : rules).join("|") });
  }

  function add() {
    const text = own.value.trim();
    if (!text) return;
    own.value = "";
    toggle(text.includes("(") ? text : `${text}()`, true);
  }

  /** All select rules there are; those that cannot play are named with the reason. */
  async function fill() {
    if (asked) return;
    asked = true;
    const { rules } = await connection.ask("bandit_rules");
    const known = Object.keys(NAMES).map((text) => text.split("(")[0]);
    const texts = [...Object.keys(NAMES), ...rules.filter((one) => !one.refused && !known.includes(one.name)).map((one) => `${one.name}()`)];
    const about = Object.fromEntries(rules.map((one) => [one.name, one]));
    list.replaceChildren(...texts.map((text) => {
      const input = h("input", { type: "checkbox", value: text, onchange: () => toggle(text, input.checked) });
      return h("label", { title: about[text.split("(")[0]]?.about.split("\n")[0] }, input, h("span", {}, nameOf(text)));
    }));
    const refused = rules.filter((one) => one.refused);
    list.after(h("details", { class: "small" }, h("summary", {}, `${plural(refused.length, "rule")} cannot play bandits`),
      h("ul", {}, refused.map((one) => h("li", {}, `${one.name}: ${one.refused}`)))));
    mark();
  }

  function mark() {
    const rules = rulesOf(state);
    for (const input of list.querySelectorAll("input")) input.checked = rules.includes(input.value);
  }

  return {
    box, card,
    complain: (text) => say(wrong, text),
    ask: (next) => connection.ask("bandits", { arms: armsOf(next), rules: rulesOf(next), seed: next.seed, pulls: Math.min(next.step ?? 0, MOST_PULLS) }),
    paint(now, answer) {
      state = now;
      fill();
      mark();
      const truth = armsOf(state), names = truth.map((_, i) => LETTERS[i]), rules = rulesOf(state);
      while (panels.children.length > answer.rules.length) panels.lastChild.remove();
      while (panels.children.length < answer.rules.length) {
        panels.append(h("figure", { class: "gambler" }, h("figcaption", {}, h("strong", {}), h("span", { class: "lost" })), h("ponder-arms")));
      }
      answer.rules.forEach((one, i) => {
        const panel = panels.children[i], name = nameOf(rules[i]), lost = one.regret.toFixed(2);
        set(panel, { "data-rule": rules[i], style: `--own: var(--${COLOURS[i % COLOURS.length]})` });
        say(panel.querySelector("strong"), name);
        say(panel.querySelector(".lost"), `lost ${lost}`);
        panel.querySelector("ponder-arms").show({ names, truth, known: one.arms, next: one.next, last: one.last, won: one.won, label: `${name}: lost ${lost}` });
      });
      editor.show({ names, truth: [...truth], known: null, editable: true, label: "The arms" });
      fewer.disabled = truth.length < 2;
      more.disabled = truth.length >= LETTERS.length;
      if (document.activeElement !== seed) seed.value = String(state.seed);
      chart.show({
        lines: answer.rules.map((one, i) => ({ name: nameOf(rules[i]), colour: COLOURS[i % COLOURS.length], points: one.regrets.map((lost, n) => [n, lost]) })),
        now: answer.pulls, furthest: answer.reached, least: 50, format: "amount", unit: "pulls", names: true, margin: 92, low: 0, high: 1,
      });
      say(wrong, "");
    },
    sentence(answer) {
      const sorted = answer.rules.map((one, i) => [one.regret, nameOf(rulesOf(state)[i])]).sort((a, b) => a[0] - b[0]);
      if (!sorted.length) return "Choose a rule below.";
      if (!answer.pulls) return "Nothing is known yet. Press play: every rule pulls one arm at a time.";
      const least = sorted[0], most = sorted[sorted.length - 1], begin = `After ${plural(answer.pulls, "pull")}`;
      if (sorted.length === 1) return `${begin} ${least[1]} has lost ${least[0].toFixed(2)}.`;
      return `${begin} each, ${least[1]} has lost least, ${least[0].toFixed(2)}, and ${most[1]} most, ${most[0].toFixed(2)}.`;
    },
  };
}
