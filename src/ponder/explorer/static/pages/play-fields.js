// Fields of forms: a game, an engine. Both can be chosen by name, and written as a text.
import { h } from "../lib/dom.js";
import { GAMES, LEVELS, YOU } from "./play-choices.js";

/** A label with its control. */
export const field = (label, control, note) => h("label", { class: "field" }, h("span", {}, label), control, note);

/** A game; `changed` is called with the GAME text. */
export function gameField(value, changed = (_) => {}) {
  const plain = value.replace(/\(\s*\)$/, ""), known = GAMES.some((one) => one.text === plain);
  const choice = h("select", { onchange: choose },
    GAMES.map((one) => h("option", { value: one.text, selected: one.text === plain }, one.name)),
    h("option", { value: "", selected: !known }, "Another one …"));
  const text = h("input", { type: "text", value: plain, spellcheck: "false", onchange: () => changed(text.value.trim()) });
  const own = field("As a GAME text", text);
  own.hidden = known;
  return { fields: [field("Game", choice), own], get value() { return text.value.trim(); } };

  function choose() {
    own.hidden = choice.value !== "";
    if (choice.value) text.value = choice.value;
    changed(text.value.trim());
  }
}

/** Who plays: a person (where that is possible), a level, or any engine by its SPEC. */
export function engineField(label, value, people) {
  const own = value !== YOU && !LEVELS.some((one) => one.text === value);
  const spec = h("input", { type: "text", value: own ? value : "mcts(simulations=500)", spellcheck: "false", "aria-label": `SPEC of ${label}`, hidden: !own });
  const who = h("select", { "aria-label": label, onchange: () => { spec.hidden = who.value !== ""; } },
    people ? h("option", { value: YOU, selected: value === YOU }, "You (a person)") : null,
    LEVELS.map((one) => h("option", { value: one.text, selected: one.text === value }, `${one.name}: ${one.says}`)),
    h("option", { value: "", selected: own }, "Another engine …"));
  return h("div", { class: "engine-field" }, h("span", {}, label), who, spec);
}

/** What was chosen in an `engineField`: "you" or a SPEC. */
export function chosenEngine(row) {
  return row.querySelector("select").value || row.querySelector("input").value.trim();
}
