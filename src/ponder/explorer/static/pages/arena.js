// Arena: engines against each other, with scores and how sure they are.
import { Connection, Lost, Refused } from "../lib/connection.js";
import { h, s, say, set } from "../lib/dom.js";
import { count, plural, sentence } from "../lib/format.js";
import { onKey } from "../lib/keys.js";
import { tellOfLosses } from "../lib/lost.js";
import { notice } from "../lib/notices.js";
import { Match } from "./arena-match.js";
import { Viewer } from "./arena-viewer.js";
import { LEVELS, gameName, seatName, sideOf } from "./play-choices.js";
import { chosenEngine, engineField, field, gameField } from "./play-fields.js";

const LETTERS = "ABCDEFGH";
const MOST_ROWS = 500;
const LIMITS = { simulations: [100, 1], seconds: [0.1, 0.01], depth: [4, 1], nodes: [10000, 1] };
const FIRST = { game: "connect4", engines: [LEVELS[2].text, LEVELS[1].text], games: 20, seed: 1, limit: ["simulations", 100], openings: null };

const connection = new Connection("arena");
const match = new Match(connection);
const viewer = new Viewer(connection);

// ------------------------------------------------------------------ what stands on the page

const button = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
const form = h("form", { class: "play-form", onsubmit: begin });
const wrong = h("p", { class: "wrong", role: "alert" });
const startButton = h("button", { type: "submit", class: "primary", "data-do": "start" }, "Start the match");
const stopButton = button("Stop", () => attempt(match.stop()), { "data-do": "stop" });
const goButton = button("Continue", () => attempt(match.go(Math.max(wish().games, match.state?.pairs[0].wanted ?? 1))), { "data-do": "go" });
const saveLink = h("a", { class: "button", "data-do": "save", download: "match.jsonl" }, "Save as a file");
const file = h("input", { type: "file", id: "match-file", accept: ".jsonl,.json,.txt", class: "unseen", onchange: () => openFile(file.files[0]) });
const fileLabel = h("label", { class: "button file", for: "match-file" }, "Open a match file");
const status = h("p", { class: "sentence", role: "status" });
const bar = h("progress", { max: 1, value: 0, "aria-label": "Games played" });
const standings = h("table", { class: "standings" });
const cross = h("table", { class: "cross" });
const notes = h("p", { class: "small soft" });
const rows = h("tbody");
const gamesTitle = h("h2", {}, "Games");
const games = h("table", { class: "games" }, h("thead", {}, h("tr", {}, ["Game", "Seats", "Result", "Moves"].map((name) => h("th", { scope: "col", class: name === "Moves" ? "number" : null }, name)))), rows);
const results = h("section", { class: "card results", hidden: true, "aria-label": "Results" }, h("h2", {}, "Standings"), h("div", { class: "wide" }, standings), h("div", { class: "wide" }, cross), notes);
const gamesCard = h("section", { class: "card games-card", hidden: true, "aria-label": "Games" }, gamesTitle, h("div", { class: "games-list", tabindex: 0, role: "region", "aria-label": "List of games" }, games));
/** @type {ReturnType<typeof gameField>} */
let wantedGame;
let engines, gamesField, seedField, limitKind, limitAmount, openingsField;

document.getElementById("main").append(
  h("div", { class: "arena" },
    h("header", { class: "arena-head" }, h("h1", {}, "Arena"),
      h("p", { class: "lead" }, "Engines play each other; every opening from every seat. Scores come with 95\u00a0% intervals.")),
    h("section", { class: "card setup", "aria-label": "The match" }, form),
    h("div", { class: "stage" },
      h("section", { class: "card progress" }, status, bar, h("div", { class: "form-end tools" }, stopButton, goButton, saveLink)),
      results, viewer.section, gamesCard)));

/** Fill the form. */
function showForm(now) {
  wantedGame = gameField(now.game);
  engines = h("fieldset", { class: "seats" });
  gamesField = h("input", { type: "number", min: 1, max: 100000, step: 1, value: now.games, required: true });
  seedField = h("input", { type: "number", min: 0, max: 4294967295, step: 1, value: now.seed, required: true });
  openingsField = h("input", { type: "number", min: 0, max: 40, step: 1, value: now.openings ?? "", placeholder: "as few as needed" });
  limitKind = h("select", { "aria-label": "Kind of limit", onchange: () => { limitAmount.value = LIMITS[limitKind.value][0]; limitAmount.step = LIMITS[limitKind.value][1]; limitAmount.min = LIMITS[limitKind.value][1]; } },
    Object.keys(LIMITS).map((kind) => h("option", { value: kind, selected: kind === now.limit[0] }, kind)));
  limitAmount = h("input", { type: "number", "aria-label": "Limit of a move", min: LIMITS[now.limit[0]][1], step: LIMITS[now.limit[0]][1], value: now.limit[1], required: true });
  form.replaceChildren(...wantedGame.fields, engines, field("Games of each pair", gamesField),
    h("div", { class: "field" }, h("span", {}, "Limit of a move"), h("div", { class: "pair" }, limitAmount, limitKind), h("span", { class: "small soft" }, "for engines that name none of their own")),
    h("details", { open: now.openings != null }, h("summary", {}, "More"), field("Random plies of openings", openingsField), field("Seed", seedField)),
    wrong, h("div", { class: "form-end" }, file, fileLabel, startButton));
  offerEngines(now.engines);
}

function offerEngines(list) {
  const many = list.length > 2;
  engines.replaceChildren(h("legend", {}, "Engines"), ...list.map((text, i) => h("div", { class: "engine-row" }, engineField(`Engine ${LETTERS[i]}`, text, false),
    many ? button("✕", () => offerEngines(chosen().filter((_, j) => j !== i)), { class: "quiet", "aria-label": `Without engine ${LETTERS[i]}` }) : null)),
  list.length < LETTERS.length ? button("Add an engine", () => offerEngines([...chosen(), LEVELS[0].text]), { "data-do": "add" }) : "");
}

const chosen = () => [...engines.querySelectorAll(".engine-field")].map(chosenEngine);

/** @returns {import("./arena-match.js").Wish} what the form says */
function wish() {
  return { game: wantedGame.value, engines: chosen(), games: Math.floor(Number(gamesField.value)), seed: Math.floor(Number(seedField.value)),
    limit: [limitKind.value, Number(limitAmount.value)], openings: openingsField.value === "" ? null : Number(openingsField.value) };
}

// ------------------------------------------------------------------ the address

function addressOf(now) {
  const made = new URLSearchParams({ game: now.game });
  for (const text of now.engines) made.append("engine", text);
  made.set("games", String(now.games));
  made.set("limit", now.limit.join(":"));
  made.set("seed", String(now.seed));
  if (now.openings != null) made.set("openings", String(now.openings));
  return "#" + made.toString().replace(/%28/g, "(").replace(/%29/g, ")").replace(/%3A/g, ":").replace(/%3D/g, "=");
}

function fromAddress() {
  const given = new URLSearchParams(location.hash.replace(/^#/, ""));
  if (!given.has("game")) return null;
  const [kind, amount] = (given.get("limit") ?? "").split(":"), whole = (name, usual) => (/^\d+$/.test(given.get(name) ?? "") ? Number(given.get(name)) : usual);
  return { game: given.get("game"), engines: [...given.getAll("engine"), ...FIRST.engines].slice(0, Math.max(2, Math.min(8, given.getAll("engine").length))),
    games: whole("games", 20), seed: whole("seed", 1), limit: kind in LIMITS && Number(amount) > 0 ? [kind, Number(amount)] : FIRST.limit, openings: whole("openings", null) };
}

// ------------------------------------------------------------------ doing

async function attempt(promise) {
  try {
    await promise;
    say(wrong, "");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(wrong, error instanceof Lost ? "" : sentence(error.message));
  }
}

async function begin(event) {
  event.preventDefault();
  const now = wish();
  startButton.disabled = true;
  say(status, "Getting ready …");
  await attempt(match.begin(now));
  startButton.disabled = false;
  if (!wrong.textContent) window.history.replaceState(null, "", addressOf(now));
  paint();
}

async function openFile(chosenFile) {
  if (!chosenFile) return;
  if (chosenFile.size > 1 << 25) {
    say(wrong, `${chosenFile.name} is larger than 32 megabytes.`);
    return;
  }
  await attempt(match.open(chosenFile.name, await chosenFile.text()));
  file.value = "";
  if (wrong.textContent) return;
  const { state } = match, [kind, amount] = Object.entries(state.limit).find(([name]) => name in LIMITS) ?? FIRST.limit;
  showForm({ game: state.game, engines: state.engines, games: state.pairs[0].played, seed: state.seed, limit: [kind, amount], openings: null });
  window.history.replaceState(null, "", addressOf(wish()));
}

async function openGame(one) {
  const { state } = match, pair = state.pairs[one.pair], names = one.seats.map((who) => nameOf(pair.between[who]));
  const sides = one.seats.map((_, seat) => `${sideOf(state.game, seat).name}: ${names[seat]}`);
  await attempt(viewer.show({ game: state.game, moves: [...one.opening, ...one.moves], title: `Game ${one.number}`, seed: state.seed,
    seats: one.seats.map((who) => state.engines[pair.between[who]]),
    about: `${sides.join(", ")}. ${resultText(one, nameOf)}. ${one.opening.length ? `Its opening has ${plural(one.opening.length, "move")}. ` : ""}${one.ended === "rules" ? "" : one.reason}` }));
  for (const row of rows.children) set(row, { "aria-selected": Number(row.dataset.number) === one.number ? "true" : null });
}

// ------------------------------------------------------------------ showing

const nameOf = (engine) => `${LETTERS[engine]} ${seatName(match.state.engines[engine])}`;
/** The same, where there may be room for the letter alone. */
const named = (engine) => [LETTERS[engine], h("span", { class: "engine-name" }, ` ${seatName(match.state.engines[engine])}`)];

match.addEventListener("change", paint);
match.addEventListener("cleared", () => {
  rows.replaceChildren();
  viewer.close();
});
match.addEventListener("games", () => {
  const known = rows.firstElementChild ? Number(rows.firstElementChild.getAttribute("data-number")) : 0;
  rows.prepend(...match.games.slice(known).reverse().slice(0, MOST_ROWS).map(gameRow));
  while (rows.children.length > MOST_ROWS) rows.lastElementChild.remove();
  match.keep(location.hash);
});

function paint() {
  const { state } = match;
  const running = Boolean(state?.running), done = match.played, all = match.wanted;
  stopButton.hidden = !running;
  goButton.hidden = running || !state;
  set(saveLink, { hidden: done ? null : "" });
  bar.hidden = !state;
  if (!state) {
    say(status, "Choose engines and start.");
    return;
  }
  bar.max = Math.max(1, all);
  bar.value = done;
  const short = done < all;
  say(goButton, short ? "Continue" : "Play more games");
  goButton.title = short ? "" : "Set a larger number of games first";
  goButton.disabled = !short && wish().games <= state.pairs[0].wanted;
  say(status, sentence(match.error) || (running ? (state.stage === "playing" ? `Playing ${gameName(state.game)}: ${count(done)} of ${plural(all, "game")}.` : "Getting the engines ready. The first time they are compiled, which takes a moment …")
    : short ? `Stopped after ${count(done)} of ${plural(all, "game")}.` : `${plural(done, "game")} played.`));
  set(status, { "data-mood": match.error ? "wrong" : null });
  results.hidden = gamesCard.hidden = false;
  say(gamesTitle, done > MOST_ROWS ? `Games (the last ${MOST_ROWS} of ${count(done)})` : "Games");
  paintStandings(state);
  if (!running && done) saveLink.href = `data:application/jsonl;charset=utf-8,${encodeURIComponent(match.text())}`;
  if (running) saveLink.removeAttribute("href");
  say(notes, [...new Set(state.pairs.flatMap((pair) => pair.notes))].map(sentence).join(" "));
  match.keep(location.hash);
}

form.addEventListener("input", paint); // a larger number of games can be played
form.addEventListener("invalid", (event) => { // the browser says what is wrong, beside the field: it must be seen
  say(wrong, "");
  const around = /** @type {Element} */ (event.target).closest("details");
  if (around) around.open = true;
}, true);

const share = (part) => `${(100 * part).toFixed(1)} %`;
const eloText = (elo) => (elo == null ? "∞" : `${elo < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}`);

function paintStandings(state) {
  const order = state.standings.map((one, engine) => ({ ...one, engine })).sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
  standings.replaceChildren(
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Engine"), h("th", { scope: "col" }, "Score"), h("th", { scope: "col", class: "interval-head" }, "95 % interval"),
      ["Elo", "Games", "+", "=", "−"].map((name) => h("th", { scope: "col", class: "number" }, name)))),
    h("tbody", {}, order.map((one) => h("tr", { "data-engine": LETTERS[one.engine] },
      h("th", { scope: "row", title: state.engines[one.engine] }, h("span", { class: "badge" }, LETTERS[one.engine]), h("span", { class: "engine-name" }, seatName(state.engines[one.engine]))),
      h("td", { class: "number score" }, one.score == null ? "–" : share(one.score)),
      h("td", { class: "interval" }, one.games ? [interval(one), h("span", { class: "small soft" }, `${share(one.score_low)} to ${share(one.score_high)}`)] : "–"),
      h("td", { class: "number", title: one.games ? `${eloText(one.elo_low)} to ${eloText(one.elo_high)}` : null }, one.elo == null ? "–" : eloText(one.elo)),
      [one.games, one.wins, one.draws, one.losses].map((number) => h("td", { class: "number" }, count(number)))))));
  cross.hidden = state.engines.length < 3;
  if (cross.hidden) return;
  const scoreOf = (a, b) => {
    const pair = state.pairs.find((one) => one.between.includes(a) && one.between.includes(b));
    if (!pair?.games) return "·";
    return share(pair.between[0] === a ? pair.score : 1 - pair.score);
  };
  cross.replaceChildren(h("caption", { class: "small soft" }, "Score of the row against the column"),
    h("thead", {}, h("tr", {}, h("td"), order.map((one) => h("th", { scope: "col", class: "number" }, LETTERS[one.engine])))),
    h("tbody", {}, order.map((a) => h("tr", {}, h("th", { scope: "row" }, named(a.engine)),
      order.map((b) => h("td", { class: "number" }, a === b ? "" : scoreOf(a.engine, b.engine)))))));
}

/** From 0 to 100 %: the interval as a line, the score as a dot. */
function interval({ score, score_low: low, score_high: high }) {
  return s("svg", { class: "interval-bar", viewBox: "0 0 212 14", "aria-hidden": "true" },
    s("line", { x1: 6, x2: 206, y1: 7, y2: 7, class: "whole" }), s("line", { x1: 106, x2: 106, y1: 2, y2: 12, class: "even" }),
    s("line", { x1: 6 + 200 * low, x2: 6 + 200 * high, y1: 7, y2: 7, class: "known" }), s("circle", { cx: 6 + 200 * score, cy: 7, r: 5 }));
}

/** @param {any} one @param {(engine: number) => string} called */
function resultText(one, called) {
  const pair = match.state.pairs[one.pair], name = (who) => called(pair.between[who]);
  if (one.forfeited_by != null) return `${name(one.forfeited_by)} forfeits`;
  if (one.seats.length === 1) return one.returns ? `${name(one.seats[0])} gets ${one.returns[0]}` : "not finished";
  if (!one.returns) return "Draw by length";
  const best = Math.max(...one.returns), winners = one.returns.flatMap((value, seat) => (value === best ? [seat] : []));
  if (winners.length === one.returns.length) return "Draw";
  return `${[...new Set(winners.map((seat) => name(one.seats[seat])))].join(" and ")} ${winners.length > 1 ? "share the win" : "wins"}`;
}

function gameRow(one) {
  const pair = match.state.pairs[one.pair], all = one.opening.length + one.moves.length;
  return h("tr", { "data-number": one.number, onclick: () => openGame(one) },
    h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": `Open game ${one.number}` }, String(one.number))),
    h("td", {}, one.seats.flatMap((who, seat) => [seat ? " – " : "", ...named(pair.between[who])])), h("td", {}, resultText(one, (engine) => LETTERS[engine])), h("td", { class: "number" }, count(all)));
}

// ------------------------------------------------------------------ keys, and the beginning

onKey("ArrowLeft", "One move back in the game shown", () => viewer.goTo(viewer.at - 1));
onKey("ArrowRight", "One move on", () => viewer.goTo(viewer.at + 1));
onKey("Home", "To the beginning of the game shown", () => viewer.goTo(0));
onKey("End", "To its last move", () => viewer.goTo(Infinity));
onKey("Escape", "Close the game shown", () => viewer.close());

tellOfLosses(connection, () => attempt(match.restore()), () => Boolean(match.state));
window.addEventListener("hashchange", () => location.reload());
showForm(fromAddress() ?? FIRST);
paint();
match.recall(location.hash).catch((error) => {
  if (!(error instanceof Refused)) throw error;
  if (!(error instanceof Lost)) notice("refused", error.message);
});
