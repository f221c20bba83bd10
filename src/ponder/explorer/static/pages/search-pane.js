// One search with everything around it: transport, board, moves, lines, charts, tree, reasons, phases. The page has
// one of these, or two side by side; each has a connection and so a process of its own.
import "../elements/board.js";
import "../elements/chart.js";
import "../elements/events.js";
import "../elements/moves.js";
import "../elements/phases.js";
import "../elements/tree.js";
import "../elements/why.js";
import { Connection, Lost, Refused } from "../lib/connection.js";
import { h, say, set } from "../lib/dom.js";
import { compact, count, plural, sentence, signed } from "../lib/format.js";
import { Search } from "../lib/session.js";
import { sideOf } from "./play-choices.js";

const RATES = [["1", "1 a second"], ["10", "10 a second"], ["100", "100 a second"], ["1000", "1,000 a second"], ["", "full speed"]];
const STOPS = ["100", "1000", "10000", "100000", "1000000", "10000000"];
const MARKS = [["visits", "visits"], ["value", "value"], ["prior", "prior"], ["heat", "heat map"], ["none", "nothing"]];
const COLOURS = 6;
/** Nodes up to which a classical search is drawn while it goes on: it is gone through again each time. */
const FOLLOWED = 20000;

export class Pane extends EventTarget {
  constructor(label) {
    super();
    this.label = label;
    this.connection = new Connection("search");
    this.search = new Search(this.connection, { nodes: 4000 });
    /** The position searched: the answer to "board". */
    this.position = null;
    /** @type {any[]|null} the moves of the search beside it, to be compared with */
    this.other = null;
    this.boards = new Map();
    this.colours = new Map();
    this.build();
    this.search.addEventListener("change", () => this.paint());
    this.search.addEventListener("failed", (event) => { event.preventDefault(); this.complain(/** @type {CustomEvent} */ (event).detail.error); });
  }

  // ---------------------------------------------------------------- what stands there

  build() {
    const whose = this.label === "Search" ? "" : ` of the ${this.label.toLowerCase()}`; // landmarks have names of their own
    const select = (label, options, chosen, change) => {
      const made = h("select", { "aria-label": label, onchange: change }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
      return made;
    };
    this.sentence = h("p", { class: "pane-sentence", role: "status" }, "Preparing …");
    this.tier = h("p", { class: "small soft" });
    this.numbers = h("p", { class: "pane-numbers small soft" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.play = h("button", { type: "button", class: "primary play", onclick: () => this.toggle() }, "Play");
    this.stepButton = h("button", { type: "button", onclick: () => this.step(1) }, "Step");
    this.backButton = h("button", { type: "button", "aria-label": "One step back", onclick: () => this.step(-1) }, "Back");
    this.restart = h("button", { type: "button", onclick: () => this.rewind(0), "aria-label": "Back to the beginning" }, "Start");
    this.rate = select("Speed", RATES, "", () => this.search.state?.running && this.run());
    this.until = select("Stop after", STOPS.map((n) => [n, `up to ${compact(Number(n))}`]), "100000", () => this.search.state?.running && this.run());
    this.slider = h("input", { type: "range", min: 0, max: 1, value: 0, "aria-label": "Moment", class: "moment-slider", oninput: () => this.rewind(Number(this.slider.value)) });
    this.moment = h("output", { class: "moment" }, "0");
    this.board = h("ponder-board");
    this.mark = select("Shown on the board", MARKS, "visits", () => this.paintBoard());
    this.caption = h("p", { class: "board-caption small soft" });
    this.moves = h("ponder-moves");
    this.lines = h("ol", { class: "lines", "aria-label": "Principal variations" });
    this.visits = h("ponder-chart", { class: "pane-chart" });
    this.values = h("ponder-chart", { class: "pane-chart" });
    this.changes = h("p", { class: "small soft best-changes" });
    this.tree = h("ponder-tree");
    this.why = h("ponder-why");
    this.phases = h("ponder-phases");
    this.events = h("ponder-events");
    this.drawing = h("div", { class: "drawing", tabindex: 0, role: "region", "aria-label": "The tree, drawn" });
    const explain = h("button", { type: "button", onclick: () => this.explain() }, "Explain one simulation");
    this.treeCard = h("section", { class: "card tree-card-box", "aria-label": `Tree${whose}` }, h("div", { class: "card-head" }, h("h2", {}, "Tree"), legend()), this.tree);
    this.whyCard = h("section", { class: "card", "aria-label": `Why this child?${whose}` }, h("h2", {}, "Why this child?"), this.why);
    this.phaseCard = h("section", { class: "card", "aria-label": `One simulation${whose}` }, h("div", { class: "card-head" }, h("h2", {}, "One simulation"), explain),
      h("p", { class: "small soft" }, "Makes the next simulation and shows its four phases on the board and in the tree."), this.phases);
    this.eventCard = h("section", { class: "card", "aria-label": `Course of the search${whose}` },
      h("div", { class: "card-head" }, h("h2", {}, "Course"), h("button", { type: "button", onclick: () => this.tell() }, "Show the last events"), h("button", { type: "button", onclick: () => this.draw() }, "Draw the tree")),
      h("p", { class: "small soft" }, `Windows, cuts with their reasons, table hits and depths; up to ${count(FOLLOWED)} nodes as they come, later with the buttons. Point at an event to see its position.`), this.drawing, this.events);
    this.element = h("section", { class: "pane", "aria-label": this.label, "data-pane": this.label, "data-without": "game" },
      h("div", { class: "card pane-head" }, this.problem, h("div", { class: "pane-words" }, this.sentence, this.numbers, this.tier),
        h("div", { class: "transport" }, this.play, this.backButton, this.stepButton, this.restart, this.rate, this.until),
        h("div", { class: "timeline" }, this.slider, this.moment)),
      h("section", { class: "card pane-board", "aria-label": `Board${whose}` }, h("div", { class: "card-head" }, h("h2", {}, "Board"), this.mark), this.board, this.caption),
      h("section", { class: "card pane-moves", "aria-label": `Moves${whose}` }, h("h2", {}, "Moves"), this.moves, h("h3", {}, "Lines"), this.lines),
      h("section", { class: "card pane-charts", "aria-label": `Over time${whose}` }, h("div", {}, h("h2", {}, "Visits"), this.visits), h("div", {}, h("h2", {}, "Value"), this.values), this.changes),
      this.treeCard, h("div", { class: "pane-below" }, this.whyCard, this.phaseCard), this.eventCard);
    this.listen();
  }

  listen() {
    this.visits.label = "Visits per move";
    this.values.label = "Value per move";
    for (const chart of [this.visits, this.values]) chart.addEventListener("pick", (event) => this.rewind(Math.min(event.detail, this.search.state?.furthest ?? 0)));
    this.board.addEventListener("play", (event) => this.dispatchEvent(new CustomEvent("play", { detail: event.detail.name })));
    this.moves.addEventListener("look", (event) => this.board.candidates(this.rows(), { hint: event.detail.name }));
    this.moves.addEventListener("pick", (event) => {
      const number = this.numberOf(event.detail.name);
      if (number != null && this.can("nodes")) this.tree.select([number]);
    });
    this.tree.addEventListener("pick", (event) => this.ask(event.detail.path));
    this.tree.addEventListener("wonder", (event) => this.learn(event.detail.paths));
    this.phases.addEventListener("step", (event) => this.showPhase(event.detail));
    this.events.addEventListener("look", (event) => this.preview(event.detail ? event.detail.path : null));
    this.events.addEventListener("pick", (event) => this.rewind(event.detail.moment));
  }

  // ---------------------------------------------------------------- doing

  /** Wait for something the server was asked; what it refuses is said here. */
  async attempt(promise) {
    try {
      const answer = await promise;
      this.complain("");
      return answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.lost = error instanceof Lost; // a sentence across the page says so
      if (!this.lost) this.complain(error.message);
      return null;
    }
  }

  complain(text) {
    this.problem.hidden = !text;
    say(this.problem, sentence(text));
  }

  /** Open a history: the board at once, the search when it is ready. */
  async open(history, run = false) {
    say(this.sentence, "Preparing … (a new combination of game and engine is compiled once)");
    set(this.element, { "aria-busy": "true" });
    const place = { game: history.game, position: history.position ?? "", moves: history.moves ?? [] };
    this.position = await this.attempt(this.connection.ask("board", place));
    if (!this.position) return this.without("game", "Nothing to search.");
    if (!this.search.state) set(this.element, { "data-without": "search" }); // the board at once
    this.tree.forget();
    this.colours.clear();
    this.boards.clear();
    this.place = place;
    this.phases.hidden = this.events.hidden = true;
    this.drawing.replaceChildren();
    this.followed = null;
    this.why.clear("Select a node of the tree: every term of the rule, for each of its children.");
    this.preview(null);
    this.board.playable = true;
    this.board.candidates([]);
    if (this.position.over) {
      await this.without("search", `The game is over: ${this.position.returns.map((value, player) => `${signed(value, 1)} for ${sideOf(history.game, player).name}`).join(", ")}.`);
      this.search.history = { ...history, changes: [], at: 0 };
      this.dispatchEvent(new Event("change"));
      return false;
    }
    const opened = await this.attempt(this.search.open(history, false).then(() => true));
    set(this.element, { "aria-busy": null });
    if (!opened) return this.without("search", "This search cannot begin.");
    this.dispatchEvent(new Event("open"));
    if (run) this.run();
    return true;
  }

  /** There is no game, or no search of it: nothing can be run, and nothing of the one before stays on the page. */
  async without(what, text) {
    set(this.element, { "aria-busy": null });
    say(this.sentence, text);
    say(this.numbers, "");
    if (this.lost) { this.lost = false; return false; } // what was there comes back with the connection
    this.search.state = this.search.history = null;
    set(this.element, { "data-without": what });
    for (const control of [this.play, this.stepButton, this.backButton, this.restart, this.slider]) control.disabled = true;
    say(this.moment, "");
    await this.search.ask("close").catch(() => {});
    return false;
  }

  can(word) {
    return this.search.state?.can.includes(word) ?? false;
  }

  rows() {
    return this.search.state?.moves ?? [];
  }

  /** The number of a root move in the tree. */
  numberOf(name) {
    const known = Object.entries(this.tree.names.get("") ?? {}).find(([, one]) => one === name);
    if (known) return Number(known[0]);
    const action = this.rows().find((row) => row.name === name)?.action;
    return typeof action === "number" ? action : null;
  }

  run() {
    const now = this.search.state?.moment ?? 0, until = Number(this.until.value);
    if (now >= until) {
      const more = STOPS.find((n) => Number(n) > now);
      if (!more) return this.complain("This is as far as a search goes here.");
      this.until.value = more;
    }
    return this.attempt(this.search.run(this.rate.value ? Number(this.rate.value) : null, Number(this.until.value)));
  }

  toggle() {
    if (!this.search.state) return undefined;
    return this.search.state?.running ? this.attempt(this.search.pause()) : this.run();
  }

  step(by) {
    if (!this.search.state) return undefined;
    const now = this.search.state?.moment ?? 0;
    return by < 0 ? this.rewind(Math.max(0, now + by)) : this.attempt(this.search.step(by));
  }

  /** Go to a moment; while one is on its way only the last of those wanted counts. */
  async rewind(to) {
    if (!this.search.state) return;
    this.wanted = to;
    if (this.rewinding) return;
    this.rewinding = true;
    while (this.wanted != null) {
      const next = this.wanted;
      this.wanted = null;
      await this.attempt(this.search.rewind(next));
    }
    this.rewinding = false;
  }

  /** Why the rule would choose what it would choose at a node. */
  async ask(path) {
    this.asked = path;
    if (!this.can("rewind") || !this.can("nodes")) return;
    try {
      const answer = await this.search.why(path);
      if (this.asked !== path) return;
      const names = this.tree.wayNames(path);
      this.why.show(answer, names.length ? `After ${names.join(" ")}` : "At the root");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.why.clear(`${error.message}.`);
    }
  }

  async learn(paths) {
    for (let i = 0; i < paths.length; i += 100) {
      const some = paths.slice(i, i + 100), answer = await this.search.ask("names", { paths: some }).catch(() => null);
      some.forEach((path, k) => {
        const known = answer?.names[k];
        if (!known) { this.tree.asked.delete(path.join()); return; }
        for (const [action, chance] of Object.entries(known.chances ?? {})) known.names[action] += ` ${Math.round(100 * chance)}%`;
        this.tree.learn(path, known.names);
      });
    }
  }

  async explain() {
    if (!this.search.state) return;
    if (this.search.state?.running) await this.attempt(this.search.pause());
    if (!(await this.attempt(this.search.step(1)))) return;
    const answer = await this.attempt(this.search.ask("phases"));
    if (!answer) return;
    this.numbersOfPhase = answer.numbers;
    this.phases.show(answer, (player) => sideOf(this.place.game, player).name);
  }

  showPhase({ path, moves, kind }) {
    this.tree.light(this.numbersOfPhase.slice(0, path.length));
    this.preview([...path, ...(kind === "evaluated" ? moves : [])]);
  }

  async tell() {
    if (this.search.state?.running) await this.attempt(this.search.pause());
    const answer = await this.attempt(this.search.ask("events", { most: 400 }));
    if (answer) this.showEvents(answer);
  }

  showEvents(answer) {
    this.events.hidden = false;
    this.events.show(answer);
  }

  async draw() {
    if (this.search.state?.running) await this.attempt(this.search.pause());
    const answer = await this.attempt(this.search.ask("drawing", { most: 60 }));
    if (answer) this.showDrawing(answer, this.search.state?.moment ?? 0);
  }

  showDrawing({ svg }, moment) {
    this.drawing.replaceChildren(h("p", { class: "small soft" }, `The tree after ${plural(moment, "node")}`),
      h("img", { alt: `The search tree as a drawing: ${this.sentence.textContent}`, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` }));
  }

  /** The drawing and the last events of a classical search as it goes on, while it is small. */
  follow(state) {
    const key = `${state.moment}/${state.engine}`;
    if (!state.moment || state.moment > FOLLOWED || this.followed === key || this.following) return;
    this.following = true;
    if (!this.drawing.children.length) this.drawing.append(h("p", { class: "small soft" }, "Drawing the tree … (the first time this is compiled)"));
    setTimeout(async () => {
      const asked = [this.search.ask("drawing", { most: 40 }), this.search.ask("events", { most: 60 })];
      const [drawn, told] = await Promise.all(asked).catch(() => [null, null]);
      this.followed = key;
      this.following = false;
      if (!drawn || this.events.matches(":hover, :focus-within")) return;
      this.showDrawing(drawn, told.moment);
      this.showEvents(told);
      if (this.search.state) this.paint();
    }, state.running ? 400 : 0);
  }

  // ---------------------------------------------------------------- showing

  /** The position after some moves, on the board; null: the one that is searched. */
  async preview(line) {
    const key = line ? line.join("\n") : "";
    this.previewed = key;
    if (!key) {
      if (this.position) this.board.show(this.position);
      this.paintBoard();
      return;
    }
    let found = this.boards.get(key);
    if (!found) {
      found = await this.connection.ask("board", { ...this.place, moves: [...this.place.moves, ...line] }).catch(() => null);
      if (!found) return;
      if (this.boards.size > 300) this.boards.clear();
      this.boards.set(key, found);
    }
    if (this.previewed !== key) return;
    this.board.show({ ...found, actions: [] });
    this.board.candidates([]);
    say(this.caption, `After ${line.join(" ")}`);
  }

  paintBoard() {
    if (this.previewed || !this.position) return;
    const { state } = this.search, mover = this.position.player;
    this.board.candidates(this.rows(), { mark: this.mark.value, best: state?.best ?? null, range: this.position.range, hint: null });
    const moves = this.place?.moves ?? [];
    say(this.caption, this.position.over ? "The game is over." : `${mover < 0 ? "The dice are to fall" : `${sideOf(this.place.game, mover).name} is to move`}${moves.length ? `, after ${moves.slice(-12).join(" ")}` : ""}. Click a move to go there.`);
  }

  colourOf(name) {
    if (!this.colours.has(name)) this.colours.set(name, `line-${(this.colours.size % COLOURS) + 1}`);
    return this.colours.get(name);
  }

  paint() {
    const { state, trail } = this.search;
    if (!state || !this.position) return;
    const unit = this.can("nodes") ? "simulation" : "node", known = state.moment > 0;
    say(this.sentence, known ? `Would play ${state.best || "–"}, worth ${signed(state.value)}` : "Ready. Press play, or step.");
    say(this.tier, state.tier === "compiling" ? `${plural(state.moment, unit)} in plain Python; the compiler is not ready yet.` : "");
    set(this.element, { "data-without": null });
    this.play.disabled = false;
    say(this.play, state.running ? "Pause" : "Play");
    this.stepButton.disabled = !this.can("step");
    this.backButton.disabled = this.restart.disabled = !this.can("rewind") || !state.moment;
    set(this.slider, { max: Math.max(1, state.furthest), "aria-valuetext": plural(state.moment, unit) });
    this.slider.disabled = !this.can("rewind");
    if (!this.rewinding) this.slider.value = String(state.moment);
    say(this.moment, plural(state.moment, unit));
    this.paintNumbers(state, unit);
    this.paintBoard();
    this.moves.show(state.moves, { best: state.best, other: this.other });
    this.paintCharts(state, trail, unit);
    const tree = this.can("nodes");
    this.treeCard.hidden = this.whyCard.hidden = !tree;
    this.phaseCard.hidden = !this.can("events") || !tree;
    this.eventCard.hidden = tree || !this.can("events");
    if (tree) {
      this.tree.show(this.search.nodes, { range: this.position.range, players: this.position.opposed ? 2 : this.position.players, mover: Math.max(0, this.position.player), best: this.numberOf(state.best) });
      if (!state.running && this.asked && this.askedAt !== state.moment) { this.askedAt = state.moment; this.ask(this.asked); }
    }
    if (!this.eventCard.hidden) this.follow(state);
    this.paintLines(state);
    this.dispatchEvent(new Event("change"));
  }

  paintNumbers(state, unit) {
    const before = this.before ?? { moment: 0, seconds: 0 }, seconds = state.seconds - before.seconds;
    if (seconds > 0.3 || state.moment < before.moment) {
      if (seconds > 0 && state.moment > before.moment) this.speed = (state.moment - before.moment) / seconds;
      this.before = { moment: state.moment, seconds: state.seconds };
    }
    const parts = [this.speed && `${compact(this.speed)} ${unit}s a second`, state.memory && `${(state.memory / 1e6).toFixed(1)} MB`, state.depth && `depth ${state.depth}`,
      this.search.history?.seed != null && `seed ${this.search.history.seed}`, state.choice, ...state.notes];
    say(this.numbers, parts.filter(Boolean).join(" · "));
  }

  paintCharts(state, trail, unit) {
    const rows = state.moves.slice().sort((a, b) => b.visits - a.visits || (b.value ?? -9) - (a.value ?? -9)).slice(0, 5);
    const changes = [];
    let best = null;
    for (const point of trail) {
      if (point.best && point.best !== best) { changes.push({ x: point.moment, name: best ? `${best} → ${point.best}` : `first choice: ${point.best}` }); best = point.best; }
    }
    const common = { marks: changes.slice(1).map((one) => ({ ...one, colour: "clay" })), now: state.moment, furthest: state.furthest, unit: `${unit}s`, names: true };
    const line = (row, pick) => ({ name: row.name, colour: this.colourOf(row.name), points: trail.map((point) => [point.moment, pick(point.moves[row.name])]) });
    const searchedByVisits = rows.some((row) => row.visits);
    this.visits.parentElement.hidden = !searchedByVisits;
    this.visits.show({ ...common, format: "count", lines: rows.map((row) => line(row, (one) => one?.[0] ?? null)) });
    const values = rows.map((row, i) => {
      const made = line(row, (one) => (one && (one[0] || !searchedByVisits) ? one[1] : null));
      if (i < 2) made.band = trail.map((point) => [point.moment, point.moves[row.name]]).filter(([, one]) => one?.[2] != null && one[0] > 1)
        .map(([x, [n, value, spread]]) => [x, value - 1.96 * spread / Math.sqrt(n), value + 1.96 * spread / Math.sqrt(n)]);
      return made;
    });
    this.values.show({ ...common, format: "signed", lines: values.length ? values : [{ name: "value", colour: "line-1", points: trail.map((p) => [p.moment, p.value]) }] });
    say(this.changes, changes.length > 1 ? `Best move changed ${plural(changes.length - 1, "time")}: ${changes.slice(-5).map((one) => `${one.name} at ${count(one.x)}`).join("; ")}.` : "The best move has not changed.");
  }

  /** Lines of play: of a tree the most visited ways on, asked for twice a second at most. */
  paintLines(state) {
    if (!this.can("nodes")) { this.fillLines(state.line.length ? [{ name: state.best, value: state.value, line: state.line }] : []); return; }
    const key = `${state.moment}/${state.engine}`;
    if (this.linesOf === key || this.linesWait) return;
    this.linesWait = true;
    setTimeout(async () => {
      const answer = await this.search.ask("lines", { most: 4 }).catch(() => null);
      this.linesOf = key;
      this.linesWait = false;
      if (answer && !this.lines.matches(":hover, :focus-within")) this.fillLines(answer.lines);
    }, state.running ? 500 : 0);
  }

  fillLines(lines) {
    this.lines.replaceChildren(...lines.map((one) => h("li", {}, h("span", { class: "number" }, signed(one.value)),
      h("span", { class: "line-moves" }, one.line.map((name, i) => {
        const way = one.line.slice(0, i + 1), look = () => this.preview(way), leave = () => this.preview(null);
        return h("button", { type: "button", class: "quiet", onpointerenter: look, onfocus: look, onpointerleave: leave, onblur: leave, title: "Show this position; click to search it",
          onclick: () => { leave(); this.dispatchEvent(new CustomEvent("jump", { detail: way })); } }, name);
      })))));
  }
}

function legend() {
  return h("p", { class: "small soft tree-legend" }, "size = visits · width = prior · ", h("span", { class: "scale-bar", "aria-hidden": "true" }), " bad to good for the mover · ",
    h("span", { class: "ring-mark", "aria-hidden": "true" }), " would be played");
}
