// The lecture: searches of small trees, step by step, and bandits. What it teaches is in lecture-topics.js, what the
// address holds in lecture-state.js, the drawing in elements/lesson-tree.js, the bandits in lecture-bandits.js. All
// numbers come from the sessions themselves.
import "../elements/lesson-tree.js";
import "../elements/log.js";
import "../elements/source-map.js";
import { onAddress } from "../lib/address.js";
import { Connection, Lost, Refused } from "../lib/connection.js";
import { h, say, set } from "../lib/dom.js";
import { onKey } from "../lib/keys.js";
import { tellOfLosses } from "../lib/lost.js";
import { bandits, MOST_PULLS } from "./lecture-bandits.js";
import { beginningOf, fromAddress, keep } from "./lecture-state.js";
import { TOPICS, topicOf } from "./lecture-topics.js";

const PACES = [2000, 1200, 700, 400, 200, 100, 50]; // milliseconds between two steps
const MOST_UNDONE = 50;

const connection = new Connection("lecture");
/** What is shown. */
let state = fromAddress();
/** The answers that it is made of. @type {{main?: any, beside?: any, pulled?: any}|null} */
let shown = null;
let undone = [];
let timer = 0;
let seed = 1;
let noted = ""; // the topic whose notes stand on the page

// ------------------------------------------------------------------ what stands on the page

const sentence = h("p", { class: "sentence", role: "status", "aria-live": "polite" }, "Starting …");
const topicButtons = TOPICS.map((one) => h("button", { type: "button", class: "preset", "data-topic": one.key, onclick: () => begin(one.key) }, one.name));
const says = h("p", { class: "preset-text" });
const main = figure(true), beside = figure(false);
const playButton = h("button", { type: "button", class: "primary play", onclick: toggle }, "Play");
const pace = h("input", { type: "range", min: 0, max: PACES.length - 1, value: 2, id: "pace", oninput: showPace });
const paceText = h("output", { for: "pace", class: "small soft" });
const moment = h("input", { type: "range", min: 0, max: 1, value: 0, id: "moment", "aria-label": "Step of the search", oninput: () => { stop(); goTo(Number(moment.value)); } });
const momentText = h("p", { class: "moment" }, "step 0");
const field = h("textarea", { id: "tree", rows: 2, spellcheck: "false", autocapitalize: "off", "aria-describedby": "tree-wrong", oninput: typed });
const wrong = h("p", { id: "tree-wrong", class: "wrong", role: "alert" });
const treeButtons = h("div", { class: "row", role: "group", "aria-label": "Trees of the lecture" });
const undoButton = h("button", { type: "button", onclick: undo }, "Undo");
const chairs = ["MAX", "MIN"].map((name, i) => h("input", { type: "radio", name: "chair", value: i, onchange: () => go({ chair: i }) }));
const chairField = h("div", { class: "tool", role: "radiogroup", "aria-label": "Seen from" }, h("h3", {}, "Seen from"),
  h("div", { class: "options" }, chairs.map((input, i) => h("label", {}, input, h("span", {}, ["MAX's chair", "MIN's chair"][i])))));
const orderField = h("div", { class: "row", role: "group", "aria-label": "Order of the moves" },
  h("button", { type: "button", "data-order": "best", onclick: () => reorder("best") }, "Best first"),
  h("button", { type: "button", "data-order": "worst", onclick: () => reorder("worst") }, "Worst first"),
  h("button", { type: "button", "data-order": "shuffled", onclick: () => reorder("shuffled") }, "Shuffle"));
const numbers = {
  beam: number("beam", "Moves in the beam", 1, 9, (value) => go({ beam: value })),
  depth: number("depth", "Depth", 1, 9, (value) => go({ depth: value, step: state.step >= end() ? null : state.step })),
  players: number("players", "Players", 1, 6, (value) => go({ players: value, step: 0 })),
};
const notes = h("div", { class: "notes" });
const log = h("ponder-log", { onpick: (event) => { stop(); goTo(event.detail.moment); } });
const legend = h("ul", { class: "legend small soft" });

const gamble = bandits(connection, (changes) => { stop(); return go(changes); });
const endButton = h("button", { type: "button", onclick: () => { stop(); goTo(isBandits() ? state.step + 100 : null); } }, "End");
const figures = h("div", { class: "figures", hidden: true }, main.box, beside.box);

const stage = h("section", { class: "stage card", "aria-label": "The search", "aria-busy": "true" },
  sentence, figures, legend, gamble.box,
  h("div", { class: "dock" }, h("div", { class: "transport" }, playButton,
    h("button", { type: "button", onclick: () => step(1) }, "Step"),
    h("button", { type: "button", onclick: () => step(-1) }, "Back"),
    h("button", { type: "button", onclick: () => { stop(); goTo(0); } }, "Reset"),
    endButton,
    h("label", { class: "speed" }, h("span", { class: "small" }, "Speed"), pace, paceText)),
    h("div", { class: "timeline" }, moment, momentText)));

const editor = h("section", { class: "card editor", "aria-label": "The tree", hidden: true },
  h("h2", {}, "The tree"),
  h("label", { class: "small soft", for: "tree" }, "A nested list: a number is a leaf, a list a choice. Or drag a leaf up and down, or type a number on it."),
  field, wrong,
  h("div", { class: "tools" },
    h("div", { class: "tool" }, h("h3", {}, "From the lecture"), treeButtons),
    h("div", { class: "tool" }, h("h3", {}, "Order of the moves"), orderField),
    chairField, Object.values(numbers).map((one) => one.box), h("div", { class: "tool" }, undoButton)));

const logCard = h("section", { class: "card log-card", hidden: true }, h("h2", {}, "What has happened"), h("p", { class: "small soft" }, "Click a line to go to it."), log);

// what the sources say: asked for when it is opened
const map = h("ponder-source-map", { onask: (event) => askSources(event.detail.question) });
const mapCard = h("details", { class: "card sources-card", ontoggle: () => { if (mapCard.open && !map.body.children.length) askSources(""); } },
  h("summary", {}, h("h2", {}, "What the sources say"), h("span", { class: "small soft" }, "five sources, heading by heading, and the command that shows it")), map);

document.getElementById("main").append(h("div", { class: "lecture" },
  h("section", { class: "intro" }, h("h1", {}, "The lecture, step by step"),
    h("div", { class: "presets", role: "group", "aria-label": "Topics" }, topicButtons), says),
  h("div", { class: "column" }, stage, editor, gamble.card, mapCard),
  h("div", { class: "column" },
    h("section", { class: "card notes-card" }, h("h2", {}, "What is going on here?"), notes),
    logCard)));

/** A whole number that a topic has. */
function number(name, title, min, max, choose) {
  const input = h("input", { type: "number", id: `number-${name}`, min, max, onchange: () => {
    const value = Number(input.value);
    if (Number.isInteger(value) && value >= min && value <= max) choose(value);
    else complain(`${title}: a whole number from ${min} to ${max}, not ${input.value || "nothing"}`);
  } });
  return { box: h("div", { class: "tool" }, h("label", { for: `number-${name}` }, title), input), input };
}

/** A tree with its name and how many leaves were looked at. */
function figure(editable) {
  const tree = h("ponder-lesson-tree", { onedit: (event) => edit(event.detail), onbad: (event) => complain(event.detail.text) });
  const name = h("strong", {}), count = h("span", { class: "leaf-count" }), dots = h("span", { class: "leaf-dots", "aria-hidden": "true" });
  const box = h("figure", { class: "lesson" }, h("figcaption", {}, name, count, dots), tree);
  return {
    box, tree,
    show(title, answer, leaves, windows, before) {
      box.hidden = !answer;
      if (!answer) return;
      say(name, title);
      const [seen, all] = leaves ? answer.leaves : answer.looked;
      say(count, `${seen} of ${all} ${leaves ? "leaves" : "nodes"} looked at`);
      while (dots.children.length > all) dots.lastChild.remove();
      while (dots.children.length < all) dots.append(h("i"));
      [...dots.children].forEach((dot, i) => set(dot, { class: i < seen ? "seen" : "" }));
      tree.show(answer, { editable, label: `${title}: the tree`, before, windows });
    },
  };
}

// ------------------------------------------------------------------ doing

const isBandits = (now = state) => topicOf(now.topic).key === "bandits";

let asking = false, waiting = null;

/** Ask for what a state shows; the state with its step as it is. */
async function fetched(next) {
  if (isBandits(next)) {
    const pulled = await gamble.ask(next);
    return [{ ...next, step: pulled.pulls }, { pulled }];
  }
  const topic = topicOf(next.topic);
  const ask = (engine) => connection.ask("lesson", { tree: next.tree, players: next.players, engine, step: next.step, chair: next.chair, depth: next.depth });
  const [first, second] = await Promise.all([ask(topic.engine(next)), topic.beside ? ask(topic.beside.engine(next)) : null]);
  const end = Math.max(first.beats.length, second?.beats.length ?? 0);
  return [{ ...next, step: next.step == null ? end : Math.min(next.step, end) }, { main: first, beside: second }];
}

/** Show something else; if the server refuses it, what was shown stays. The newest wish wins. */
async function go(changes, before = null) {
  if (asking) {
    waiting = { changes: { ...waiting?.changes, ...changes }, before };
    return;
  }
  asking = true;
  set(stage, { "aria-busy": "true" });
  const next = { ...state, ...changes };
  try {
    [state, shown] = await fetched(next);
    paint(before);
    // many pulls take a while: they are shown as they come
    if (shown.pulled && Math.min(next.step, MOST_PULLS) > state.step && !waiting) waiting = { changes: { step: next.step }, before: null };
  } catch (error) {
    stop();
    refused(error);
  } finally {
    asking = false;
    if (!waiting && !editing) set(stage, { "aria-busy": null });
  }
  if (!waiting) return;
  const then = waiting;
  waiting = null;
  await go(then.changes, then.before);
}

/** What the server did not want is said; that nobody answers any more is said across the page already. */
function refused(error) {
  if (!(error instanceof Refused)) throw error;
  if (!(error instanceof Lost)) complain(error.message);
}

async function askSources(question) {
  try {
    map.show(await connection.ask("sources", { question }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!(error instanceof Lost)) map.complain(error.message[0].toUpperCase() + error.message.slice(1) + ".");
  }
}

/** A sentence where the tree is written. */
function complain(text) {
  const place = isBandits() ? gamble.complain : (told) => say(wrong, told);
  if (text && !shown) say(sentence, `This address cannot be shown: ${text}.`);
  place(text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");
  set(field, { "aria-invalid": text ? "true" : null });
}

const end = () => (isBandits() ? MOST_PULLS : Math.max(shown?.main?.beats.length ?? 0, shown?.beside?.beats.length ?? 0));

function goTo(to) {
  return go({ step: to == null ? null : Math.max(0, Math.min(to, end())) });
}

function step(by) {
  stop();
  return goTo(state.step + by);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  say(playButton, "Play");
}

function toggle() {
  if (timer) return stop();
  if (state.step >= end()) goTo(0);
  const tick = () => (state.step >= end() && !asking ? stop() : asking || goTo(state.step + 1));
  timer = setInterval(tick, PACES[Number(pace.value)]);
  say(playButton, "Pause");
}

function showPace() {
  const text = `${(1000 / PACES[Number(pace.value)]).toFixed(1)} a second`;
  say(paceText, text);
  set(pace, { "aria-valuetext": `${text} steps` });
  if (timer) { stop(); toggle(); }
}

function begin(topic) {
  stop();
  return go(beginningOf(topic));
}

/** The tree becomes another one; where the search stood at its end, it does so again. */
function change(tree, before = null, more = {}) {
  if (tree !== state.tree) undone = [...undone, state.tree].slice(-MOST_UNDONE);
  return go({ tree, step: state.step >= end() ? null : state.step, ...more }, before);
}

function undo() {
  if (isBandits()) return;
  const last = undone.pop();
  if (last != null) go({ tree: last, step: state.step >= end() ? null : state.step });
}

let pause = 0;

/** The list is read as soon as nobody types any more. */
function typed() {
  clearTimeout(pause);
  pause = setTimeout(() => {
    stop();
    change(field.value);
  }, 250);
}

let editing = null, dragging = false;

/** A leaf gets another value; while it is dragged, only the newest counts, and all of it is one change. */
async function edit({ path, player, value, done }) {
  stop();
  if (editing) {
    editing = { path, player, value, done };
    return;
  }
  editing = { path, player, value, done };
  set(stage, { "aria-busy": "true" });
  while (editing) {
    const now = editing;
    try {
      const { opposed } = shown.main;
      const answer = await connection.ask("tree_edit", { tree: state.tree, players: state.players, path: now.path, player: opposed ? state.chair : now.player, value: now.value });
      if (answer.tree !== state.tree && !dragging) undone = [...undone, state.tree].slice(-MOST_UNDONE);
      dragging = !now.done;
      await go({ tree: answer.tree, step: state.step >= end() ? null : state.step });
    } catch (error) {
      refused(error);
    }
    if (editing === now) editing = null;
  }
  set(stage, { "aria-busy": null });
}

/** The same tree with its moves in another order; the step stays, or the end. */
async function reorder(order, more = {}) {
  if (isBandits()) return;
  stop();
  try {
    const { tree, players } = { ...state, ...more };
    const answer = await connection.ask("tree_order", { tree, players, order, seed: seed++ });
    await change(answer.tree, more.tree && more.tree !== state.tree ? null : answer.before, { ...more, tree: answer.tree });
  } catch (error) {
    refused(error);
  }
}

/** What a note speaks of. */
async function follow(note) {
  stop();
  const { order, play, ...wish } = note.set;
  if (isBandits()) await go(wish);
  else if (order) await reorder(order, wish);
  else await change(wish.tree ?? state.tree, null, wish);
  stage.scrollIntoView({ block: "nearest", behavior: "smooth" });
  if (play) toggle();
}

// ------------------------------------------------------------------ showing

function showTopic(topic) {
  for (const button of topicButtons) set(button, { "aria-pressed": String(button.dataset.topic === topic.key) });
  say(says, topic.says);
  if (noted === topic.key) return;
  noted = topic.key;
  notes.replaceChildren(...topic.notes.map((note, i) => h("div", { class: "note" }, h("h3", {}, note.title), h("p", {}, note.text),
    h("button", { type: "button", "data-note": i, onclick: () => follow(note) }, note.action))));
  treeButtons.replaceChildren(...topic.trees.map((one) => h("button", { type: "button",
    onclick: () => change(one.tree, null, { players: one.players ?? 2, depth: one.depth ?? null, step: 0 }) }, one.name)));
}

function paint(before) {
  const topic = topicOf(state.topic), { pulled } = shown;
  for (const [box, is] of [[gamble.box, pulled], [gamble.card, pulled], [figures, !pulled], [legend, !pulled], [editor, !pulled], [logCard, !pulled]]) box.hidden = !is;
  showTopic(topic);
  say(endButton, pulled ? "+100" : "End");
  set(endButton, { "aria-label": pulled ? "100 pulls more" : "To the end" });
  if (pulled) paintPulls(pulled);
  else paintTrees(topic, before);
  keep(state);
}

function paintPulls(pulled) {
  gamble.paint(state, pulled);
  say(sentence, gamble.sentence(pulled));
  set(sentence, { "data-mood": "none" });
  set(moment, { max: Math.max(50, pulled.reached), "aria-valuetext": `${pulled.pulls} pulls` });
  moment.value = String(pulled.pulls);
  say(momentText, `${pulled.pulls} pulls`);
}

function paintTrees(topic, before) {
  const { main: first, beside: second } = shown;
  const told = first.beats.length >= state.step || !second ? first : second;
  const leaves = topic.counts !== "nodes", windows = first.windows || second?.windows;
  main.show(topic.name, first, leaves, windows, before);
  beside.show(topic.beside?.name ?? "", second, leaves, windows, before);
  set(figures, { class: second ? "figures two" : "figures" });
  const beat = state.step ? first.beats[Math.min(state.step, first.beats.length) - 1] : null;
  say(sentence, beat ? beat.text : "Nothing has been looked at yet: press Play, or step.");
  set(sentence, { "data-mood": { cut: "wrong", leave: "right" }[beat?.kind] ?? "none" });
  set(moment, { max: Math.max(1, end()), "aria-valuetext": `step ${state.step} of ${end()}` });
  moment.value = String(state.step);
  say(momentText, `step ${state.step} of ${end()}`);
  if (document.activeElement !== field) field.value = state.tree;
  complain("");
  chairField.hidden = !first.opposed;
  chairs[state.chair].checked = true;
  for (const [name, one] of Object.entries(numbers)) {
    one.box.hidden = !topic.numbers?.includes(name);
    if (document.activeElement !== one.input) one.input.value = String(state[name] ?? first.depth);
  }
  undoButton.disabled = !undone.length;
  legend.replaceChildren(...legendOf(topic, first));
  log.show(told.beats.map((one, i) => ({ moment: i + 1, text: one.text, mood: { cut: "cut", leave: "right" }[one.kind] ?? "none" })), state.step);
}

function legendOf(topic, answer) {
  const forms = new Set(answer.nodes.map((one) => one.form)), here = ["MAX", "MIN"][state.chair], there = ["MIN", "MAX"][state.chair];
  const who = [forms.has("max") && (answer.opposed ? `△ ${here}` : "△ the player"), forms.has("min") && `▽ ${there}`, forms.has("chance") && "○ chance"].filter(Boolean);
  const marks = { best: "best line", here: "looked at now", cut: "cut: never looked at", window: "[α, β] the window", out: "left out", noisy: "noisy move", guess: "≈ at a glance", deciding: "underlined: what the player above compares" };
  return [...who.map((text) => h("li", {}, text)), ...["best", "here", ...topic.legend ?? []].map((kind) => h("li", {}, h("span", { class: `key ${kind}`, "aria-hidden": "true" }), marks[kind]))];
}

// ------------------------------------------------------------------ keys, and the beginning

onKey(" ", "Play or pause", toggle);
onKey("ArrowRight", "One step; with Shift, five", (event) => step(event.shiftKey ? 5 : 1));
onKey("ArrowLeft", "One step back; with Shift, five", (event) => step(event.shiftKey ? -5 : -1));
onKey("Home", "To the beginning", () => { stop(); goTo(0); });
onKey("End", "To the end", () => { stop(); goTo(null); });
onKey("l", "To the leaves (↑ ↓ change one, ← → go to the next, digits type), or to the arms", () =>
  isBandits() ? gamble.card.querySelector("[role=slider]").focus() : main.tree.focusLeaf());
onKey("e", "Edit the list, or add a rule", () => (isBandits() ? document.getElementById("own-rule") : field).focus());
onKey("c", "The other chair", () => shown?.main?.opposed && go({ chair: 1 - state.chair }));
onKey("b", "Best moves first", () => reorder("best"));
onKey("w", "Worst moves first", () => reorder("worst"));
onKey("s", "Shuffle the moves", () => reorder("shuffled"));
onKey("u", "Undo the last change of the tree", undo);
TOPICS.forEach((one, i) => onKey(String(i + 1), one.name, () => begin(one.key)));

showPace();
showTopic(topicOf(state.topic));
field.value = state.tree;
tellOfLosses(connection, () => go({}));
connection.addEventListener("up", () => go({}));
onAddress((hash) => go(fromAddress(hash)));
