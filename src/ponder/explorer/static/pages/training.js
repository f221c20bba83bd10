// Training: how networks learn a game by playing against themselves.
import "../elements/plot.js";
import { Connection, Lost, Refused } from "../lib/connection.js";
import { h, say, set } from "../lib/dom.js";
import { count, percent, plural, sentence } from "../lib/format.js";
import { addressOfGame } from "../lib/game-address.js";
import { onKey } from "../lib/keys.js";
import { tellOfLosses } from "../lib/lost.js";
import { gameName, sideOf } from "./play-choices.js";

const EVERY = 2000;

const connection = new Connection("training");

// ------------------------------------------------------------------ what stands on the page

const list = h("ol", { class: "runs" });
const listCard = h("nav", { class: "card list", "aria-label": "Training runs", hidden: true }, list);
const title = h("h2", { tabindex: -1 });
const status = h("p", { class: "sentence", role: "status" }, "Getting ready …");
const line = h("p", { class: "soft line" });
const bar = h("progress", { "aria-label": "Time spent", hidden: true, max: 1 });
const wrong = h("p", { class: "wrong", role: "alert" });
const tiles = h("dl", { class: "tiles" });
const figures = h("div", { class: "panels" });
const ladder = h("tbody");
const ladderCard = h("section", { class: "card", "aria-label": "Ladder" }, h("h3", {}, "Against fixed opponents"),
  h("p", { class: "small soft ladder-note" }),
  h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Scores against opponents" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Opponent"), h("th", { scope: "col" }, "Last score"), h("th", { scope: "col", class: "number" }, "Games"))), ladder)));
const games = h("ul", { class: "games" });
const gamesNote = h("p", { class: "small soft", role: "status" });
const gamesCard = h("section", { class: "card", "aria-label": "Sample games" }, h("h3", {}, "Games of the newest round"), gamesNote, games);
const tableHead = h("tr"), tableBody = h("tbody");
const tableCard = h("details", { class: "card rounds" }, h("summary", {}, h("h3", {}, "Rounds"), h("span", { class: "small soft" }, "the table of ponder train --show")),
  h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Rounds" }, h("table", {}, h("thead", {}, tableHead), tableBody)));
const config = h("dl", { class: "config" });
const configCard = h("details", { class: "card" }, h("summary", {}, h("h3", {}, "Settings"), h("span", { class: "small soft", "data-changed": "" })), config);
const stage = h("article", { class: "stage", hidden: true },
  h("header", { class: "card head-card" }, title, status, line, bar, wrong, tiles),
  h("section", { class: "card", "aria-label": "Curves" }, figures), h("div", { class: "two" }, ladderCard, gamesCard), tableCard, configCard);
const empty = h("section", { class: "card empty", hidden: true });
const looking = h("p", { class: "soft looking", role: "status", "aria-busy": "true" }, "Looking for runs …");

document.getElementById("main").append(h("div", { class: "training" },
  h("header", { class: "training-head" }, h("h1", {}, "Training"),
    h("p", { class: "lead" }, "Networks that learn a game by playing against themselves: how far they are, how strong, and what they still get wrong.")),
  looking, empty, listCard, stage));

// ------------------------------------------------------------------ which runs there are

/** @type {string} */
let chosen = new URLSearchParams(location.hash.replace(/^#/, "")).get("run") ?? "";
let known = 0, shownGames = -1;
/** @type {any} */
let shown = null;

async function attempt(promise) {
  try {
    const found = await promise;
    say(wrong, "");
    return found;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    stage.hidden = false;
    if (!(error instanceof Lost)) say(wrong, sentence(error.message)); // that is said across the page
    return null;
  }
}

async function lookForRuns() {
  const found = await attempt(connection.ask("runs"));
  looking.remove();
  if (!found) return;
  const none = !found.runs.length;
  set(empty, { hidden: none ? null : "" });
  set(listCard, { hidden: none ? "" : null });
  if (none) {
    stage.hidden = true;
    const here = found.folder ? h("p", {}, "There is no run in ", h("code", {}, found.folder), " yet. Begin one, for example:") : h("p", {}, "The explorer shows the training runs of one folder: start it in a folder that has a folder ", h("code", {}, "runs"), ", or name one with ", h("code", {}, "ponder explore --runs DIR"), ". To begin a run:");
    empty.replaceChildren(h("h2", {}, "No training run"), here, h("pre", {}, h("code", {}, `ponder train tictactoe --out ${found.folder ?? "runs"}/ttt --minutes 2`)), h("p", { class: "soft" }, "This page shows it as soon as it is there."));
    return;
  }
  if (!found.runs.some((run) => run.name === chosen)) {
    if (chosen) say(wrong, `There is no run ${chosen} here: this is another one.`);
    chosen = found.runs[0].name;
  }
  const texts = JSON.stringify([found.runs.map(({ name, game }) => [name, game]), chosen]);
  if (list.dataset.shown === texts) return;
  list.dataset.shown = texts;
  list.replaceChildren(...found.runs.map((run) => h("li", {}, h("a", { href: `#run=${encodeURIComponent(run.name)}`, "data-name": run.name, "aria-current": run.name === chosen ? "true" : null },
    h("strong", {}, run.name === "." ? "this folder" : run.name), h("span", { class: "small soft" }, run.game ? gameName(run.game) : "damaged")))));
}

async function look() {
  await lookForRuns();
  if (!chosen || empty.hidden === false) return;
  const wanted = chosen, said = await attempt(connection.ask("training_run", { run: wanted, known }));
  if (!said || wanted !== chosen) return;
  stage.hidden = false;
  if (said.same) {
    if (shown && shown.going !== said.going) paint({ ...shown, going: said.going });
    return;
  }
  paint(said);
  known = said.rounds.length;
  if (shownGames !== known) {
    shownGames = known;
    await showGames(wanted);
  }
}

function pick(name) {
  if (name === chosen) return;
  chosen = name;
  known = 0;
  shownGames = -1;
  shown = null;
  games.replaceChildren();
  say(gamesNote, "");
  for (const link of list.querySelectorAll("a")) set(link, { "aria-current": link.dataset.name === name ? "true" : null });
  look().then(() => title.focus({ preventScroll: true }));
}

// ------------------------------------------------------------------ showing

const minutes = (one) => Number((one.seconds / 60).toFixed(3));
const time = (seconds) => (seconds < 90 ? plural(Math.round(seconds), "second") : seconds < 5400 ? plural(Math.round(seconds / 60), "minute") : `${(seconds / 3600).toFixed(1)} hours`);

function paint(said) {
  shown = said;
  const last = said.rounds[said.rounds.length - 1], rated = said.rounds.filter((one) => one.opponent != null), lastRated = rated[rated.length - 1];
  document.title = `${chosen === "." ? gameName(said.game) : chosen} · Training · Ponder`;
  say(title, `${gameName(said.game)}${chosen === "." ? "" : `: ${chosen}`}`);
  set(status, { "data-mood": said.going ? "right" : null });
  say(status, !last ? "No round is finished yet." : said.going ? `Training: ${said.left == null ? `${time(last.seconds)} so far` : `${time(said.left)} left`}.` : said.left ? `Stopped, with ${time(said.left)} left.` : `Finished after ${time(last.seconds)}.`);
  say(line, said.line);
  bar.hidden = !last?.seconds_wanted;
  if (last?.seconds_wanted) set(bar, { value: Math.min(1, last.seconds / last.seconds_wanted) });
  const tile = (name, value) => h("div", {}, h("dt", {}, name), h("dd", { "data-tile": name }, value));
  tiles.replaceChildren(...(last ? [tile("Games", count(last.games)), tile("Positions", count(last.positions)), tile("Rounds", count(said.rounds.length)),
    ...(last.policy_loss == null ? [] : [tile("Policy loss", last.policy_loss.toFixed(3)), tile("Value loss", last.value_loss.toFixed(3))]),
    ...(lastRated?.search_mistakes == null ? [] : [tile("Mistakes", percent(lastRated.search_mistakes))])] : []));
  paintCurves(said.rounds, rated);
  paintLadder(said, rated);
  tableHead.replaceChildren(...said.columns.map((name) => h("th", { scope: "col", class: name === "against" ? null : "number" }, name)));
  tableBody.replaceChildren(...said.table.map((row) => h("tr", {}, row.map((cell, i) => h("td", { class: said.columns[i] === "against" ? null : "number" }, cell)))));
  const other = Object.keys(said.changed);
  say(configCard.querySelector("[data-changed]"), other.length ? `changed: ${other.map((name) => `${name}=${said.changed[name]}`).join(", ")}` : "all as usual");
  config.replaceChildren(...Object.entries(said.config).map(([name, value]) => h("div", { class: name in said.changed ? "changed" : null }, h("dt", {}, name), h("dd", {}, String(value)))));
}

/** A panel of curves over minutes. */
function panel(y, title, lines) {
  return { y, x: "minutes", title, log_x: false, log_y: false, curves: lines.map(([name, points]) => ({ name, published: false, x: points.map((p) => p[0]), y: points.map((p) => p[1]), low: [], high: [] })) };
}

function paintCurves(rounds, rated) {
  const of = (lines, name) => lines.filter((one) => one[name] != null).map((one) => [minutes(one), one[name]]);
  const panels = [panel("Loss", "", [["policy", of(rounds, "policy_loss")], ["value", of(rounds, "value_loss")]])];
  if (rated.length) panels.push(panel("Rating", "rungs climbed, score on the last", [["rating", of(rated, "rating")]]));
  if (rated.some((one) => one.search_mistakes != null)) panels.push(panel("Mistakes", "share of solved positions", [["policy alone", of(rated, "policy_mistakes")], ["with search", of(rated, "search_mistakes")]]));
  while (figures.children.length < panels.length) figures.append(h("ponder-plot"));
  while (figures.children.length > panels.length) figures.lastElementChild.remove();
  panels.forEach((one, i) => /** @type {any} */ (figures.children[i]).show(one));
}

function paintLadder(said, rated) {
  const last = new Map();
  for (const one of rated) last.set(one.rung, one);
  const note = ladderCard.querySelector(".ladder-note");
  say(note, rated.length ? `The next one is tried above ${percent(said.clearly)}. Every opening is played from every seat.` : "Not played yet: a tenth of the time goes there after the first minute.");
  set(ladderCard.querySelector(".wide"), { hidden: rated.length ? null : "" });
  ladder.replaceChildren(...[...last.values()].sort((a, b) => b.rung - a.rung).map((one) => h("tr", { "data-rung": one.rung },
    h("th", { scope: "row" }, h("code", {}, one.opponent), one.score > said.clearly ? h("div", { class: "beaten" }, "✓ beaten clearly") : null),
    h("td", {}, h("span", { class: "score" }, percent(one.score)), h("meter", { min: 0, max: 1, value: one.score, "aria-label": `Score against ${one.opponent}` })),
    h("td", { class: "number" }, count(one.rating_games)))));
}

async function showGames(run) {
  if (!games.children.length) say(gamesNote, "Reading …");
  try {
    const said = await connection.ask("training_games", { run });
    if (run !== chosen) return;
    say(gamesNote, said.games.length ? "Played by the network against itself, with noise. Open one to look at it move by move." : "No game can be shown: all of them began with random moves, or not every move was written down.");
    games.replaceChildren(...said.games.map((one) => h("li", {}, h("a", { href: `/play${addressOfGame({ game: said.game, moves: one.moves, seats: one.returns.map(() => "you"), seed: 1 })}` },
      h("strong", {}, `Game ${count(one.number)}`), h("span", {}, result(said.game, one.returns)), h("span", { class: "small soft" }, plural(one.moves.length, "move")), h("span", { class: "small soft moves" }, one.moves.join(" "))))));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    games.replaceChildren();
    say(gamesNote, `No games: ${error.message}.`);
  }
}

function result(game, returns) {
  if (returns.length === 1) return `result ${returns[0]}`;
  const best = Math.max(...returns), winners = returns.flatMap((value, seat) => (value === best ? [sideOf(game, seat).name] : []));
  return winners.length === returns.length ? "draw" : `${winners.join(" and ")} ${winners.length > 1 ? "share the win" : "wins"}`;
}

// ------------------------------------------------------------------ keys, and going on

function neighbour(by) {
  const names = [...list.querySelectorAll("a")].map((link) => link.dataset.name ?? "");
  if (names.length) location.hash = `run=${encodeURIComponent(names[(names.indexOf(chosen) + by + names.length) % names.length])}`;
}

onKey("ArrowDown", "The next run", () => neighbour(1));
onKey("ArrowUp", "The one before", () => neighbour(-1));
onKey("f", "To the curves (arrows read values)", () => /** @type {any} */ (figures.querySelector("svg[tabindex]"))?.focus());
onKey("g", "To the games", () => /** @type {any} */ (games.querySelector("a"))?.focus());
onKey("t", "Open or close the table of rounds", () => { tableCard.toggleAttribute("open"); });
onKey("c", "Open or close the settings", () => { configCard.toggleAttribute("open"); });

tellOfLosses(connection, () => look());
window.addEventListener("hashchange", () => pick(new URLSearchParams(location.hash.replace(/^#/, "")).get("run") ?? ""));
document.addEventListener("visibilitychange", () => document.hidden || look());

/** Look again and again, one look after the other, while somebody sees it. */
async function watch() {
  if (!document.hidden && connection.socket.readyState === WebSocket.OPEN) await look();
  setTimeout(watch, EVERY);
}
connection.ready.then(watch);
