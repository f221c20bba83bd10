// The Search page: any game, any engine, watched, steered, rewound, compared.
import "../elements/spec-form.js";
import { addressOf, historyFromAddress, onAddress } from "../lib/address.js";
import { h, say, set } from "../lib/dom.js";
import { onKey } from "../lib/keys.js";
import { notice } from "../lib/notices.js";
import { fileOf, historyOfFile } from "../lib/session-file.js";
import { DEFAULT_ENGINE, argument, parseSpec } from "../lib/spec.js";
import { Pane } from "./search-pane.js";

const FIRST = { game: "connect4()", engine: DEFAULT_ENGINE, seed: 1 };
const PARTS = ["select", "expand", "evaluate", "backup", "decide"];

/** @type {Pane[]} the search, and perhaps another one beside it */
const panes = [new Pane("Search")];
const main = panes[0];

// ------------------------------------------------------------------ what is searched

const game = h("ponder-spec-form"), engine = h("ponder-spec-form"), secondEngine = h("ponder-spec-form");
game.label = "Game";
game.kinds = ["game"];
engine.label = "Engine";
secondEngine.label = "Engine of the other search";
const position = h("input", { type: "text", id: "position", spellcheck: "false", autocomplete: "off", placeholder: "the start, or as text (a FEN)" });
const moves = h("input", { type: "text", id: "moves", spellcheck: "false", autocomplete: "off", placeholder: "moves from there: 4 4 3" });
const seed = h("input", { type: "number", id: "seed", min: 0, step: 1, value: 1 });
const apply = h("button", { type: "submit", class: "primary" }, "Search");
const switchButton = h("button", { type: "button", hidden: true, onclick: switchParts }, "Switch now");
const hint = h("p", { class: "small soft setup-hint", role: "status" });
const upload = h("input", { type: "file", class: "unseen", accept: ".session,.json,text/plain", "aria-label": "A saved session", tabindex: -1, onchange: load });
const undo = h("button", { type: "button", class: "quiet", onclick: () => goTo((history) => ({ ...history, moves: (history.moves ?? []).slice(0, -1) })) }, "Take back a move");
const compareButton = h("button", { type: "button", onclick: () => (panes.length > 1 ? separate() : compare(engine.text)) }, "Compare engines");
const forkButton = h("button", { type: "button", onclick: fork }, "Fork");
const verdict = h("p", { class: "verdict", role: "status", hidden: true });
const stage = h("div", { class: "panes" }, main.element);

const setup = h("form", { class: "card setup", "aria-label": "What is searched", onsubmit: (event) => { event.preventDefault(); begin(); } },
  game,
  h("div", { class: "setup-position" }, h("label", { for: "position", class: "spec-label" }, "Position"), position, h("label", { for: "moves", class: "unseen" }, "Moves"), moves,
    h("div", { class: "setup-row" }, h("label", { for: "seed", class: "small soft" }, "Seed"), seed, undo)),
  engine,
  h("div", { class: "setup-buttons" }, apply, switchButton, forkButton, compareButton,
    h("button", { type: "button", onclick: share }, "Share"), h("button", { type: "button", onclick: save }, "Save"), h("button", { type: "button", onclick: () => upload.click() }, "Load"), upload, hint));

document.getElementById("main").append(h("div", { class: "search-page" },
  h("h1", { class: "unseen" }, "Search"), setup, h("div", { class: "card other-setup", hidden: true }, secondEngine, h("button", { type: "button", onclick: () => openOther(secondEngine.text) }, "Search with it")), verdict, stage));
const otherSetup = /** @type {HTMLElement} */ (document.querySelector(".other-setup"));

/** The history that the fields describe. */
function described() {
  const text = moves.value.trim();
  const names = text ? (text.includes(",") ? text.split(",") : text.split(/\s+/)).map((name) => name.trim()).filter(Boolean) : [];
  return { game: game.text, position: position.value.trim(), moves: names, engine: engine.text, seed: Number(seed.value) || 0 };
}

/** Show a history in the fields. */
function fill(history) {
  game.text = history.game;
  engine.text = history.engine;
  position.value = history.position ?? "";
  const names = history.moves ?? [];
  moves.value = names.join(names.some((name) => name.includes(" ")) ? ", " : " ");
  seed.value = history.seed;
}

function begin() {
  return openAll({ ...described(), changes: [], at: 0 }, main.search.state?.running ?? false);
}

/** Open a history here, and its position in the other search. */
async function openAll(history, run = false) {
  fill(history);
  undo.disabled = !history.moves?.length;
  const opened = await main.open(history, run);
  if (opened && main.search.history) fill({ ...main.search.history, engine: main.search.state?.engine ?? main.search.history.engine });
  if (panes.length > 1) {
    const other = panes[1].search.history;
    if (other && !sameplace(other, history)) await openOther(panes[1].search.state?.engine ?? other.engine, run);
  }
  offer();
  return opened;
}

const sameplace = (a, b) => a.game === b.game && (a.position ?? "") === (b.position ?? "") && (a.moves ?? []).join("|") === (b.moves ?? []).join("|");

/** Another position of the same game: the searches begin anew there. */
function goTo(change) {
  const running = main.search.state?.running ?? false, history = change(main.search.history ?? described());
  return openAll({ ...history, engine: main.search.state?.engine ?? history.engine, changes: [], at: 0 }, running);
}

// ------------------------------------------------------------------ switching parts

/** The parts in which the engine's text differs from the engine that searches, if it differs in nothing else. */
function difference() {
  const now = main.search.state?.engine;
  if (!now || !main.can("change")) return null;
  try {
    const before = parseSpec(now), after = parseSpec(engine.text);
    if (before.name !== "mcts" || after.name !== "mcts") return null;
    const names = new Set([...before.args, ...after.args].map((arg) => arg.name)), parts = {};
    for (const name of names) {
      const text = (spec) => JSON.stringify(argument(spec, name) ?? null);
      if (text(before) === text(after)) continue;
      if (!PARTS.includes(name)) return null;
      parts[name] = argument(after, name) === undefined ? standard(name) : engine.text.length ? textOf(argument(after, name)) : "";
    }
    return Object.keys(parts).length ? parts : null;
  } catch {
    return null;
  }
}

const textOf = (value) => (typeof value === "string" ? value : `${value.name}(${value.args.map((arg) => `${arg.name ? `${arg.name}=` : ""}${textOf(arg.value)}`).join(", ")})`);
const standard = (name) => engine.known?.engine.find((one) => one.name === "mcts")?.parameters[name] ?? "";

async function switchParts() {
  const parts = difference();
  if (!parts) return;
  await main.attempt(main.search.change(parts));
  offer();
}

/** Say what a changed text would do. */
function offer() {
  const parts = difference();
  switchButton.hidden = !parts;
  forkButton.disabled = !main.can("rewind");
  say(hint, parts ? `Switch ${Object.keys(parts).join(" and ")} at this moment, or search anew.` : "");
}

// ------------------------------------------------------------------ two searches

async function openOther(text, run = false) {
  const history = main.search.history ?? described();
  secondEngine.text = text;
  return panes[1].open({ ...history, engine: text, changes: [], at: 0 }, run);
}

function addPane() {
  const other = new Pane("Other search");
  panes.push(other);
  stage.append(other.element);
  set(stage, { class: "panes two" });
  otherSetup.hidden = false;
  say(compareButton, "One search");
  other.addEventListener("change", weigh);
  listen(other);
  return other;
}

async function compare(text) {
  addPane();
  await openOther(text);
}

async function fork() {
  const history = main.search.history;
  if (!history || !main.can("rewind")) return;
  const other = panes[1] ?? addPane();
  secondEngine.text = main.search.state.engine;
  await other.open(history);
}

function separate() {
  const [other] = panes.splice(1);
  other.connection.socket.onclose = null;
  other.connection.socket.close();
  other.element.remove();
  set(stage, { class: "panes" });
  otherSetup.hidden = true;
  verdict.hidden = true;
  main.other = null;
  say(compareButton, "Compare engines");
  main.paint();
  remember();
}

/** Do the two searches agree? */
function weigh() {
  if (panes.length < 2) return;
  const [left, right] = panes.map((pane) => pane.search.state);
  main.other = right?.moves;
  panes[1].other = left?.moves;
  const known = left?.moment && right?.moment;
  verdict.hidden = !known;
  if (!known) return;
  const agree = left.best === right.best;
  set(verdict, { "data-mood": agree ? "right" : "wrong" });
  say(verdict, agree ? `Both would play ${left.best}.` : `They differ: the left search would play ${left.best}, the right one ${right.best}.`);
}

// ------------------------------------------------------------------ saving and sharing

let rememberLater = 0;
/** Write the state into the address, a few times a second at most. */
function remember() {
  if (rememberLater) return;
  rememberLater = setTimeout(() => {
    rememberLater = 0;
    const { history } = main.search;
    if (history) window.history.replaceState(null, "", addressNow());
  }, 250);
}

function addressNow() {
  const other = panes[1]?.search.history;
  const more = other ? { other: JSON.stringify({ engine: other.engine, seed: other.seed, changes: other.changes, at: other.at }) } : {};
  return addressOf(main.search.history, more);
}

/** Is there a search to share or to save? If not, that is said. */
function hasSearch() {
  if (!main.search.history) say(hint, "There is no search here yet.");
  return Boolean(main.search.history);
}

async function share() {
  if (!hasSearch()) return;
  window.history.replaceState(null, "", addressNow());
  try {
    await navigator.clipboard.writeText(location.href);
    say(hint, "The address is in the clipboard: it holds the whole search.");
  } catch {
    say(hint, "Copy the address of this page: it holds the whole search.");
  }
}

function save() {
  if (!hasSearch()) return;
  const link = h("a", { href: URL.createObjectURL(new Blob([fileOf(main.search.history)], { type: "application/json" })), download: "search.session" });
  link.click();
  URL.revokeObjectURL(link.href);
  say(hint, "Saved as search.session: Session.load reads it, too.");
}

async function load() {
  const [file] = upload.files;
  upload.value = "";
  if (!file) return;
  try {
    if (file.size > 1 << 20) throw new Error(`${file.name} is too large for a saved session`);
    await openAll(historyOfFile(await file.text(), file.name));
  } catch (error) {
    main.complain(error.message);
  }
}

// ------------------------------------------------------------------ keys, and the beginning

function listen(pane) {
  pane.addEventListener("play", (event) => goTo((history) => ({ ...history, moves: [...(history.moves ?? []), event.detail] })));
  pane.addEventListener("jump", (event) => goTo((history) => ({ ...history, moves: [...(history.moves ?? []), ...event.detail] })));
  pane.addEventListener("change", () => { remember(); weigh(); });
}

listen(main);
let engineShown = "";
main.addEventListener("change", () => {
  const text = main.search.state?.engine;
  if (text && text !== engineShown) { // switched, or rewound to before a switch
    engineShown = text;
    if (document.activeElement !== engine.input) engine.text = text;
    offer();
  }
});
engine.addEventListener("change", offer);

const both = (run) => panes.forEach(run);
onKey(" ", "Play or pause", () => both((pane) => pane.toggle()));
onKey("ArrowRight", "One step", () => both((pane) => pane.step(1)));
onKey("ArrowLeft", "One step back", () => both((pane) => pane.step(-1)));
onKey("Home", "Back to the beginning", () => both((pane) => pane.rewind(0)));
onKey("End", "To the furthest moment", () => both((pane) => pane.rewind(pane.search.state?.furthest ?? 0)));
onKey("e", "Explain one simulation", () => main.explain());
onKey("m", "Show something else on the board", () => both((pane) => { pane.mark.selectedIndex = (pane.mark.selectedIndex + 1) % pane.mark.length; pane.paintBoard(); }));
onKey("u", "Take back a move", () => undo.disabled || undo.click());
onKey("c", "Compare engines, or no longer", () => compareButton.click());
onKey("k", "Fork", () => forkButton.click());
onKey("s", "Share", share);
onKey("t", "To the tree (arrows select, Enter opens and closes, + − 0 f zoom)", () => main.tree.canvas.focus());
onKey("b", "To the board (arrows, Enter)", () => /** @type {any} */ (main.board.querySelector(".board-spot[tabindex='0'], .board-buttons button"))?.focus());
onKey("g", "To the engine's text", () => engine.input.focus());

async function start(hash = location.hash) {
  const given = historyFromAddress(hash), other = new URLSearchParams(hash.replace(/^#/, "")).get("other");
  const opened = await openAll(given ?? FIRST, false);
  if (opened && !given) main.run();
  if (other) {
    try {
      const wanted = JSON.parse(other);
      const pane = panes[1] ?? addPane();
      secondEngine.text = wanted.engine;
      await pane.open({ ...main.search.history, ...wanted });
    } catch (error) {
      main.complain(`The address names another search that cannot be read: ${error.message}`);
    }
  }
}

onAddress(start);
start();
main.connection.ask("catalogue").then((answer) => {
  game.more = answer.files.flatMap((file) => file.games.map((one) => ({ ...one, kind: "game" })));
  for (const form of [game, engine, secondEngine]) form.catalogue = answer.kinds;
  const broken = answer.files.filter((file) => file.error);
  if (broken.length) notice("files", broken.map((file) => file.error).join("; "));
});
