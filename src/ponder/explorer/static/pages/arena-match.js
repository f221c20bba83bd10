// A match as the page sees it: begun, watched, stopped, continued, opened from a file. Fires "change" and "games".
//
// The page has every line of the match's file, so a reload, a lost connection or an ended worker loses no finished
// game: the lines are sent back as a file, and the match goes on from there.
import { Refused } from "../lib/connection.js";

const KEPT = "ponder-match";
const PART = 250_000;
const MOST_BYTES = 1 << 25;

/**
 * @typedef {{game: string, engines: string[], games: number, seed: number, limit: [string, number], openings: number|null}} Wish
 */

export class Match extends EventTarget {
  /** @param {import("../lib/connection.js").Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {any} Tournament.state() in tournament.py */
    this.state = null;
    this.clear();
    this.error = "";
    connection.addEventListener("update", (event) => this.hear(/** @type {CustomEvent} */ (event).detail.header));
    connection.addEventListener("told", (event) => this.told(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("down", () => this.pausedBy());
    connection.addEventListener("up", () => this.state && this.restore());
  }

  clear() {
    /** @type {string[][]} lines of each pair's file, without the first */
    this.lines = [];
    /** @type {any[]} games as the file has them, with `pair` and `number` */
    this.games = [];
    this.dispatchEvent(new Event("cleared"));
  }

  change() {
    this.dispatchEvent(new Event("change"));
  }

  get played() {
    return this.state?.pairs.reduce((sum, pair) => sum + pair.played, 0) ?? 0;
  }

  get wanted() {
    return this.state?.pairs.reduce((sum, pair) => sum + Math.max(pair.wanted, pair.played), 0) ?? 0;
  }

  /** @param {Wish} wish */
  async begin({ limit: [kind, amount], openings, ...wish }) {
    const state = await this.connection.ask("match", { ...wish, [kind]: amount, ...(openings == null ? {} : { openings }) });
    this.clear();
    this.take(state);
  }

  stop() {
    return this.connection.ask("match_stop");
  }

  /** Go on, up to so many games of each pair. */
  go(games) {
    this.error = "";
    return this.connection.ask("match_go", games ? { games } : {});
  }

  /** Open the file of a match. */
  async open(name, text) {
    if (text.length > MOST_BYTES) throw new Refused(`${name} is larger than ${MOST_BYTES >> 20} megabytes.`);
    let state = null;
    for (let at = 0; at === 0 || at < text.length; at += PART) {
      const last = at + PART >= text.length;
      state = await this.connection.ask("match_file", { name: name.slice(0, 200), part: text.slice(at, at + PART), first: at === 0, last });
    }
    this.clear();
    this.error = "";
    this.take(state);
  }

  /** The match's file; of more than two engines, those of all pairs one after another. */
  text() {
    return this.state.pairs.map((pair, i) => pair.header + (this.lines[i] ?? []).join("")).join("");
  }

  hear(header) {
    if (header.session !== "match") return;
    for (const [pair, line] of header.fresh) {
      (this.lines[pair] ??= []).push(line);
      this.games.push({ ...JSON.parse(line), pair, number: this.games.length + 1 });
    }
    this.take(header);
    if (header.fresh.length) this.dispatchEvent(new Event("games"));
    requestAnimationFrame(() => this.connection.ask("seen", { session: "match" }).catch(() => {}));
  }

  take(state) {
    this.state = state;
    if (state.running) this.error = ""; // the update after an error says only that nothing runs any more
    this.change();
  }

  told({ told, session, error }) {
    if (told === "failed" && session === "match") {
      if (this.state) this.state.running = false;
      this.error = error;
      this.change();
    } else if (told === "lost") {
      this.pausedBy();
    }
  }

  pausedBy() {
    if (!this.state) return;
    this.wasRunning ||= this.state.running;
    this.state.running = false;
    this.change();
  }

  /** The same match in a new worker; goes on if it was going. */
  async restore(games) {
    const text = this.text(), running = this.wasRunning, wanted = games ?? this.state.pairs[0].wanted;
    this.wasRunning = false;
    await this.open("the match", text);
    if (running && wanted) await this.go(wanted);
  }

  /** Keep the match for a reload of this address. */
  keep(address) {
    if (!this.state) return;
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ address, text: this.text(), running: this.state.running, wanted: this.state.pairs[0].wanted }));
    } catch {
      sessionStorage.removeItem(KEPT); // it is too long: a reload begins anew
    }
  }

  /** The match that was kept for this address, opened again; was there one? */
  async recall(address) {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (kept?.address !== address) return false;
    await this.open("the match", kept.text);
    if (kept.running) await this.go(kept.wanted);
    return true;
  }
}
