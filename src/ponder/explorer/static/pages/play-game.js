// A game as it is played: whose turn it is, who thinks, what is shown. Knows no elements of the page.
//
// All that it follows from is `setup` (see lib/game-address.js); the rest can be asked again, so that a reload, a lost
// connection or an ended worker costs nothing but a moment. Fires "change".
import { Lost, Refused } from "../lib/connection.js";
import { Dropped, Thinking } from "../lib/thinking.js";
import { Clock, parseClock } from "./play-clock.js";
import { JUDGE, YOU } from "./play-choices.js";

const HINT = { seconds: 1.5, simulations: 20000 };
const COACH = { seconds: 1, simulations: 3000 };
/** A move is a mistake if it gives away so much of the range of utilities. */
export const MISTAKE = 0.1;

export class Game extends EventTarget {
  /** @param {import("../lib/connection.js").Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    this.thinking = new Thinking(connection);
    /** @type {import("../lib/game-address.js").Setup} */
    this.setup = null;
    this.clock = new Clock(() => this.flag(), () => this.change());
    this.forget();
    connection.addEventListener("up", () => this.setup && this.settle());
  }

  forget() {
    /** @type {any} the last position: the answer to "table" */
    this.live = null;
    /** @type {any} the position that is shown, `at` moves from the beginning */
    this.shown = null;
    this.at = 0;
    /** @type {{seat: number, told: any}|null} the engine that thinks */
    this.engine = null;
    /** @type {any} */
    this.hint = null;
    /** @type {any} a move that the teacher warns of */
    this.warning = null;
    this.busy = "";
    this.error = "";
  }

  change() {
    this.dispatchEvent(new Event("change"));
  }

  // ---------------------------------------------------------------- questions

  get over() {
    return Boolean(this.live && (this.live.over || this.setup.end));
  }

  get atEnd() {
    return this.at === this.setup.moves.length;
  }

  get humans() {
    return this.setup.seats.filter((seat) => seat === YOU).length;
  }

  /** Has anybody made a move? Dice alone are none. */
  get played() {
    return Boolean(this.live?.movers.some((player) => player >= 0));
  }

  /** May a person move now, in the position that is shown? */
  get yourTurn() {
    return Boolean(this.live && !this.over && this.atEnd && !this.busy && !this.warning && this.setup.seats[this.live.player] === YOU);
  }

  get canUndo() {
    return Boolean(this.live && this.live.movers.some((player) => player >= 0 && (this.setup.seats[player] === YOU || !this.humans)));
  }

  position(moves = this.setup.moves) {
    return { game: this.setup.game, position: this.setup.position, moves };
  }

  // ---------------------------------------------------------------- going on

  /** Begin or continue a game. Refused: nothing has changed. */
  async open(setup) {
    const seats = [...setup.seats];
    const live = await this.connection.ask("table", { game: setup.game, position: setup.position, moves: setup.moves, seed: setup.seed, roll: !setup.end });
    const [, loser] = /^(?:resign|time):(\d)$/.exec(setup.end ?? "") ?? [];
    if (setup.end && !(Number(loser) < live.players)) throw new Refused(`“${setup.end}” is no end of a game: resign:0 or time:1`);
    if (setup.clock && !parseClock(setup.clock)) throw new Refused(`“${setup.clock}” is no clock: 5+3 is five minutes, and three seconds more after every move`);
    while (seats.length < live.players) seats.push(seats.length ? setup.rest ?? "mcts(simulations=100)" : YOU);
    this.thinking.drop();
    this.forget();
    this.setup = { position: "", clock: "", teach: false, end: "", ...setup, seats: seats.slice(0, live.players) };
    this.clock.begin(this.setup.clock, live.players);
    this.take(live);
    this.turn();
  }

  take(live) {
    this.live = live;
    this.setup.moves = live.moves;
    this.at = live.moves.length;
    this.shown = live;
    this.hint = this.warning = null;
  }

  /** Ask for the last position again, and go on from there. */
  async settle() {
    this.thinking.drop();
    this.engine = null;
    this.busy = "";
    await this.attempt(async () => {
      this.take(await this.connection.ask("table", { ...this.position(), seed: this.setup.seed, roll: !this.setup.end }));
      this.turn();
    });
  }

  /** Whatever comes next. */
  turn() {
    this.error = "";
    if (this.over) this.clock.stop();
    else this.clock.run(this.live.player, this.played);
    this.change();
    if (this.over) return;
    const seat = this.setup.seats[this.live.player];
    if (seat !== YOU) this.answer(this.live.player, seat);
    else if (this.setup.teach) this.coach();
  }

  async answer(player, engine) {
    this.engine = { seat: player, told: null };
    this.change();
    await this.attempt(async () => {
      const limit = this.clock.limit(player, engine);
      const seed = this.setup.seed + this.setup.moves.length; // another one for every move
      const found = await this.thinking.ask("engine", { ...this.position(), engine, seed, ...limit }, (told) => {
        this.engine = { seat: player, told };
        this.change();
      });
      await this.make(found.best);
    });
  }

  hurry() {
    this.thinking.hurry("engine");
  }

  /** Play a move, whoever makes it; dice that follow are thrown. */
  async make(name) {
    const before = this.live.player;
    const live = await this.connection.ask("table", { ...this.position(), move: name, seed: this.setup.seed, roll: true });
    this.clock.moved(before);
    this.engine = null;
    this.busy = "";
    this.take(live);
    this.turn();
  }

  /** A person's move, by name or as it was typed. */
  async play(name) {
    if (!this.yourTurn) return;
    await this.attempt(async () => {
      if (!this.setup.teach || !(await this.warned(name))) await this.make(name);
    });
  }

  async attempt(run) {
    try {
      await run();
    } catch (error) {
      if (error instanceof Dropped) return;
      if (!(error instanceof Refused)) throw error;
      this.engine = null;
      const lost = error instanceof Lost; // a sentence across the page says so
      this.busy = lost ? "Waiting …" : "";
      this.error = lost ? "" : error.message;
      this.change();
    }
  }

  // ---------------------------------------------------------------- teaching and hints

  /** Think about a person's position while the person does. */
  coach() {
    const asked = this.thinking.ask("coach", { ...this.position(), engine: JUDGE, seed: 1, ...COACH });
    this.coached = asked.catch(() => null);
  }

  /** Is this move a mistake? Then the page says so, and the move waits. */
  async warned(name) {
    this.busy = "Looking at your move …";
    this.change();
    const { player, range } = this.live;
    const found = await this.coached;
    const after = await this.connection.ask("table", { ...this.position(), move: name });
    const played = after.moves[after.moves.length - 1];
    this.busy = "";
    if (!found || found.best === played) return false;
    const values = after.over ? after.returns
      : (await this.thinking.ask("coach", { ...this.position(after.moves), engine: JUDGE, seed: 1, ...COACH })).values;
    const loss = found.values[player] - values[player];
    if (!(loss > MISTAKE * (range[1] - range[0]))) return false;
    this.warning = { name: played, loss, value: values[player], best: found.best, bestValue: found.values[player], line: found.line };
    this.change();
    return true;
  }

  /** Play the move that the teacher warned of. */
  async anyway() {
    const { name } = this.warning;
    this.warning = null;
    await this.attempt(() => this.make(name));
  }

  /** Think again. */
  reconsider() {
    this.hint = { ...this.warning, candidates: [] };
    this.warning = null;
    this.turn();
  }

  async askHint() {
    if (!this.yourTurn) return;
    this.busy = "Looking for a good move …";
    this.change();
    await this.attempt(async () => {
      const found = await this.thinking.ask("hint", { ...this.position(), engine: JUDGE, seed: this.setup.seed, ...HINT });
      this.busy = "";
      this.hint = found;
      this.change();
    });
  }

  // ---------------------------------------------------------------- back and forth

  /** Back to where a person was last asked for a move (of engines alone: one move). */
  async undo() {
    if (!this.canUndo) return;
    const { movers } = this.live;
    let to = movers.length - 1;
    while (to > 0 && !(movers[to] >= 0 && (this.setup.seats[movers[to]] === YOU || !this.humans))) to--;
    await this.backTo(to);
  }

  /** Drop what came after the first moves. The dice stay what they were: they follow from the seed. */
  async backTo(count) {
    this.setup.moves = this.setup.moves.slice(0, count);
    this.setup.end = "";
    this.clock.resume();
    await this.settle();
  }

  /** Show an earlier position, or the last one. */
  async goTo(ply) {
    const at = Math.max(0, Math.min(this.setup.moves.length, ply));
    if (at === this.at) return;
    this.at = at;
    await this.attempt(async () => {
      const shown = at === this.setup.moves.length ? this.live : await this.connection.ask("table", this.position(this.setup.moves.slice(0, at)));
      if (this.at === at) this.shown = shown;
    });
    this.change();
  }

  // ---------------------------------------------------------------- other ends

  finish(how, seat) {
    if (this.over) return;
    this.thinking.drop();
    this.engine = this.warning = this.hint = null;
    this.busy = "";
    this.setup.end = `${how}:${seat}`;
    this.turn();
  }

  resign() {
    if (!this.live || this.over) return;
    const mine = this.setup.seats[this.live.player] === YOU ? this.live.player : this.setup.seats.indexOf(YOU);
    this.finish("resign", mine < 0 ? this.live.player : mine);
  }

  flag() {
    this.finish("time", this.live.player);
  }
}
