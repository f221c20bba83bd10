// The front page: a tree of four moves, one of them a hidden gem. This module makes the page and does what its
// controls say; what can be chosen is in tryit-choices.js, the texts in tryit-levels.js, the log in tryit-log.js.
import "../elements/chart.js";
import "../elements/gem-tree.js";
import "../elements/log.js";
import "../elements/ridge.js";
import "../elements/tabs.js";
import "../elements/why.js";
import { addressOf, historyFromAddress, keepInAddress, onAddress } from "../lib/address.js";
import { Connection, Lost, Refused } from "../lib/connection.js";
import { h, say, set } from "../lib/dom.js";
import { plural, signed } from "../lib/format.js";
import { onKey } from "../lib/keys.js";
import { clearNotice, notice } from "../lib/notices.js";
import { Search } from "../lib/session.js";
import { BACKUPS, PRESETS, PRIORS, SCENARIOS, SELECTS } from "./tryit-choices.js";
import { LEVELS } from "./tryit-levels.js";
import { called, entriesOf, inWords, partOf } from "./tryit-log.js";

const RATES = [1, 2, 5, 10, 20, 40, 80, 160];
const USUAL_RATE = 4;
const LETTERS = "ABCD";
const MOST_WAYS = 6;

const connection = new Connection("tryit");
const search = new Search(connection, { nodes: 200, deepest: 3, grain: 1 });

let preset = PRESETS[0]; // the last one that was loaded
let waiting = null; // what the preset switches when its moment comes
let pinned = []; // actions that lead to the node whose choice is explained
let busy = 0; // questions that wait for an answer
let pointed = null; // the move under the pointer
/** Histories that were left for another way, oldest first. @type {any[]} */
let ways = JSON.parse(sessionStorage.getItem("ponder-ways") ?? "[]");

// ------------------------------------------------------------------ what stands on the page

const sentence = h("p", { class: "sentence", role: "status", "aria-live": "polite" }, "Starting …");
const tree = h("ponder-gem-tree", { onpick: (event) => pick(event.detail) });
const chart = h("ponder-chart", { class: "root-chart", onpick: (event) => goTo(event.detail) });
chart.label = "Root value over simulations";
const ridge = h("ponder-ridge", { onset: (event) => ownValues(event.detail) });
const why = h("ponder-why");
const log = h("ponder-log", { onpick: (event) => goToEntry(event.detail) });
const levels = h("ponder-tabs");
const presetText = h("p", { class: "preset-text" });

const playButton = h("button", { type: "button", class: "primary play", onclick: toggle }, "Play");
const speed = h("input", { type: "range", min: 0, max: RATES.length - 1, value: USUAL_RATE, id: "speed", oninput: changeSpeed });
const speedText = h("output", { for: "speed", class: "small soft" });
const moment = h("input", { type: "range", min: 0, max: 1, value: 0, id: "moment", "aria-label": "Moment: simulations so far", oninput: () => goTo(Number(moment.value)) });
const momentText = h("p", { class: "moment" }, "0 simulations");

const presetButtons = PRESETS.map((one) =>
  h("button", { type: "button", class: "preset", "data-preset": one.key, onclick: () => load(one) }, one.name));

const choosers = {
  backup: chooser("Backup", "How a node scores itself from its children.", BACKUPS, (text) => change({ backup: text })),
  select: chooser("Selectivity", "Which move gets the next simulation.", SELECTS, (text) =>
    change(text.startsWith("puct") ? { select: text, expand: PRIORS } : { select: text })),
  game: chooser("Scenario", "The moves that are searched. Another one begins anew.", SCENARIOS, (text) => begin({ game: text }, search.state.running)),
};

levels.show(LEVELS.map((level) => ({
  key: level.key, name: level.name,
  content: h("div", { class: "level" }, level.text.map((text) => h("p", {}, text)),
    h("button", { type: "button", class: "primary", "data-level": level.key, onclick: () => showLevel(level) }, level.action)),
})), "Explained for");

const stage = h("section", { class: "stage card", "aria-label": "The search" },
  sentence, tree, legend(),
  h("div", { class: "transport" }, playButton,
    h("button", { type: "button", onclick: () => step(1) }, "Step"),
    h("button", { type: "button", onclick: back, "aria-label": "Back by one simulation" }, "Back"),
    h("button", { type: "button", onclick: reset }, "Reset"),
    h("label", { class: "speed" }, h("span", { class: "small" }, "Speed"), speed, speedText)),
  h("div", { class: "timeline" }, moment, momentText),
  h("h2", { class: "chart-title" }, "Root value", h("span", { class: "small soft" }, "click to go to a moment")), chart);

document.getElementById("main").append(
  h("div", { class: "tryit" },
    h("section", { class: "intro" },
      h("h1", {}, "Will it find the gem?"),
      h("p", { class: "lead" }, "A search tries four moves again and again and learns what each is worth. One of them is a gem " +
        "that looks bad at first. Press play; then load “Pruning kills the gem” and play that."),
      h("div", { class: "presets", role: "group", "aria-label": "Presets" }, presetButtons), presetText),
    h("div", { class: "column" },
      stage,
      h("section", { class: "card ridge-card" }, h("h2", {}, "Hidden values"),
        h("p", { class: "small soft" }, "The search never sees these bells, it only draws from them. What it believes is the clay tick. " +
          "Drag ", h("span", { class: "dot-mark" }), " to move a value, ", h("span", { class: "square-mark" }), " to change its noise."), ridge),
      h("section", { class: "card log-card" }, h("h2", {}, "What has happened"),
        h("p", { class: "small soft" }, "Click an entry to go back to it."), log)),
    h("div", { class: "column" },
      h("section", { class: "levels card" }, h("h2", {}, "What is going on here?"), levels),
      h("section", { class: "controls card", "aria-label": "Rules" }, Object.values(choosers).map((one) => one.field)),
      h("section", { class: "card why-card" }, h("h2", {}, "Inside the search"), why))));

function legend() {
  const entry = (kind, text) => h("li", {}, h("span", { class: `mark ${kind}`, "aria-hidden": "true" }), text);
  return h("ul", { class: "legend small soft" }, entry("truth", "truly best"), entry("choice", "would be played now"), entry("cross", "cut for good"));
}

/** Radio buttons for one thing that can be switched. */
function chooser(title, says, choices, choose) {
  const kind = { Backup: "backup", Selectivity: "select", Scenario: "game" }[title];
  const inputs = new Map();
  const note = h("p", { class: "small soft says" });
  const field = h("fieldset", { class: "chooser", "data-chooser": title.toLowerCase() },
    h("legend", {}, title), h("p", { class: "small soft" }, says),
    h("div", { class: "options" }, choices.map((one) => {
      const input = h("input", { type: "radio", name: title, value: one.key, onchange: () => choose(one.text) });
      inputs.set(one.name, input);
      return h("label", {}, input, h("span", {}, one.name));
    })), note);
  return {
    field,
    show(text) {
      const name = called(kind, text);
      for (const [each, input] of inputs) input.checked = each === name;
      say(note, choices.find((one) => one.name === name)?.says ?? name);
    },
  };
}

// ------------------------------------------------------------------ doing

/** Do something; a refusal is shown, and what stands on the page stays true. */
async function attempt(promise) {
  busy += 1;
  set(stage, { "aria-busy": "true" });
  try {
    clearNotice("refused");
    await promise;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!(error instanceof Lost)) notice("refused", error.message);
    paint();
  } finally {
    busy -= 1;
    if (!busy) set(stage, { "aria-busy": null });
  }
}

function rate() {
  return RATES[Number(speed.value)];
}

/** Going on from the past, or beginning anew, leaves a way: it stays in the log. */
function leave(always = false) {
  const { state, history } = search;
  if (!state || !history || !state.furthest || !(always || state.furthest > state.moment)) return;
  ways = [...ways, { ...history, changes: [...history.changes, ...state.ahead], at: state.furthest }].slice(-MOST_WAYS);
  sessionStorage.setItem("ponder-ways", JSON.stringify(ways));
}

function play() {
  leave();
  const until = waiting && search.state.moment < waiting.at ? waiting.at : null;
  return attempt(search.run(rate(), until));
}

function toggle() {
  return search.state?.running ? attempt(search.pause()) : play();
}

function step(n) {
  leave();
  return attempt(search.step(n));
}

function goTo(to, after) {
  return attempt(search.rewind(Math.max(0, Math.min(to, search.state.furthest)), after));
}

function back() {
  return goTo(search.state.moment - 1, true);
}

function change(parts) {
  leave();
  return attempt(search.change(parts));
}

/** A new search; what is not given stays as it is. */
function begin(history, run = false) {
  leave(true);
  waiting = null;
  pinned = [];
  const { game, engine, seed } = { ...search.history, engine: search.state?.engine, ...history };
  return attempt(search.open({ ...history, game, engine, seed }, run));
}

function reset() {
  const { game, engine, seed } = search.history;
  return begin({ game, engine, seed });
}

async function load(one, run = null, at = null) {
  preset = one;
  if (run) {
    speed.value = String(RATES.indexOf(run));
    changeSpeed();
  }
  await begin(at == null ? one.history : { ...one.history, at });
  waiting = one.then ?? null;
  paint();
  if (run) await play();
}

async function showLevel(level) {
  await load(PRESETS.find((one) => one.key === level.preset), level.run, level.at);
  if (level.look) pin([]);
  tree.scrollIntoView({ block: "center", behavior: "smooth" });
}

function ownValues({ values, noises }) {
  const scenario = /scenario=['"]?(\w+)/.exec(search.history.game)?.[1] ?? "gem";
  begin({ game: `gem(scenario=${scenario}, values=(${values.join(", ")}), noises=(${noises.join(", ")}))` }, search.state.running);
}

function goToEntry(entry) {
  return entry.history ? begin(entry.history) : goTo(entry.moment, entry.after);
}

function changeSpeed() {
  search.rate = rate();
  say(speedText, `${rate()} a second`);
  set(speed, { "aria-valuetext": `${rate()} simulations a second` });
  if (search.state?.running) play();
}

// ------------------------------------------------------------------ explaining

function pick({ path, sticky }) {
  pointed = path.length === 1 ? LETTERS[path[0]] : null;
  if (sticky) pin(path);
  else explain();
}

function pin(path) {
  pinned = path;
  explain();
}

let explaining = false, again = false;

/** Ask why, one question at a time, and not too often: the answer is that of the moment shown. */
async function explain() {
  again = explaining;
  if (explaining || !search.state) return;
  explaining = true;
  try {
    const path = pinned, answer = await search.why(path);
    const name = path.length === 1 ? `Move ${LETTERS[path[0]]}` : path.length ? "A node deeper down" : "The root chooses";
    why.show(answer, name);
    for (const row of why.querySelectorAll("tbody tr")) {
      set(row, { "aria-current": !path.length && row.firstChild.firstChild.textContent === pointed ? "true" : null });
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    pinned = [];
    why.clear("Point at a move, or choose one, to see its statistics and every term of the rule.");
  }
  if (search.state.running) await new Promise((resolve) => setTimeout(resolve, 200));
  explaining = false;
  if (again) explain();
}

// ------------------------------------------------------------------ showing

search.addEventListener("change", () => {
  paint();
  explain();
  followPreset();
});

/** The moment has come at which the preset switches something. */
async function followPreset() {
  const { state } = search;
  if (!waiting || state.moment < waiting.at || state.running) return;
  const { at, parts } = waiting;
  waiting = null;
  if (state.moment > at || state.furthest > state.moment) return;
  await change(parts);
  await attempt(search.run(rate()));
}

function paint() {
  const { state, trail, history } = search;
  if (!state || !history) return;
  tree.show(state, search.nodes);
  ridge.show(state.truth, state.moves);
  const truth = Math.max(...state.truth.values);
  chart.show({
    lines: [{ name: "root value", colour: "clay", points: trail.map((point) => [point.moment, point.root_value]) }],
    level: { value: truth, name: `the truth: ${signed(truth)}`, colour: "sage-deep" },
    marks: [...history.changes, ...state.ahead].map((one) => ({ x: one.at })),
    now: state.moment, furthest: state.furthest, least: 50,
  });
  const now = sentenceOf(state);
  say(sentence, now.text);
  set(sentence, { "data-mood": now.mood });
  say(playButton, state.running ? "Pause" : "Play");
  set(moment, { max: Math.max(1, state.furthest), "aria-valuetext": plural(state.moment, "simulation") });
  moment.value = String(state.moment);
  say(momentText, plural(state.moment, "simulation"));
  choosers.backup.show(partOf(state.engine, "backup"));
  choosers.select.show(partOf(state.engine, "select"));
  choosers.game.show(history.game);
  const others = ways.map((one) => ({ moment: null, history: one, mood: "way",
    text: `Left behind: ${inWords(one)}${one.changes.length ? " and changes" : ""}; ${plural(one.at, "simulation")}` }));
  log.show([...entriesOf(history, state, trail), ...others], state.moment);
  for (const button of presetButtons) {
    set(button, { "aria-pressed": String(button.dataset.preset === preset.key) });
  }
  say(presetText, preset.says);
  keepInAddress(history);
}

/** What the search would play, and whether that is right. */
function sentenceOf(state) {
  if (!state.moment) return { text: "No recommendation yet. Press play.", mood: "none" };
  const { values } = state.truth, truly = values.indexOf(Math.max(...values)), at = LETTERS.indexOf(state.best);
  if (values[at] === values[truly]) return { text: `Recommends ${state.best}, the best move.`, mood: "right" };
  const best = LETTERS[truly], cut = state.cut.includes(best) && state.moves.find((one) => one.name === best);
  const why = cut ? `${best}, worth ${signed(values[truly])}, was cut after ${plural(cut.visits, "playout")} averaging ${signed(cut.value)}.` : `${best} is worth ${signed(values[truly])}.`;
  return { text: `Recommends a worse move: ${state.best}, worth ${signed(values[at])}. ${why}`, mood: "wrong" };
}

// ------------------------------------------------------------------ keys, and the beginning

onKey(" ", "Play or pause", toggle);
onKey("ArrowRight", "One simulation; with Shift, ten", (event) => step(event.shiftKey ? 10 : 1));
onKey("ArrowLeft", "One simulation back; with Shift, ten", (event) => goTo(search.state.moment - (event.shiftKey ? 10 : 1), true));
onKey("Home", "To the beginning", () => goTo(0));
onKey("End", "To the last moment there was", () => goTo(search.state.furthest));
onKey("r", "Begin this search anew", reset);
PRESETS.forEach((one, i) => onKey(String(i + 1), `Load “${one.name}”`, () => load(one)));
BACKUPS.forEach((one, i) => onKey("qwer"[i] === "r" ? "t" : "qwer"[i], `Backup: ${one.name}`, () => change({ backup: one.text })));

changeSpeed();
/** Open what the address says; where that is refused it is said, and what was shown before, or a preset, is shown. */
async function start(hash = location.hash) {
  const given = historyFromAddress(hash);
  let wrong = "";
  clearNotice("address");
  if (!given) return attempt(search.open(preset.history));
  if (/^gem\b/.test(given.game)) {
    preset = PRESETS.find((one) => one.history.seed === given.seed && inWords(one.history) === inWords(given)) ?? preset;
    await attempt(search.open(given).catch((error) => {
      if (!(error instanceof Refused) || error instanceof Lost) throw error;
      wrong = error.message;
    }));
    if (!wrong) return;
    notice("address", wrong);
  } else {
    notice("address", "This page searches the game gem alone; the page Search searches any game.", "Open it there", () => location.assign(`/search${addressOf(given)}`));
  }
  if (search.state) paint();
  else await attempt(search.open(preset.history));
}

onAddress(start);
start();
addEventListener("pagehide", () => leave());
