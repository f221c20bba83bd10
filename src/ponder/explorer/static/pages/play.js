// Play: people and engines at one board.
import "../elements/board.js";
import "../elements/chart.js";
import "../elements/game-record.js";
import { onAddress } from "../lib/address.js";
import { Connection, Lost, Refused } from "../lib/connection.js";
import { dice } from "../lib/dice.js";
import { h, say, set } from "../lib/dom.js";
import { flipped } from "../lib/flip.js";
import { plural, sentence as sentenceFrom, signed } from "../lib/format.js";
import { addressOfGame, gameFromAddress } from "../lib/game-address.js";
import { onKey } from "../lib/keys.js";
import { tellOfLosses } from "../lib/lost.js";
import { notice } from "../lib/notices.js";
import { Dropped } from "../lib/thinking.js";
import { analyse } from "./play-analysis.js";
import { LEVELS, YOU, canTurn, gameName, seatName, sideOf } from "./play-choices.js";
import { clockText } from "./play-clock.js";
import { Game } from "./play-game.js";
import { askForGame, askForText, offerText } from "./play-setup.js";

const FIRST = { game: "connect4", position: "", seats: [YOU, LEVELS[2].text], seed: 1, moves: [], clock: "", teach: false, end: "" };
const LINE_COLOURS = ["line-1", "line-2", "line-3", "line-4", "line-5", "line-6"];

const connection = new Connection("play");
const game = new Game(connection);
let turned = false;
/** @type {import("./play-analysis.js").Analysis|null} */
let analysis = null;
let analysing = false;

// ------------------------------------------------------------------ what stands on the page

const button = (text, run, more = {}) => h("button", { type: "button", onclick: run, ...more }, text);
const title = h("h1", {}, "Play");
const seats = h("ul", { class: "seats-bar", "aria-label": "Seats" });
const sentence = h("p", { class: "sentence", role: "status", "aria-live": "polite" }, "Starting …");
const thought = h("p", { class: "thought small soft" });
const board = h("ponder-board");
const warning = h("div", { class: "warning", role: "alertdialog", "aria-label": "A warning", hidden: true });
const typed = h("input", { type: "text", id: "typed", autocomplete: "off", spellcheck: "false", "aria-describedby": "wrong" });
const wrong = h("p", { class: "wrong", id: "wrong", role: "alert" });
const undoButton = button("Undo", () => game.undo(), { "data-do": "undo" });
const hintButton = button("Hint", () => game.askHint(), { "data-do": "hint" });
const passButton = button("Pass", () => game.play("pass"), { "data-do": "pass" });
const turnButton = button("Flip", flip, { "data-do": "flip" });
const resignButton = button("Resign", () => game.resign(), { "data-do": "resign" });
const hurryButton = button("Move now", () => game.hurry(), { "data-do": "hurry" });
const moves = h("ponder-game-record", { role: "group", "aria-label": "Moves" });
const noMoves = h("p", { class: "soft small" }, "No moves yet.");
const review = {
  first: button("«", () => game.goTo(0), { "aria-label": "To the beginning" }),
  back: button("‹", () => game.goTo(game.at - 1), { "aria-label": "One move back" }),
  on: button("›", () => game.goTo(game.at + 1), { "aria-label": "One move on" }),
  last: button("»", () => game.goTo(game.setup.moves.length), { "aria-label": "To the last move" }),
};
const fromHere = button("Play on from here", () => game.backTo(game.at), { class: "primary", "data-do": "from-here" });
const teach = h("input", { type: "checkbox", id: "teach", onchange: () => { game.setup.teach = teach.checked; game.turn(); } });
const analyseButton = button("Analyse the game", startAnalysis, { "data-do": "analyse" });
const chart = h("ponder-chart", { class: "game-chart", hidden: true });
chart.label = "Value over the game";
const verdict = h("p", { class: "small soft", role: "status" });
const mistakes = h("ul", { class: "mistakes" });

const page = h("div", { class: "play", "data-empty": "", "aria-busy": "true" },
  h("header", { class: "play-head" }, title,
    h("div", { class: "head-tools" }, button("New game", newGame, { class: "primary", "data-do": "new" }),
      button("Load", load, { "data-do": "load" }), button("Save", save, { "data-do": "save" }), button("Share", share, { "data-do": "share" }))),
  h("section", { class: "card table", "aria-label": "The board" }, seats,
    h("div", { class: "says" }, sentence, thought), warning, board, wrong,
    h("div", { class: "table-tools" },
      h("form", { class: "typed", onsubmit: playTyped }, h("label", { for: "typed" }, "Move"), typed, h("button", { type: "submit" }, "Play")),
      hurryButton, undoButton, hintButton, passButton, turnButton, resignButton)),
  h("div", { class: "side" },
    h("section", { class: "card" }, h("h2", {}, "Moves"), noMoves, moves,
      h("div", { class: "review" }, Object.values(review), fromHere)),
    h("section", { class: "card analysis" }, h("h2", {}, "Analysis"), chart, verdict, mistakes, analyseButton),
    h("section", { class: "card" }, h("label", { class: "check" }, teach,
      h("span", {}, h("strong", {}, "Teach me. "), "A quick search looks at each of your moves; a mistake is shown before it is final.")))));
document.getElementById("main").append(page);

// ------------------------------------------------------------------ doing

/** Begin a game; throws `Refused` with a sentence. */
async function begin(setup) {
  analysis = null;
  turned = canTurn(setup.game) && setup.seats[0] !== YOU && setup.seats.includes(YOU);
  game.thinking.drop("analysis");
  await game.open(setup);
}

async function attempt(promise) {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice("refused", error.message);
  }
}

function newGame() {
  askForGame(game.setup ?? FIRST, (text) => connection.ask("table", { game: text }), begin);
}

function load() {
  askForText(async (text) => {
    const found = await connection.ask("read_game", { game: game.setup.game, text });
    const seats = sameGame(found.game, game.setup.game) ? game.setup.seats : [YOU, LEVELS[2].text];
    // what was loaded is looked at first: nobody moves by surprise
    await begin({ ...game.setup, game: found.game, position: found.position, moves: found.moves, seats: seats.map(() => YOU), clock: "", end: "" });
    notice("loaded", [`Read as ${found.form}: ${plural(found.moves.length, "move")}. Everybody's seat is yours; New game gives seats to engines.`, ...found.notes].join(" "));
  });
}

const sameGame = (a, b) => a.replace(/\(.*$/s, "") === b.replace(/\(.*$/s, "");

function save() {
  return attempt(offerText((form) => connection.ask("write_game", { ...game.position(), form })));
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    notice("copied", "The address is copied: whoever opens it in this explorer sees this game.");
  } catch {
    notice("copied", "The browser keeps the clipboard to itself: copy the address from its bar.");
  }
}

function playTyped(event) {
  event.preventDefault();
  const text = typed.value.trim();
  if (!text) return;
  if (!game.yourTurn) {
    say(wrong, "It is not your turn.");
    return;
  }
  typed.value = "";
  game.play(text);
}

function flip() {
  turned = !turned;
  paint();
}

async function startAnalysis() {
  if (analysing) {
    game.thinking.drop("analysis");
    return;
  }
  analysing = true;
  paint();
  try {
    await analyse(game, (now) => {
      analysis = { ...now, of: game.setup.moves.join("|") };
      paint();
    });
  } catch (error) {
    if (error instanceof Refused) say(verdict, error.message);
    else if (!(error instanceof Dropped)) throw error;
  }
  analysing = false;
  paint();
}

// ------------------------------------------------------------------ showing

game.addEventListener("change", paint);
board.addEventListener("play", (event) => game.play(/** @type {CustomEvent} */ (event).detail.name));
moves.addEventListener("pick", (event) => game.goTo(/** @type {CustomEvent} */ (event).detail));
chart.addEventListener("pick", (event) => game.goTo(/** @type {CustomEvent} */ (event).detail));

function paint() {
  const { setup, live, shown } = game;
  if (!live || !shown) return;
  const name = gameName(setup.game);
  set(page, { "data-empty": null, "aria-busy": null });
  say(title, name);
  document.title = `${name} · Ponder`;
  paintSeats();
  const now = sentenceOf();
  if (now.dice) sentence.replaceChildren(now.text, " ", dice(now.dice));
  else say(sentence, now.text);
  set(sentence, { "data-mood": now.mood });
  say(thought, thoughtText());
  say(wrong, sentenceFrom(game.error));
  paintBoard();
  paintWarning();
  const yours = game.yourTurn;
  typed.disabled = !yours;
  undoButton.disabled = !game.canUndo;
  hintButton.disabled = !yours;
  passButton.hidden = !live.actions.some((one) => one.name === "pass");
  passButton.disabled = !yours;
  turnButton.hidden = !canTurn(setup.game);
  resignButton.disabled = game.over || !game.humans;
  hurryButton.hidden = !game.engine?.told?.best;
  moves.show({ moves: setup.moves, movers: live.movers, players: live.players, at: game.at, marks: marksOf() });
  noMoves.hidden = game.played;
  review.first.disabled = review.back.disabled = game.at === 0;
  review.on.disabled = review.last.disabled = game.atEnd;
  fromHere.hidden = game.atEnd;
  teach.checked = setup.teach;
  paintAnalysis();
  const address = addressOfGame(setup);
  if (location.hash !== address) window.history.replaceState(null, "", address);
  game.clock.keep();
}

function paintSeats() {
  const { setup, live, clock, engine } = game;
  seats.replaceChildren(...setup.seats.map((seat, player) => {
    const { name, colour } = sideOf(setup.game, player), turn = !game.over && live.player === player;
    const points = game.live.over ? h("span", { class: "seat-points" }, signed(live.returns[player], live.returns[player] % 1 ? 2 : 0)) : null;
    return h("li", { class: "seat", "data-turn": turn ? "yes" : null, title: seat === YOU ? null : seat },
      h("span", { class: "seat-dot", style: colour ? `background: ${colour}` : "visibility: hidden", "aria-hidden": "true" }),
      h("span", { class: "seat-name" }, h("strong", {}, name), h("span", { class: "small soft" }, seatName(seat) + (engine?.seat === player ? " is thinking …" : ""))),
      clock.rule ? h("span", { class: "seat-clock", role: "timer" }, clockText(clock.left[player])) : null, points);
  }));
}

/** What goes on, in a sentence. */
function sentenceOf() {
  const { setup, live } = game;
  if (!game.atEnd) return { text: `After ${plural(game.at, "move")} of ${setup.moves.length}.`, mood: "none" };
  if (game.over) return resultSentence();
  if (game.busy) return { text: game.busy, mood: "none" };
  if (game.warning) return { text: "Wait a moment.", mood: "wrong" };
  const { name } = sideOf(setup.game, live.player), thrown = lastThrow();
  if (setup.seats[live.player] !== YOU && game.error && !game.engine) return { text: live.players === 1 ? "The engine cannot move." : `${name} cannot move.`, mood: "wrong", dice: thrown };
  if (setup.seats[live.player] !== YOU) return { text: live.players === 1 ? "The engine thinks." : `${name} thinks.`, mood: "none", dice: thrown };
  const lone = game.humans === 1;
  return { text: lone ? "Your move." : `${name} to move.`, mood: "right", dice: thrown };
}

/** The dice that the player to move has just got. */
function lastThrow() {
  const { moves: names, movers } = game.live;
  let from = names.length;
  while (from > 0 && movers[from - 1] < 0) from--;
  return from < names.length ? names.slice(from) : null;
}

function resultSentence() {
  const { setup, live } = game;
  const called = (player) => (game.humans === 1 && setup.seats[player] === YOU ? "You" : sideOf(setup.game, player).name);
  const verb = (player, word) => (called(player) === "You" ? word : `${word}s`);
  if (setup.end && !live.over) {
    const [how, seat] = setup.end.split(":"), loser = Number(seat);
    const done = how === "time" ? "out of time" : "resigned";
    const others = live.players === 2 ? ` ${called(1 - loser)} ${verb(1 - loser, "win")}.` : "";
    return { text: `${called(loser)} ${how === "time" ? (called(loser) === "You" ? "are" : "is") + " " : ""}${done}.${others}`, mood: called(loser) === "You" ? "wrong" : "right" };
  }
  const best = Math.max(...live.returns), winners = live.returns.flatMap((value, player) => (value === best ? [player] : []));
  if (live.players === 1) return { text: `The end: ${signed(best, best % 1 ? 2 : 0)}.`, mood: "none" };
  if (winners.length === live.players) return { text: "A draw.", mood: "none" };
  const mine = winners.some((player) => setup.seats[player] === YOU);
  const text = winners.length === 1 ? `${called(winners[0])} ${verb(winners[0], "win")}.` : `${winners.map(called).join(" and ")} share the win.`;
  return { text, mood: mine || !game.humans ? "right" : "wrong" };
}

function thoughtText() {
  const { engine, hint } = game;
  if (engine?.told?.stage === "compiling") return "Compiling this game and engine: only the first time …";
  if (engine?.told) return `${plural(engine.told.effort, engine.told.unit.replace(/s$/, ""))}, so far ${engine.told.best} (${signed(engine.told.value)})`;
  if (hint && game.atEnd && !game.over) {
    const worth = hint.values ? hint.values[game.live.player] : hint.bestValue;
    return `Hint: ${hint.best}, worth ${signed(worth)}. It expects ${hint.line.slice(0, 6).join(" ")}.${hint.choice ? ` ${sentenceFrom(hint.choice)}` : ""}`;
  }
  return "";
}

function paintBoard() {
  const { shown, hint } = game, yours = game.yourTurn;
  const seen = turned && canTurn(game.setup.game) ? flipped(shown) : shown;
  const [, , wide, high] = (/viewBox="([^"]+)"/.exec(seen.svg)?.[1] ?? "0 0 1 1").split(/\s+/).map(Number);
  board.style.setProperty("--ratio", (wide / high).toFixed(3));
  board.playable = yours;
  board.show({ svg: seen.svg, text: seen.text, actions: yours ? seen.actions.filter((one, _, all) => one.name !== "pass" || all.length === 1) : [], game: seen.game }); // to pass has its own button
  const best = hint && yours ? hint.best : null;
  board.candidates(best ? hint.candidates ?? [] : [], { mark: best && hint.candidates?.length ? "visits" : "none", best, range: shown.range });
}

function paintWarning() {
  const told = game.warning;
  if (warning.hidden === !told) return;
  warning.hidden = !told;
  if (!told) return;
  const back = button("Take it back", () => game.reconsider(), { class: "primary", "data-do": "take-back" });
  warning.replaceChildren(
    h("p", {}, h("strong", {}, `${told.name} looks like a mistake. `),
      `The search expects ${signed(told.value)} after it, and ${signed(told.bestValue)} after the best move: it gives away ${signed(told.loss).slice(1)}.`),
    h("div", { class: "warning-tools" }, back, button(`Play ${told.name} anyway`, () => game.anyway(), { "data-do": "anyway" })));
  back.focus();
}

function marksOf() {
  return analysis && analysis.of === game.setup.moves.join("|") ? new Map(analysis.mistakes.map((one) => [one.ply, one.mark])) : new Map();
}

function paintAnalysis() {
  const { setup, live } = game;
  if (analysis && analysis.of !== setup.moves.join("|")) {
    analysis = null;
    game.thinking.drop("analysis");
  }
  analyseButton.disabled = !game.played || (!game.over && !analysing && game.engine !== null);
  say(analyseButton, analysing ? "Stop" : analysis?.done === 1 ? "Analyse again" : "Analyse the game");
  chart.hidden = !analysis;
  if (!analysis) {
    say(verdict, game.played ? "Values move by move, with mistakes marked." : "When there are moves, they can be judged here.");
    mistakes.replaceChildren();
    return;
  }
  const lines = (live.opposed ? [0] : setup.seats.map((_, player) => player)).map((player) => ({
    name: sideOf(setup.game, player).name, colour: LINE_COLOURS[player], points: analysis.values.map((one, ply) => [ply, one[player]]),
  }));
  chart.show({ lines, now: setup.moves.length, furthest: setup.moves.length, least: 1, unit: "moves", names: lines.length > 1,
    marks: [...analysis.mistakes.map((one) => ({ x: one.ply + 1, colour: "clay" })), { x: game.at, colour: "sage" }] });
  say(verdict, analysis.done < 1 && analysing ? `Judging: ${Math.round(100 * analysis.done)} %`
    : `${live.opposed ? `Value for ${sideOf(setup.game, 0).name}. ` : ""}${analysis.mistakes.length ? plural(analysis.mistakes.length, "mistake") + ":" : "No mistakes found."}`);
  mistakes.replaceChildren(...analysis.mistakes.map((one) => h("li", {}, h("button", { type: "button", class: "quiet", "data-ply": one.ply + 1, onclick: () => game.goTo(one.ply + 1) },
    h("strong", {}, `${sideOf(setup.game, one.player).name} ${one.name}${one.mark}`), h("span", { class: "small soft" }, ` gives away ${signed(one.loss).slice(1)}; better was ${one.best}`)))));
}

// ------------------------------------------------------------------ keys, and the beginning

onKey("b", "To the board: arrows choose, Enter plays", () => board.querySelector(".board-spot[tabindex='0'], .board-buttons button")?.focus());
onKey("m", "Type a move", () => typed.focus());
onKey("u", "Undo", () => game.undo());
onKey("h", "Hint", () => game.askHint());
onKey("p", "Pass, where that is a move", () => game.live?.actions.some((one) => one.name === "pass") && game.play("pass"));
onKey("f", "Flip the board", flip);
onKey("n", "New game", newGame);
onKey("l", "Load a game", load);
onKey("s", "Save the game", save);
onKey("a", "Analyse the game", () => !analyseButton.disabled && startAnalysis());
onKey("ArrowLeft", "One move back", () => game.goTo(game.at - 1));
onKey("ArrowRight", "One move on", () => game.goTo(game.at + 1));
onKey("Home", "To the beginning", () => game.goTo(0));
onKey("End", "To the last move", () => game.goTo(game.setup.moves.length));
typed.addEventListener("keydown", (event) => event.key === "Escape" && typed.blur());

async function start(hash = location.hash) {
  const given = gameFromAddress(hash);
  say(sentence, `Getting ${gameName((given ?? FIRST).game)} ready. The first time its rules are compiled, which takes a moment …`);
  try {
    await begin(given ?? { ...FIRST, seed: Math.floor(Math.random() * 1e6) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    set(page, { "aria-busy": null });
    say(sentence, "This game cannot be opened.");
    if (!(error instanceof Lost)) notice("refused", error.message, "Another game", newGame);
  }
}

tellOfLosses(connection, () => game.settle(), () => Boolean(game.setup));
onAddress(start);
start();
