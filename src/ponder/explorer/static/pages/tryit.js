// The front page: a tree of four moves, one of them a hidden gem.
import "../elements/chart.js";
import "../elements/gem-tree.js";
import { historyFromAddress, keepInAddress } from "../lib/address.js";
import { Connection, Refused } from "../lib/connection.js";
import { h, say, set } from "../lib/dom.js";
import { count, plural, signed } from "../lib/format.js";
import { onKey } from "../lib/keys.js";
import { notice } from "../lib/notices.js";
import { Search } from "../lib/session.js";
import { BACKUPS, PRESETS, SCENARIOS, SELECTS } from "./tryit-choices.js";

const RATES = [1, 2, 5, 10, 20, 40, 80, 160];

const connection = new Connection("tryit");
const search = new Search(connection, { nodes: 800, grain: 1 });

// ------------------------------------------------------------------ what stands on the page

const sentence = h("p", { class: "sentence", role: "status", "aria-live": "polite" }, "Starting …");
const tree = h("ponder-gem-tree");
const chart = h("ponder-chart", { class: "root-chart" });
chart.label = "Root value over simulations";
const playButton = h("button", { type: "button", class: "primary play", onclick: toggle }, "Play");
const stepButton = h("button", { type: "button", onclick: () => attempt(search.step()) }, "Step");
const backButton = h("button", { type: "button", onclick: back, "aria-label": "One simulation back" }, "Back");
const resetButton = h("button", { type: "button", onclick: reset }, "Reset");
const speed = h("input", { type: "range", min: 0, max: RATES.length - 1, value: 4, id: "speed", oninput: changeSpeed });
const speedText = h("output", { for: "speed", class: "small soft" });
const moment = h("input", { type: "range", min: 0, max: 1, value: 0, id: "moment", "aria-label": "Moment", oninput: () => attempt(search.rewind(Number(moment.value))) });
const momentText = h("p", { class: "moment" }, "0 simulations");

const presetButtons = PRESETS.map((preset) =>
  h("button", { type: "button", class: "preset", "data-preset": preset.key, onclick: () => load(preset) },
    h("strong", {}, preset.name), h("span", { class: "small soft" }, preset.says)));

const choosers = {
  backup: chooser("Backup", "how a node scores itself from its children", BACKUPS, (text) => search.change({ backup: text })),
  select: chooser("Selectivity", "which move gets the next simulation", SELECTS, switchSelect),
  game: chooser("Scenario", "which moves the search explores", SCENARIOS, switchGame),
};

document.getElementById("main").append(
  h("div", { class: "tryit" },
    h("section", { class: "intro" },
      h("h1", {}, "Will it find the gem?"),
      h("p", { class: "lead" }, "A search tries four moves again and again and learns what each is worth. " +
        "One of them is a gem that looks bad at first.")),
    h("section", { class: "presets", "aria-label": "Presets" }, presetButtons),
    h("section", { class: "stage card", "aria-label": "The search" },
      sentence, tree, legend(),
      h("div", { class: "transport" }, playButton, stepButton, backButton, resetButton,
        h("label", { class: "speed" }, h("span", { class: "small" }, "Speed"), speed, speedText)),
      h("div", { class: "timeline" }, moment, momentText)),
    h("section", { class: "card chart-card" }, h("h2", {}, "Root value"), chart),
    h("section", { class: "controls", "aria-label": "Rules" }, Object.values(choosers).map((one) => one.field))));

function legend() {
  const entry = (kind, text) => h("li", {}, h("span", { class: `mark ${kind}`, "aria-hidden": "true" }), text);
  return h("ul", { class: "legend small soft" }, entry("truth", "truly best"), entry("choice", "would be played now"), entry("cross", "cut"));
}

/** Radio buttons for one thing that can be switched. */
function chooser(title, says, choices, choose) {
  const inputs = new Map();
  const note = h("p", { class: "small soft says" });
  const field = h("fieldset", { class: "card chooser", "data-chooser": title.toLowerCase() },
    h("legend", {}, title), h("p", { class: "small soft" }, says),
    h("div", { class: "options" }, choices.map((one) => {
      const input = h("input", { type: "radio", name: title, value: one.key, onchange: () => attempt(choose(one.text)) });
      inputs.set(one.key, input);
      return h("label", {}, input, one.name);
    })), note);
  return {
    field,
    show(text) {
      const plain = text.replace(/['"]/g, "");
      const found = choices.find((one) => one.text === plain) ?? choices.find((one) => plain.startsWith(`${one.key}(`));
      for (const [key, input] of inputs) input.checked = key === found?.key;
      say(note, found?.says ?? text);
    },
  };
}

// ------------------------------------------------------------------ doing

async function attempt(promise) {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice("refused", error.message);
    paint();
  }
}

function rate() {
  return RATES[Number(speed.value)];
}

function toggle() {
  return attempt(search.state?.running ? search.pause() : search.run(rate()));
}

function back() {
  return attempt(search.rewind(Math.max(0, search.state.moment - 1)));
}

function reset() {
  return attempt(search.open({ ...search.history, changes: [], at: 0 }));
}

function changeSpeed() {
  say(speedText, `${rate()} a second`);
  set(speed, { "aria-valuetext": `${rate()} simulations a second` });
  if (search.state?.running) attempt(search.run(rate()));
}

function load(preset) {
  return attempt(search.open(preset.history));
}

function switchSelect(text) {
  const parts = { select: text };
  if (text.startsWith("puct")) parts.expand = "all_children()";
  return search.change(parts);
}

/** Other moves are another search: it begins anew, with the rules as they are now. */
async function switchGame(text) {
  const running = search.state.running;
  await search.open({ game: text, engine: search.state.engine, seed: search.history.seed }, running);
}

// ------------------------------------------------------------------ showing

search.addEventListener("change", paint);

function paint() {
  const { state, trail } = search;
  if (!state) return;
  tree.show(state, search.nodes);
  const truth = Math.max(...(state.truth?.values ?? [0]));
  chart.show({
    lines: [{ name: "root value", colour: "clay", points: trail.map((p) => [p.moment, p.value]) }],
    level: { value: truth, name: "the truth", colour: "sage" },
    marks: (search.history?.changes ?? []).map((change) => ({ x: change.at })),
    now: state.moment, furthest: state.furthest, least: 50,
  });
  const now = sentenceOf(state);
  say(sentence, now.text);
  set(sentence, { "data-mood": now.mood });
  say(playButton, state.running ? "Pause" : "Play");
  set(moment, { max: Math.max(1, state.furthest), "aria-valuetext": plural(state.moment, "simulation") });
  moment.value = String(state.moment);
  say(momentText, plural(state.moment, "simulation"));
  choosers.backup.show(partOf(state.engine, "backup") ?? "mean()");
  choosers.select.show(partOf(state.engine, "select") ?? "ucb1()");
  choosers.game.show(search.history.game);
  if (search.history) keepInAddress(search.history);
}

/** What the search would play, and whether that is right. */
export function sentenceOf(state) {
  if (!state.moment) return { text: "No recommendation yet. Press play.", mood: "none" };
  const values = state.truth.values, truly = values.indexOf(Math.max(...values));
  const at = "ABCD".indexOf(state.best);
  if (values[at] === values[truly]) return { text: `Recommends ${state.best}, the best move.`, mood: "right" };
  return { text: `Recommends a worse move: ${state.best}, worth ${signed(values[at])}. ${"ABCD"[truly]} is worth ${signed(values[truly])}.`, mood: "wrong" };
}

/** The text of one part in an engine's text: brackets may be nested. */
function partOf(engine, kind) {
  const begin = engine.indexOf(`${kind}=`);
  if (begin < 0) return null;
  let depth = 0, end = begin + kind.length + 1;
  for (; end < engine.length; end++) {
    if (engine[end] === "(") depth++;
    else if (engine[end] === ")" && depth-- === 0) break;
    else if (engine[end] === "," && depth === 0) break;
  }
  return engine.slice(begin + kind.length + 1, end);
}

// ------------------------------------------------------------------ keys, and the beginning

onKey(" ", "Play or pause", toggle);
onKey("ArrowRight", "One simulation; with Shift, ten", (event) => attempt(search.step(event.shiftKey ? 10 : 1)));
onKey("ArrowLeft", "One simulation back", back);
onKey("r", "Reset", reset);
PRESETS.forEach((preset, i) => onKey(String(i + 1), preset.name, () => load(preset)));

changeSpeed();
attempt(search.open(historyFromAddress() ?? PRESETS[0].history));
window.addEventListener("hashchange", () => attempt(search.open(historyFromAddress() ?? PRESETS[0].history)));
