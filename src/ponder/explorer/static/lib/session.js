// A search as a page sees it: opened from a history, watched, steered.
//
//   const search = new Search(connection);
//   search.addEventListener("change", () => paint(search.state, search.nodes));
//   await search.open({ game: "gem", engine: "crazy_stone()", seed: 3 });
//   await search.run(30); await search.step(); await search.change({ backup: "max()" });
//   await search.rewind(100);
import { Refused } from "./connection.js";
import { clearNotice, notice } from "./notices.js";

/**
 * @typedef {{moment: number, changes: number, value: number|null, best: string|null, cut: string[],
 *   moves: Record<string, [number, number|null]>}} Point
 */

export class Search extends EventTarget {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {{name?: string, nodes?: number, deepest?: number, every?: number, grain?: number}} options
   *   deepest: no nodes below this depth; grain: a point of the trail every so many simulations; 0: at every update
   */
  constructor(connection, { name = "main", nodes = 500, deepest = 0, every = 0.05, grain = 0 } = {}) {
    super();
    this.connection = connection;
    this.name = name;
    this.options = { nodes, deepest, every, grain };
    /** @type {any} the header of the last update: see Live.state in live.py */
    this.state = null;
    /** @type {Record<string, any>} columns of the last update */
    this.nodes = {};
    /** @type {Point[]} */
    this.trail = [];
    this.history = null;
    this.rate = 20;
    connection.addEventListener("update", (event) => this.hear(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("told", (event) => this.told(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("down", () => {
      this.wasRunning ||= this.state?.running;
      notice("down", "The connection to Ponder was lost; trying again …");
    });
    connection.addEventListener("up", () => {
      clearNotice("down");
      if (this.history) this.reopen();
    });
  }

  ask(word, fields = {}) {
    return this.connection.ask(word, { session: this.name, ...fields });
  }

  /** Open a history at its moment; done when it is shown. */
  async open(history, run = false) {
    const state = await this.ask("open", { history, ...this.options });
    this.trail = state.trail;
    this.history = state.history;
    this.wasRunning = false;
    clearNotice("lost");
    await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
    if (run) await this.run();
  }

  /** The same search again, where it was: after a lost connection or worker. */
  async reopen() {
    const running = this.wasRunning;
    clearNotice("lost");
    try {
      await this.open(this.history, running);
    } catch (error) {
      if (error instanceof Refused) notice("lost", error.message, "Try again", () => this.reopen());
      else throw error;
    }
  }

  run(rate = this.rate, until = null) {
    this.rate = rate;
    return this.ask("run", { rate, until });
  }

  pause() {
    return this.ask("pause");
  }

  step(n = 1) {
    return this.ask("step", { count: n });
  }

  change(parts) {
    return this.ask("change", { parts });
  }

  /** Go to a moment; `after`: with the changes made at it, as the furthest moment always is. */
  rewind(to, after = to >= (this.state?.furthest ?? Infinity)) {
    return this.ask("rewind", { to, after });
  }

  why(path) {
    return this.ask("why", { path });
  }

  hear({ header, columns }) {
    if (header.session !== this.name) return;
    this.state = header;
    this.history = header.history ?? this.history;
    this.nodes = columns;
    for (const point of header.trail ?? []) this.add(point);
    this.dispatchEvent(new Event("change"));
    // a hidden page paints nothing, and wants no updates
    requestAnimationFrame(() => this.ask("seen").catch(() => {}));
  }

  /** Another way was taken from here: later points are no part of it. */
  add(point) {
    const later = (a, b) => a.moment > b.moment || (a.moment === b.moment && a.changes >= b.changes);
    while (this.trail.length && later(this.trail[this.trail.length - 1], point)) this.trail.pop();
    this.trail.push(point);
  }

  told(news) {
    if (news.told === "lost") {
      this.wasRunning ||= this.state?.running;
      if (this.state) this.state.running = false;
      if (this.history) notice("lost", news.error, "Search again from here", () => this.reopen());
      else notice("lost", news.error, "Try again", () => location.reload());
      this.dispatchEvent(new Event("change"));
    } else if (news.told === "failed" && news.session === this.name) {
      if (this.state) this.state.running = false;
      this.dispatchEvent(new Event("change"));
      // a page that says it elsewhere prevents the default
      if (this.dispatchEvent(new CustomEvent("failed", { detail: news, cancelable: true }))) notice("failed", news.error);
    }
  }
}
