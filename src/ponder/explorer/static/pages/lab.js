// Lab: published results, claimed clause by clause and run again here.
import { panelsOf } from "../elements/plot.js";
import { numberOr } from "../lib/address.js";
import { Connection, Lost, Refused } from "../lib/connection.js";
import { h, say, set } from "../lib/dom.js";
import { count, plural, sentence } from "../lib/format.js";
import { onKey } from "../lib/keys.js";
import { tellOfLosses } from "../lib/lost.js";
import { badge, clauseList } from "./lab-clauses.js";
import { Run } from "./lab-run.js";
import { field } from "./play-fields.js";

const FIRST = { experiment: "gem", version: "quick", sizes: {}, seed: 0, game: "", own: [] };
const VERSIONS = { quick: "Quick", default: "Default", full: "Full" };

const connection = new Connection("lab");
const run = new Run(connection);

// ------------------------------------------------------------------ what stands on the page

const button = (text, act, more = {}) => h("button", { type: "button", onclick: act, ...more }, text);
const list = h("ol", { class: "experiments" });
const title = h("h2", { tabindex: -1 });
const claim = h("p", { class: "claim" });
const source = h("p", { class: "small soft" });
const clauses = h("ul", { class: "clauses" });
const decided = h("p", { class: "small soft" });
const versions = h("fieldset", { class: "versions" });
const sizes = h("div", { class: "sizes" });
const own = h("input", { type: "text", name: "own", spellcheck: "false", autocomplete: "off" });
const game = h("input", { type: "text", name: "game", spellcheck: "false", autocomplete: "off", placeholder: "as planned" });
const ownField = field("Your own rule", own, h("span", { class: "small soft" }, "beside ours: ucb1(c=2), or FILE.py:RULE of a file that the explorer was started with"));
const gameField = field("Game", game);
const more = h("details", { class: "more" }, h("summary", {}, "More"), sizes, ownField, gameField);
const seed = h("input", { type: "number", id: "seed", min: 0, step: 1 });
const wrong = h("p", { class: "wrong", role: "alert" });
const runButton = h("button", { type: "submit", class: "primary", "data-do": "run", disabled: true }, "Run");
const stopButton = button("Stop", () => attempt(stop()), { "data-do": "stop", hidden: true });
const goButton = button("Continue", () => attempt(run.begin()), { "data-do": "go", hidden: true });
const form = h("form", { class: "card run-form", "aria-label": "The run", onsubmit: (event) => { event.preventDefault(); attempt(begin()); } },
  versions, more, field("Seed", seed), wrong, h("div", { class: "form-end" }, goButton, stopButton, runButton), h("p", { class: "small command" }, h("code")));
const command = /** @type {HTMLElement} */ (form.querySelector("code"));
const status = h("p", { class: "sentence", role: "status" }, "Getting ready …");
const bar = h("progress", { "aria-label": "Steps finished", hidden: true });
const detail = h("p", { class: "small soft step" });
const measures = h("p", { class: "small soft" });
const verdict = h("p", { class: "overall" });
const figures = h("section", { class: "card figures", "aria-label": "Figures", hidden: true });
const tablesBody = h("div", { class: "tables-body" });
const tables = h("details", { class: "card tables", hidden: true }, h("summary", {}, h("h3", {}, "Tables"), h("span", { class: "small soft" }, "Values with half their 95 % intervals; published figures stand below ours.")), tablesBody);
const notes = h("ul", { class: "small soft notes" });
const saveJson = h("a", { class: "button", "data-do": "json" }, "JSON");
const saveCsv = h("a", { class: "button", "data-do": "csv" }, "CSV");
const saves = h("div", { class: "saves", hidden: true }, h("span", { class: "small soft" }, "Save as"), saveJson, saveCsv);

document.getElementById("main").append(h("div", { class: "lab" },
  h("header", { class: "lab-head" }, h("h1", {}, "Lab"),
    h("p", { class: "lead" }, "Results of the lectures and the literature. Each is a claim, stated clause by clause before anything runs; then it is run again here, and every clause gets its verdict.")),
  h("nav", { class: "card list", "aria-label": "Experiments" }, list),
  h("article", { class: "stage" },
    h("header", { class: "experiment-head" }, title, claim, source),
    h("div", { class: "run-row" }, form, h("section", { class: "card progress", "aria-label": "The result" }, status, bar, detail, verdict, saves, measures)),
    h("section", { class: "card", "aria-label": "The clauses" }, h("h3", {}, "Clauses"), decided, clauses),
    figures, tables, notes)));

// ------------------------------------------------------------------ the address

function addressOf(wish) {
  const made = new URLSearchParams({ experiment: wish.experiment, size: wish.version, seed: String(wish.seed) });
  for (const [name, value] of Object.entries(wish.sizes)) made.set(`size.${name}`, String(value));
  for (const text of wish.own) made.append("with", text);
  if (wish.game) made.set("game", wish.game);
  return "#" + made.toString();
}

/** @returns {import("./lab-run.js").Wish} */
function fromAddress() {
  const given = new URLSearchParams(location.hash.replace(/^#/, "")), made = { ...FIRST, sizes: {}, own: given.getAll("with"), game: given.get("game") ?? "" };
  if (given.has("experiment")) made.experiment = given.get("experiment");
  if (given.has("size")) made.version = given.get("size");
  if (given.has("seed")) made.seed = numberOr(given.get("seed"));
  for (const [name, value] of given) if (name.startsWith("size.")) made.sizes[name.slice(5)] = numberOr(value);
  return made;
}

/** What the form says. @returns {import("./lab-run.js").Wish} */
function described() {
  const made = { ...(run.wish ?? FIRST), sizes: {} };
  made.version = versions.querySelector("input:checked")?.getAttribute("value") ?? made.version;
  made.seed = Number(seed.value);
  made.own = own.value.trim() ? [own.value.trim(), ...made.own.slice(1)] : made.own.slice(1);
  made.game = game.value.trim();
  for (const input of sizes.querySelectorAll("input")) {
    const usual = run.plan.sizes[input.name][made.version];
    // another version brings its own sizes
    if (input.value !== "" && Number(input.value) !== usual && made.version === run.wish.version) made.sizes[input.name] = Number(input.value);
  }
  return made;
}

// ------------------------------------------------------------------ doing

async function attempt(promise) {
  try {
    await promise;
    say(wrong, "");
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!(error instanceof Lost)) say(wrong, sentence(error.message)); // that is said across the page
    return false;
  }
}

/** Look at what an address or the form says; a run that goes on is stopped. */
async function look(wish) {
  await run.look(wish);
  window.history.replaceState(null, "", addressOf(wish));
  showForm();
}

async function begin() {
  const wish = described();
  if (JSON.stringify(wish) !== JSON.stringify(run.wish)) await look(wish);
  await run.begin(true);
}

async function stop() {
  await run.stop();
}

async function pick(name) {
  if (name !== run.wish?.experiment) {
    const wish = { ...FIRST, experiment: name, version: run.wish?.version === "full" ? "default" : run.wish?.version ?? "quick", seed: run.wish?.seed ?? 0 };
    if (!(await attempt(look(wish)))) return;
  }
  title.focus({ preventScroll: true });
  if (matchMedia("(max-width: 62rem)").matches) title.scrollIntoView({ block: "start" });
}

// ------------------------------------------------------------------ showing

function showForm() {
  const { plan, wish } = run;
  versions.replaceChildren(h("legend", {}, "Size"), h("div", { class: "options" }, plan.versions.map((version) => h("label", {},
    h("input", { type: "radio", name: "version", value: version, checked: version === wish.version, onchange: () => attempt(look(described())) }), VERSIONS[version]))));
  sizes.replaceChildren(...Object.entries(plan.sizes).map(([name, size]) => {
    const single = typeof size.now === "number", control = single ? h("input", { type: "number", name, value: size.now, step: 1, onchange: () => attempt(look(described())) }) : h("span", {}, textOf(size.now));
    return h(single ? "label" : "div", { class: "field" }, h("span", {}, name), control, h("span", { class: "small soft" }, size.meaning));
  }));
  seed.value = wish.seed;
  own.value = wish.own[0] ?? "";
  game.value = wish.game;
  ownField.hidden = !plan.own;
  gameField.hidden = !plan.any_game;
  if (Object.keys(wish.sizes).length || wish.own.length || wish.game) more.open = true;
  say(command, plan.command);
}

for (const input of [seed, own, game]) input.addEventListener("change", () => attempt(look(described())));
const textOf = (value) => (Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? `(${textOf(one)})` : textOf(one))).join(", ") : typeof value === "number" ? count(value) : String(value));

function showList(experiments) {
  list.replaceChildren(...experiments.map(({ name, title: about, measured }) => {
    const words = new Set((measured?.clauses ?? []).flatMap((one) => one.verdicts));
    const word = words.has("does not hold") ? "does not hold" : words.has("undecided") || words.has("not run") ? "undecided" : words.size ? "holds" : "";
    return h("li", {}, h("a", { href: `#experiment=${name}`, "data-name": name, onclick: (event) => { event.preventDefault(); pick(name); } },
      h("strong", {}, name), word ? h("span", { class: "dot", "data-verdict": word, title: `documented: ${word}` }, h("span", { "aria-hidden": "true" }, { holds: "✓", "does not hold": "✗", undecided: "?" }[word]), h("span", { class: "unseen" }, `documented: ${word}`)) : null,
      h("span", { class: "small soft about" }, about)));
  }));
}

function showCurrent(name) {
  for (const link of list.querySelectorAll("a")) {
    if (set(link, { "aria-current": link.dataset.name === name ? "true" : null }).hasAttribute("aria-current") && name !== shownName) {
      const box = list.parentElement, top = link.offsetTop;
      if (top < box.scrollTop || top + link.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
      shownName = name;
    }
  }
}
let shownName = "";

run.addEventListener("change", paint);

function paint() {
  const { plan, state } = run;
  if (!plan) return;
  showCurrent(plan.experiment);
  document.title = `${plan.experiment} · Lab · Ponder`;
  title.replaceChildren(h("span", { class: "small soft" }, plan.experiment), h("span", {}, plan.title));
  say(claim, sentence(plan.claim));
  say(source, `Source: ${plan.source}`);
  say(decided, `Decided by intervals of ${Number((100 * plan.level).toPrecision(4))} %, so that with 95 % confidence no verdict is wrong. A clause holds if its whole interval passes, does not hold if none of it does, and is undecided otherwise.`);
  const found = run.found, report = found?.report;
  clauses.replaceChildren(...clauseList(plan, report));
  paintProgress(found);
  runButton.hidden = run.running;
  runButton.disabled = false; // there is a plan
  stopButton.hidden = !run.running;
  goButton.hidden = run.running || !run.unfinished;
  say(runButton, run.unfinished ? "Begin anew" : found ? "Run again" : "Run");
  set(runButton, { class: goButton.hidden ? "primary" : null });
  set(goButton, { class: "primary" });
  say(measures, `Sizes: ${Object.entries(plan.sizes).map(([name, size]) => `${name} ${textOf(size.now)}`).join("; ")}.`);
  verdict.replaceChildren(...(report && !run.running ? [h("span", {}, "The claim: "), badge(report.verdict)] : []));
  figures.hidden = !found?.panels?.length;
  paintFigures((found?.panels ?? []).flatMap((panel) => panelsOf(panel)));
  tables.hidden = !found?.tables?.length;
  tablesBody.replaceChildren(...(found?.tables ?? []).map(unitTable));
  notes.replaceChildren(...(report?.notes ?? plan.notes).map((note) => h("li", {}, note)));
  saves.hidden = !report || run.running;
  if (!saves.hidden) {
    const stem = `${plan.experiment}-${run.wish.seed}`;
    set(saveJson, { href: `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(report))}`, download: `${stem}.json` });
    set(saveCsv, { href: `data:text/csv;charset=utf-8,${encodeURIComponent(found.csv)}`, download: `${stem}.csv` });
  }
}

function paintProgress(found) {
  const { plan, state } = run;
  bar.hidden = !run.running;
  set(status, { "data-mood": run.error ? "wrong" : null });
  say(detail, "");
  if (run.error) say(status, sentence(run.error));
  else if (run.running) {
    const of = state.expected ? ` of ${state.expected}` : "";
    say(status, state.step ? `Step ${state.done + 1}${of}: ${state.step}` : "Getting ready …");
    if (state.expected) set(bar, { max: state.expected, value: state.done });
    else bar.removeAttribute("value");
    tick();
  } else if (state?.finished) say(status, `Finished: ${plural(state.done, "step")} in ${time(state.seconds)}.`);
  else if (run.unfinished) say(status, `Stopped after ${plural(run.unfinished, "step")}. Continue, or begin anew.`);
  else if (found?.when) {
    say(status, `Run on ${new Date(1000 * found.when).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}.`);
    say(detail, `${plural(found.steps, "step")} in ${time(found.seconds)}.`);
  } else say(status, state ? "Stopped before its first step was finished." : "Not run yet with this size and seed.");
  if (!found && !state && plan.measured?.seconds && run.wish.version === "default") say(detail, `The default size once took ${time(plan.measured.seconds)} on two busy cores.`);
}

const time = (seconds) => (seconds < 60 ? `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} seconds` : seconds < 3600 ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s` : `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`);

function tick() {
  if (!run.running) return;
  const seconds = run.state.seconds + (performance.now() - run.heard) / 1000, { done, expected } = run.state;
  const left = expected && done ? `, about ${time(Math.max(1, Math.round(seconds / done * (expected - done))))} left` : "";
  say(detail, `${time(Math.floor(seconds))} so far${left}.${run.state.step ? "" : " What has not been used before is compiled first."}`);
}
setInterval(tick, 1000);

function paintFigures(panels) {
  const there = [...figures.querySelectorAll("ponder-plot")];
  if (there.length !== panels.length) {
    const row = h("div", { class: "panels" }, panels.map(() => h("ponder-plot")));
    figures.replaceChildren(h("h3", {}, "Figures"), h("p", { class: "small soft" }, "Shaded: 95 % intervals. Dashed with open circles: as published."), row);
    there.splice(0, there.length, ...row.children);
  }
  panels.forEach((panel, i) => /** @type {any} */ (there[i]).show(panel));
}

function unitTable({ columns, rows }) {
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": columns[0] }, h("table", { class: "unit" },
    h("thead", {}, h("tr", {}, columns.map((name, i) => h("th", { scope: "col", class: i ? "number" : null }, name)))),
    h("tbody", {}, rows.map(([published, name, ...cells]) => h("tr", { class: published ? "published" : null }, h("th", { scope: "row" }, name), cells.map((cell) => h("td", { class: "number" }, cell)))))));
}

// ------------------------------------------------------------------ keys, and the beginning

function neighbour(by) {
  const names = [...list.querySelectorAll("a")].map((link) => link.dataset.name), at = names.indexOf(run.wish?.experiment ?? "");
  pick(names[(at + by + names.length) % names.length]);
}

onKey("r", "Run it", () => runButton.hidden || form.requestSubmit());
onKey("s", "Stop", () => stopButton.hidden || stopButton.click());
onKey("c", "Continue", () => goButton.hidden || goButton.click());
onKey("ArrowDown", "The next experiment", () => neighbour(1));
onKey("ArrowUp", "The one before", () => neighbour(-1));
onKey("f", "To the figures (arrows read values)", () => /** @type {any} */ (figures.querySelector("svg[tabindex]"))?.focus());
onKey("l", "To the list of experiments", () => /** @type {any} */ (list.querySelector("[aria-current]"))?.focus());

async function start() {
  showList((await connection.ask("experiments")).experiments);
  const wish = fromAddress();
  if (!(await attempt(look(wish)))) { // that experiment as it usually is, or the first one, and what was wrong
    const said = wrong.textContent;
    if (!(await attempt(look({ ...FIRST, experiment: wish.experiment })))) await attempt(look(FIRST));
    say(wrong, said);
  } else if (run.wasRunning()) {
    await attempt(run.begin());
  }
}

tellOfLosses(connection, () => attempt(run.begin()), () => Boolean(run.wish));
connection.addEventListener("up", () => run.wish && run.wasRunning() && attempt(run.begin()));
window.addEventListener("hashchange", () => attempt(look(fromAddress())));
start();
